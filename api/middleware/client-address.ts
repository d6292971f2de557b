import type { Context } from 'koa'

/**
 * The address that a request comes from. Behind proxies it is the entry of `X-Forwarded-For` that the outermost trusted
 * one has added (Koa counts them from the end: `TRUST_PROXY_HOPS`); what stands before it was written by the client and
 * proves nothing. Some proxies add ports. May be no address at all, when a proxy writes something else.
 */
export function clientAddress(ctx: Context): string {
  const { ip } = ctx
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(ip) ?? []
  if (bracketed !== undefined) return bracketed
  const [, beforePort] = /^([\d.]+):\d+$/.exec(ip) ?? []
  return beforePort ?? ip
}
