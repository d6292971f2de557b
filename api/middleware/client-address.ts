import type { Context } from 'koa'

/**
 * The address that a request comes from. Behind proxies it is the entry of `X-Forwarded-For` that the outermost trusted
 * one has added (Koa counts them from the end: `TRUST_PROXY_HOPS`); earlier entries were written by the client and
 * prove nothing. Some proxies add ports. It is not an address if a proxy writes other text.
 */
export function clientAddress(ctx: Context): string {
  const { ip } = ctx
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(ip) ?? []
  if (bracketed !== undefined) return bracketed
  const [, beforePort] = /^([\d.]+):\d+$/.exec(ip) ?? []
  return beforePort ?? ip
}
