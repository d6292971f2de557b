/** The server writes it into the page: the path that the service is served below, without a slash at its end. */
const basePath = document.documentElement.dataset['base'] ?? ''

/** The root of the management API. */
export const apiUrl = `${location.origin}${basePath}`

/** The path of a page of the console, such as `/orders`, as browsers know it. */
export function pathTo(page: string): string {
  return `${basePath}/ops${page}`
}

/** The same for a page about a casino. */
export function casinoPath(casinoId: string, page = ''): string {
  return pathTo(`/casinos/${encodeURIComponent(casinoId)}${page}`)
}
