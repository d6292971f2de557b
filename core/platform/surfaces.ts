/**
 * What a process of the API serves. `play`: the three operations, the catalogue and the evidence of draws, which players
 * wait for. `manage`: everything that people, scripts, partners and monitoring ask for. Each can have processes of its own.
 */
export const surfaces = ['play', 'manage'] as const

export type Surface = (typeof surfaces)[number]

/** Of the form `play,manage`, in any order. Undefined when it names something else, nothing, or one twice. */
export function parseSurfaces(text: string): ReadonlySet<Surface> | undefined {
  const names = text.split(',').map((name) => name.trim())
  const named = surfaces.filter((surface) => names.includes(surface))
  return named.length === names.length ? new Set(named) : undefined
}
