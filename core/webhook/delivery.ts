/**
 * The state of a delivery. A pending one waits for its turn or the next attempt, or is parked: it has no work until its
 * endpoint is enabled, or a worker finds it.
 */
export type DeliveryState = 'pending' | 'delivered' | 'failed'

export const deliveryStates: readonly DeliveryState[] = ['pending', 'delivered', 'failed']

/** Why an endpoint was disabled: by an operator, because it answered 410, or because all deliveries failed for days. */
export type DisabledReason = 'operator' | AnswerFault | 'deleting'

/** Why a worker disables an endpoint: its answers. */
export type AnswerFault = 'gone' | 'failing'

/** The fields of a delivery that decisions read. */
export interface DeliverySnapshot {
  id: string
  casinoId: string
  endpointId: string
  eventId: string
  state: DeliveryState
  attempts: number
  /** The end of the last attempt's lease. */
  attemptUntil: Date | null
  /** Undefined if it was deleted. */
  endpoint:
    | {
        url: string
        isEnabled: boolean
        failingSince: Date | null
        /** It has asked for no calls until then. */
        restingUntil: Date | null
      }
    | undefined
  /** The object's earlier events that are pending: until when the first one waits, and about how many there are. */
  before: { busyUntil: Date | null; count: number } | undefined
}

/** A casino chooses its endpoints' ids; this key is unique across casinos. */
export function endpointKeyOf(of: { casinoId: string; endpointId: string }): string {
  return `${of.casinoId}\n${of.endpointId}`
}
