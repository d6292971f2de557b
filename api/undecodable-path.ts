import { inputError } from './inputs.ts'
import type { Route } from './route.ts'

/**
 * The first parameter of a path whose escapes stand for no text (`%E0%A4`, `%zz`). The router takes it as it was sent, and
 * an id would be made of that. `captures` are the parameters before they were decoded, in the same order.
 */
export function findUndecodable(
  params: Readonly<Record<string, string>>,
  captures: readonly (string | undefined)[],
): string | undefined {
  return Object.keys(params).find((_, place) => !isDecodable(captures[place] ?? ''))
}

function isDecodable(captured: string): boolean {
  if (!captured.includes('%')) return true
  try {
    decodeURIComponent(captured)
    return true
  } catch {
    return false
  }
}

/** The same route, whose endpoint only refuses the parameter; the caller's rights are checked as usual. */
export function refusing(route: Route, name: string): Route {
  const message = `${name} must be text that is percent-encoded in UTF-8`
  return { ...route, endpoint: () => Promise.reject(inputError(name, 'identifier', message)) }
}
