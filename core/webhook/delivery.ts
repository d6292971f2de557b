/** Where an event on its way to an endpoint stands. A pending one waits for its turn, or for the next attempt, or rests. */
export type DeliveryState = 'pending' | 'delivered' | 'failed'

export const deliveryStates: readonly DeliveryState[] = ['pending', 'delivered', 'failed']

/** Why an endpoint was switched off: by somebody, because it answered 410, or because nothing got through for days. */
export type DisabledReason = 'operator' | AnswerFault | 'deleting'

/** Why a worker switches one off: because of how it answers. */
export type AnswerFault = 'gone' | 'failing'

/** What the decisions about a delivery need to know. */
export interface DeliverySnapshot {
  id: string
  casinoId: string
  endpointId: string
  eventId: string
  state: DeliveryState
  attempts: number
  /** Until when the last attempt may still be running. */
  attemptUntil: Date | null
  /** Undefined when it has been deleted. */
  endpoint:
    | {
        url: string
        isEnabled: boolean
        failingSince: Date | null
        /** It has asked to be left alone until then. */
        restingUntil: Date | null
      }
    | undefined
  /** What is still pending of the object's earlier events: until when the first of them rests, and how many, roughly. */
  before: { busyUntil: Date | null; count: number } | undefined
}

/** Endpoints have ids of their casinos' making; this names one among all. */
export function endpointKeyOf(of: { casinoId: string; endpointId: string }): string {
  return `${of.casinoId}\n${of.endpointId}`
}
