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

/** The casino that a path of the console is about. */
export function casinoIdIn(path: string): string | undefined {
  const rest = path.startsWith(pathTo('/casinos/')) ? path.slice(pathTo('/casinos/').length) : ''
  const [id = ''] = rest.split('/')
  if (id === '') return undefined
  try {
    return decodeURIComponent(id)
  } catch {
    return undefined
  }
}
