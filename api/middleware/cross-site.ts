import type { Context } from 'koa'

/**
 * Whether another site's page makes the browser send this. Browsers say so in Sec-Fetch-Site; those that do not (old
 * ones, and all of them over plain HTTP) send Origin with a POST. A request with neither comes from no browser.
 */
export function isCrossSite(ctx: Context): boolean {
  const site = ctx.get('Sec-Fetch-Site')
  if (site !== '') return site !== 'same-origin' && site !== 'none'
  const origin = ctx.get('Origin')
  return origin !== '' && hostOf(origin) !== ctx.host
}

/** Undefined for `null`, which pages without an origin of their own send. */
function hostOf(origin: string): string | undefined {
  try {
    return new URL(origin).host
  } catch {
    return undefined
  }
}
