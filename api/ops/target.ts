const anyOrigin = 'http://console.invalid'

/**
 * The page of this service that a person wanted to see before signing in; the first page for anything else. A link's
 * target is not trusted: it must not lead elsewhere, and not to a page that signs people in or out.
 */
export function safeTarget(opsPath: string, wanted: unknown): string {
  const home = `${opsPath}/`
  if (typeof wanted !== 'string' || wanted.length > targetLengthMax || !plainPath.test(wanted)) return home
  if (!URL.canParse(wanted, anyOrigin)) return home
  // As a browser reads it: without `..`.
  const { origin, pathname, search, hash } = new URL(wanted, anyOrigin)
  if (origin !== anyOrigin || !pathname.startsWith(home)) return home
  if (/^\/(login|logout|invitation|setup)(\/|$)/.test(pathname.slice(opsPath.length))) return home
  return pathname + search + hash
}

/** Whether `safeTarget` leaves a page out because of its length alone: a person should know about that. */
export function isTooLong(wanted: unknown): boolean {
  return typeof wanted === 'string' && wanted.length > targetLengthMax
}

/** A single sign-on keeps it in a cookie, encrypted, and browsers keep only short ones. */
export const targetLengthMax = 500
/** Begins with one slash, so that it names no host; no backslashes, which browsers take for slashes. */
const plainPath = /^\/(?!\/)[!#-[\]-~]*$/
