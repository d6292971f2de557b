import type { Context } from 'koa'

const name = 'ops_session'

/**
 * Over TLS the name says what browsers then insist on: that this very host has set the cookie over TLS, for all its paths.
 * No other host of the same site can put one of its own in its place. A browser takes no such cookie over plain HTTP.
 */
function nameOf(ctx: Context): string {
  return ctx.secure ? `__Host-${name}` : name
}

/** The token of a person's session; undefined without one. */
export function readSessionCookie(ctx: Context): string | undefined {
  return ctx.cookies.get(nameOf(ctx))
}

/** Gives the browser a token, or with `maxAgeMs` 0 takes it back. Scripts and other sites cannot use it. */
export function setSessionCookie(ctx: Context, token: string, maxAgeMs: number): void {
  ctx.cookies.set(nameOf(ctx), token, {
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure: ctx.secure,
    maxAge: maxAgeMs,
    overwrite: true,
  })
}
