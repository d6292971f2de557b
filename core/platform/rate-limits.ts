/**
 * The separate limits for the keys of each casino: for each of the three operations, for all other calls with `play`
 * keys, and for the management API.
 */
export const keyOperations = ['box_open', 'prize_order', 'prize_cashback', 'reads', 'management'] as const
export type KeyOperation = (typeof keyOperations)[number]

/**
 * Everything that is limited, including callbacks from an address as a casino's partner. Partners sign requests and
 * have no keys.
 */
export const limitedOperations = [...keyOperations, 'partners'] as const
export type LimitedOperation = (typeof limitedOperations)[number]

/** A token bucket: requests a second in the long run, and `burst` at the same time after a pause. */
export interface RateLimit {
  perSecond: number
  burst: number
}

/** The limit of each operation; null for unlimited. */
export type RateLimits = Readonly<Record<LimitedOperation, RateLimit | null>>

/** The bounds of limits, here and in the casinos' settings. */
export const perSecondMin = 0.01
export const perSecondMax = 1_000_000
export const burstMax = 10_000_000

const partPattern = /^([a-z_]+)=(?:none|(\d{1,7}(?:\.\d{1,3})?)\/(\d{1,8}))$/

/**
 * Parses `box_open=100/200,reads=none`: requests a second, and the burst. Operations that it does not name are taken
 * from `otherwise`. Undefined if the form is invalid.
 */
export function parseRateLimits(text: string, otherwise: RateLimits): RateLimits | undefined {
  const limits = { ...otherwise }
  const named = new Set<string>()
  for (const part of text.split(',')) {
    const [, name, perSecond, burst] = partPattern.exec(part) ?? []
    const operation = limitedOperations.find((candidate) => candidate === name)
    if (operation === undefined || named.has(operation)) return undefined
    named.add(operation)
    limits[operation] =
      perSecond === undefined ? null : { perSecond: Number(perSecond), burst: Number(burst) }
    if (!isWithinBounds(limits[operation])) return undefined
  }
  return limits
}

function isWithinBounds(limit: RateLimit | null): boolean {
  if (limit === null) return true
  const { perSecond, burst } = limit
  return perSecond >= perSecondMin && perSecond <= perSecondMax && burst >= 1 && burst <= burstMax
}

/**
 * The default limits of a casino. Far above its needs, and above the capacity of one process: they are for casinos out
 * of control.
 */
export const defaultRateLimits: RateLimits = {
  box_open: { perSecond: 10_000, burst: 20_000 },
  prize_order: { perSecond: 10_000, burst: 20_000 },
  prize_cashback: { perSecond: 10_000, burst: 20_000 },
  reads: { perSecond: 2_000, burst: 4_000 },
  management: { perSecond: 200, burst: 1_000 },
  partners: { perSecond: 200, burst: 1_000 },
}

/** The form that `parseRateLimits` reads. */
export function formatRateLimits(limits: RateLimits): string {
  const parts = limitedOperations.map((operation) => {
    const limit = limits[operation]
    return `${operation}=${limit === null ? 'none' : `${limit.perSecond}/${limit.burst}`}`
  })
  return parts.join(',')
}
