import type { EventName } from '../event/event-names.ts'
import type { PrizeState } from '../prize/state.ts'
import type { ExceptionReason, HoldReason, OrderState } from './state.ts'

/** What can change in an order beside its state, its holds and where it goes. */
export interface OrderFields {
  provider: 'manual' | 'http' | null
  carrier: string | null
  trackingNumber: string | null
  /** With the order's id it names a submission for ever; sending anew makes it one more. */
  shipmentNumber: number
  exceptionReason: ExceptionReason | null
  /** What a requested cancellation makes of the prize: true gives it back, false voids it. */
  returnsPrize: boolean | null
  /** Where a refused cancellation leads back to. */
  cancelledFrom: OrderState | null
  providerReference: string | null
  /** Which outside provider may have the present shipment (`partnerIdOf` its URL); null when none can have. */
  providerAsked: string | null
  /** Why a worker holds it for people, as a code; null when none does. */
  problem: string | null
  /** When the newest applied partner event of this shipment happened, by the partner's clock. */
  partnerOccurredAt: Date | null
  /** When the casino was told that the order waits for its confirmation. */
  announcedAt: Date | null
  remindersSent: number
  /** Calls of the provider for the step under way whose outcome is not known, and how long the last one may take. */
  attempts: number
  attemptUntil: Date | null
  /** When the provider is asked for news again. */
  nextPollAt: Date | null
}

/** An order as it was loaded, with what decisions need of its prize. */
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
  /** When it was delivered, rejected or cancelled; then only its history grows. */
  endedAt: Date | null
  prizeState: PrizeState
  prizeRevision: number
}

/** One row of an order's history. A step may leave the state as it is. */
export interface OrderStep {
  /** What happened, without `prize_order.` in front. */
  event: EventName<'prize_order'> | OrderState
  to: OrderState
  /** What is worth telling beside the states; never personal data. */
  data?: Readonly<Record<string, string | number | boolean | null>>
}

/** What a decision makes of an order, all or nothing. */
export interface OrderPlan {
  /** In order; none when there is only work to cross off or to let rest. */
  steps: readonly OrderStep[]
  fields?: Partial<OrderFields>
  /** The prize's new state; undefined when it stays `ordered`. */
  prizeTo?: PrizeState
  placeHold?: HoldReason
  /** For the history: why, in words, when nobody else says so. */
  note?: string
  releaseHolds?: readonly HoldReason[]
  /** Whether a worker has something to do now. */
  causesWork?: boolean
}
