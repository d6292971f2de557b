/**
 * The surfaces of the API. `play`: the three operations, the catalogue and the evidence of draws, which players wait
 * for. `manage`: everything that operators, scripts, partners and monitoring request. Each can have its own processes.
 */
export const surfaces = ['play', 'manage'] as const

export type Surface = (typeof surfaces)[number]

/** Parses `play,manage`, in any order. Undefined if it is empty, or has an unknown or repeated name. */
export function parseSurfaces(text: string): ReadonlySet<Surface> | undefined {
  const names = text.split(',').map((name) => name.trim())
  const named = surfaces.filter((surface) => names.includes(surface))
  return named.length === names.length ? new Set(named) : undefined
}
