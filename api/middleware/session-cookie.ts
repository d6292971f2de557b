import type { Context } from 'koa'

const sessionName = 'ops_session'
const signOnName = 'ops_sign_on'

/**
 * Over TLS, the name makes browsers insist that this very host has set the cookie over TLS, for all its paths: no other
 * host of the same site can replace it. Over plain HTTP, browsers refuse a cookie of this name.
 */
function nameOf(ctx: Context, name: string): string {
  return ctx.secure ? `__Host-${name}` : name
}

/** The token of a person's session; undefined without one. */
export function readSessionCookie(ctx: Context): string | undefined {
  return ctx.cookies.get(nameOf(ctx, sessionName))
}

/** Gives the browser a token, or with `maxAgeMs` 0 takes it back. Scripts and other sites cannot use it. */
export function setSessionCookie(ctx: Context, token: string, maxAgeMs: number): void {
  set(ctx, sessionName, { value: token, maxAgeMs, sameSite: 'strict' })
}

/** The sealed ticket of a single sign-on; undefined without one. */
export function readSignOnCookie(ctx: Context): string | undefined {
  return ctx.cookies.get(nameOf(ctx, signOnName))
}

/**
 * The same for a single sign-on that has begun. The identity provider, another site, sends the browser back to us, so
 * the cookie has to come along when a link leads from there to here; but not with requests that other pages embed or
 * send.
 */
export function setSignOnCookie(ctx: Context, ticket: string, maxAgeMs: number): void {
  set(ctx, signOnName, { value: ticket, maxAgeMs, sameSite: 'lax' })
}

function set(
  ctx: Context,
  name: string,
  { value, maxAgeMs, sameSite }: { value: string; maxAgeMs: number; sameSite: 'strict' | 'lax' },
): void {
  ctx.cookies.set(nameOf(ctx, name), value, {
    path: '/',
    httpOnly: true,
    sameSite,
    secure: ctx.secure,
    maxAge: maxAgeMs,
    overwrite: true,
  })
}
