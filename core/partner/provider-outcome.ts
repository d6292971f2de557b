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

/** Reasons of a permanent rejection. Any other apparent refusal must not be acted on. */
export const rejectionCodes = [
  'address_invalid',
  'destination_unsupported',
  'item_unknown',
  'out_of_stock',
  'rejected',
] as const
export type RejectionCode = (typeof rejectionCodes)[number]

/** A shipment update from a provider; `reason` only with `exception`. */
export interface ShipmentUpdate {
  status: ShipmentStatus
  reason: string | null
  carrier: string | null
  trackingNumber: string | null
  /** By the provider's clock. */
  occurredAt: Date
}

/** The request may have been carried out. `problem` is our own code, never a partner's text. */
interface Unknown {
  kind: 'unknown'
  problem: string
}
/** The other system rejects our credentials: operators must fix it, and the order is not at fault. */
interface Misconfigured {
  kind: 'misconfigured'
  problem: string
}

export type SubmitOutcome =
  | { kind: 'accepted'; reference: string | null }
  | { kind: 'rejected'; code: RejectionCode }
  | Unknown
  | Misconfigured

/** `pending`: the provider reports the result later, in a shipment update. */
export type CancelOutcome =
  { kind: 'cancelled' } | { kind: 'refused' } | { kind: 'pending' } | Unknown | Misconfigured

/** `update` is null until there is an update; `parcel_unknown` if the provider does not know the parcel. */
export type StatusOutcome =
  | { kind: 'shipment_update'; update: ShipmentUpdate | null }
  | { kind: 'parcel_unknown'; problem: string }
  | Unknown
  | Misconfigured

/** A provider's answer, if any, by the purpose of the call. */
export type ProviderAnswer =
  | { call: 'submit'; outcome: SubmitOutcome }
  | { call: 'cancel'; outcome: CancelOutcome }
  | { call: 'poll'; outcome: StatusOutcome }

/** The possible outcomes of a call of a provider, for any purpose. */
type ProviderCallKind = (SubmitOutcome | CancelOutcome | StatusOutcome)['kind']

/** The codes of these outcomes in metrics and job results. */
export type ProviderCallCode = Exclude<ProviderCallKind, 'shipment_update'> | 'news'

/**
 * Names that jobs, databases and dashboards have kept say `news` for a shipment update: this code, the job
 * `apply-shipment-news` and the event `prize_order.news_ignored`.
 */
export function codeOfCall(kind: ProviderCallKind): ProviderCallCode {
  return kind === 'shipment_update' ? 'news' : kind
}
