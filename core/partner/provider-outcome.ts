/** Where a parcel is, in a provider's words. */
export const shipmentStatuses = [
  'processing',
  'shipped',
  'delivered',
  'exception',
  'cancelled',
  'cancel_refused',
] as const
export type ShipmentStatus = (typeof shipmentStatuses)[number]

/** Why a provider takes an order for good not. Anything else that sounds like a refusal is none that we may act on. */
export const rejectionCodes = [
  'address_invalid',
  'destination_unsupported',
  'item_unknown',
  'out_of_stock',
  'rejected',
] as const
export type RejectionCode = (typeof rejectionCodes)[number]

/** What a provider says has happened to a shipment; `reason` only with `exception`. */
export interface ShipmentUpdate {
  status: ShipmentStatus
  reason: string | null
  carrier: string | null
  trackingNumber: string | null
  /** By the provider's clock. */
  occurredAt: Date
}

/** The request may have been carried out or not. `problem` is a code of ours, never a partner's text. */
interface Unknown {
  kind: 'unknown'
  problem: string
}
/** The other system does not accept us at all: that is for people to repair, and no order's fault. */
interface Misconfigured {
  kind: 'misconfigured'
  problem: string
}

export type SubmitOutcome =
  | { kind: 'accepted'; reference: string | null }
  | { kind: 'rejected'; code: RejectionCode }
  | Unknown
  | Misconfigured

/** `pending`: the provider tells later, as news. */
export type CancelOutcome =
  { kind: 'cancelled' } | { kind: 'refused' } | { kind: 'pending' } | Unknown | Misconfigured

/** `news` is null while there is none; `parcel_unknown` when the provider has never heard of the parcel. */
export type StatusOutcome =
  | { kind: 'news'; news: ShipmentUpdate | null }
  | { kind: 'parcel_unknown'; problem: string }
  | Unknown
  | Misconfigured

/** What a provider has answered, if anything, by what it was called for. */
export type ProviderAnswer =
  | { call: 'submit'; outcome: SubmitOutcome }
  | { call: 'cancel'; outcome: CancelOutcome }
  | { call: 'poll'; outcome: StatusOutcome }

/** How a call of a provider may end, whatever it was for. */
export type ProviderCallKind = (SubmitOutcome | CancelOutcome | StatusOutcome)['kind']
