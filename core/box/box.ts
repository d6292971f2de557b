import type { Money } from '../money.ts'
import type { ItemKind } from '../prize/prize.ts'

/** How players are entitled to openings: the casino grants them, or everybody has so many per period. */
export type BoxAccess = 'granted' | 'limited'

export const limitPeriods = ['day', 'week', 'lifetime'] as const
export type LimitPeriod = (typeof limitPeriods)[number]

/** An item as it can be won: what is copied into the prize. */
export interface WinnableItem {
  id: string
  name: string
  kind: ItemKind
  description: string | null
  imageUrl: string | null
  cashback: Money | null
  claimDays: number | null
}

export interface BoxEntry {
  position: number
  weight: bigint
  item: WinnableItem
  /** How many are left; null when there is no limit. Decisions of one batch count it down. */
  remaining: number | null
}

/** A published version of a box, with what is left of its stock. */
export interface BoxVersion {
  casinoId: string
  boxId: string
  version: number
  oddsHash: string
  access: BoxAccess
  limit: { count: number; period: LimitPeriod } | null
  activeFrom: Date | null
  activeUntil: Date | null
  entries: readonly BoxEntry[]
  /** What is won when the drawn entry is out of stock. */
  fallback: WinnableItem | null
}

/** When the current period began (UTC); weeks begin on Monday (ISO 8601). */
export function startOfPeriod(period: LimitPeriod, now: Date): Date {
  if (period === 'lifetime') return new Date(0)
  const midnight = new Date(now)
  midnight.setUTCHours(0, 0, 0, 0)
  if (period === 'week') midnight.setUTCDate(midnight.getUTCDate() - ((midnight.getUTCDay() + 6) % 7))
  return midnight
}
