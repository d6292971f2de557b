import type { Middleware } from 'koa'

/**
 * The headers that tell browsers, although hardly one ever gets an answer, that it is data and nothing else. Answers
 * hold personal data and secrets: no cache keeps them (the few that may be kept say so themselves), no page reads or
 * frames them, and no script, style or picture in them runs. /docs and the pages under /ops loosen what they need.
 */
export const securityHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
}

const entries = Object.entries(securityHeaders)

/** A year, as is usual. Only for this host: what else is in the domain is not ours to decide. */
const transportSecurity = 'max-age=31536000'

/**
 * Sets them before anything else has its say, so that errors have them too. Over TLS, browsers are also told never to
 * come without it again; that is known only behind a proxy that is trusted (TRUST_PROXY), since TLS ends there.
 */
export const setSecurityHeaders: Middleware = (ctx, next) => {
  for (const [name, value] of entries) ctx.res.setHeader(name, value)
  if (ctx.secure) ctx.res.setHeader('Strict-Transport-Security', transportSecurity)
  return next()
}
