import type { Money } from '../money.ts'
import type { ItemKind } from '../item/item-kinds.ts'

/** How players get openings: grants by the casino, or a limit per period for everybody. */
export type BoxAccess = 'granted' | 'limited'

export const limitPeriods = ['day', 'week', 'lifetime'] as const
export type LimitPeriod = (typeof limitPeriods)[number]

/** Openings per period. Days and weeks (from Monday, ISO 8601) begin at midnight in the time zone. */
export interface OpeningLimit {
  count: number
  period: LimitPeriod
  /** A name of the IANA time zone database. */
  timeZone: string
}

/** An item as it can be won; copied into the prize. */
export interface WinnableItem {
  id: string
  name: string
  kind: ItemKind
  description: string | null
  imageUrl: string | null
  cashback: Money | null
  claimDays: number | null
}

/** When a box can be opened, and how players get openings. */
export interface BoxTerms {
  /** The operators' switch; false closes the box. */
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
  /** The rest of the stock; null for unlimited. */
  remaining: number | null
}
