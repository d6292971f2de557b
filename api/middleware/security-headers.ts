import type { Middleware } from 'koa'

/**
 * The headers that tell browsers to treat an answer as data only, although browsers are rarely the callers. Answers
 * contain personal data and secrets: caches do not keep them (cacheable answers say so themselves), pages cannot read
 * or frame them, and scripts, styles and pictures in them do not run. /docs and the pages under /ops loosen this as
 * they need.
 */
export const securityHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
}

const entries = Object.entries(securityHeaders)

/** A year, as is usual. Only for this host: the domain's other hosts are not ours to decide. */
const transportSecurity = 'max-age=31536000'

/**
 * Sets them first, so that errors have them too. Over TLS, browsers are also told never to come without it again; the
 * service can only know that behind a trusted proxy (TRUST_PROXY), because TLS ends there.
 */
export const setSecurityHeaders: Middleware = (ctx, next) => {
  for (const [name, value] of entries) ctx.res.setHeader(name, value)
  if (ctx.secure) ctx.res.setHeader('Strict-Transport-Security', transportSecurity)
  return next()
}
