import { shipmentStatuses } from '../../../core/partner/provider-outcome.ts'
import { count, id, named, nullable, object, oneOf, string, time } from '../json-schema.ts'

/** What a provider told of an order's parcel. */
export const shipmentNews = named(
  'ShipmentNews',
  object({
    news_id: string,
    order_id: id,
    shipment_number: count,
    status: oneOf(shipmentStatuses),
    reason: nullable(string),
    carrier: nullable(string),
    tracking_number: nullable(string),
    occurred_at: time,
    received_at: time,
  }),
)
