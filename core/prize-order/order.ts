import type { EventName } from '../event/event-names.ts'
import type { PrizeState } from '../prize/state.ts'
import type { ExceptionReason, HoldReason, OrderState } from './state.ts'

/** The fields of an order, beside its state, holds and address, that can change. */
export interface OrderFields {
  provider: 'manual' | 'http' | null
  carrier: string | null
  trackingNumber: string | null
  /** Identifies a submission together with the order's id; a new shipment gets the next number. */
  shipmentNumber: number
  exceptionReason: ExceptionReason | null
  /** The prize after a requested cancellation: true returns it, false voids it. */
  returnsPrize: boolean | null
  /** The state that a refused cancellation returns to. */
  cancelledFrom: OrderState | null
  providerReference: string | null
  /**
   * The outside provider that may have the current shipment (`partnerIdOf` its URL); null if no provider can have it.
   */
  providerAsked: string | null
  /** An error code: why a worker left it to operators; null if it did not. */
  problem: string | null
  /** The time of the last applied update of this shipment, by the provider's clock. */
  partnerOccurredAt: Date | null
  /** When the casino was told that the order awaits confirmation. */
  announcedAt: Date | null
  remindersSent: number
  /** Attempts of the current step without a known result, and the end of the last one's lease. */
  attempts: number
  attemptUntil: Date | null
  /** When the provider is polled next. */
  nextPollAt: Date | null
}

/** An order as loaded, with the fields of its prize that decisions need. */
export interface OrderSnapshot extends OrderFields {
  casinoId: string
  id: string
  prizeId: string
  itemId: string
  itemName: string
  playerId: string
  state: OrderState
  revision: number
  openHolds: readonly HoldReason[]
  createdAt: Date
  updatedAt: Date
  /** When it was delivered, rejected or cancelled. After that only its history grows. */
  endedAt: Date | null
  prizeState: PrizeState
  prizeRevision: number
}

/** One row of an order's history. A step may keep the state. */
export interface OrderStep {
  /** The event's name without `prize_order.`. */
  event: EventName<'prize_order'> | OrderState
  to: OrderState
  /** Further data for the history; never personal data. */
  data?: Readonly<Record<string, string | number | boolean | null>>
}

/** The result of a decision, applied completely or not at all. */
export interface OrderPlan {
  /** In order; empty if only the work changes (is finished or snoozed). */
  steps: readonly OrderStep[]
  fields?: Partial<OrderFields>
  /** The prize's new state; undefined if it stays `ordered`. */
  prizeTo?: PrizeState
  placeHold?: HoldReason
  /** The reason for the history, if the actor gives none. */
  note?: string
  releaseHolds?: readonly HoldReason[]
  /** True if it creates work for a worker. */
  causesWork?: boolean
}
