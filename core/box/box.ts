import type { Money } from '../money.ts'
import type { ItemKind } from '../item/item-kinds.ts'

/** How players are entitled to openings: the casino grants them, or everybody has so many per period. */
export type BoxAccess = 'granted' | 'limited'

export const limitPeriods = ['day', 'week', 'lifetime'] as const
export type LimitPeriod = (typeof limitPeriods)[number]

/** So many openings per period. Days and weeks (from Monday, ISO 8601) begin at midnight in the time zone. */
export interface OpeningLimit {
  count: number
  period: LimitPeriod
  /** A name of the IANA time zone database. */
  timeZone: string
}

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

/** When a box can be opened, and by whom. */
export interface BoxTerms {
  /** The operators' switch; a box that is off is closed. */
  isEnabled: boolean
  access: BoxAccess
  limit: OpeningLimit | null
  activeFrom: Date | null
  activeUntil: Date | null
}

export interface BoxEntry {
  position: number
  weight: bigint
  item: WinnableItem
  /** How many are left; null when there is no limit. */
  remaining: number | null
}
