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

const targetLengthMax = 500
/** Begins with one slash, so that it names no host; no backslashes, which browsers take for slashes. */
const plainPath = /^\/(?!\/)[!#-[\]-~]*$/
