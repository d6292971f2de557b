import { count, id, matching, named, object, oneOf, string, untyped } from '../shape/json-schema.ts'
import { field, said, shapeOf } from '../shape/shape.ts'

/** Identifies one parcel of one order permanently: two submissions with it are the same parcel. */
export interface ShipmentName {
  orderId: string
  shipmentNumber: number
}

export interface Submission extends ShipmentName {
  prizeId: string
  item: { id: string; name: string }
  /** Personal data. It leaves this process here and nowhere else. */
  delivery: object
}

/** `ord_…-2`: the stable key of a submission. */
export function submissionIdOf({ orderId, shipmentNumber }: ShipmentName): string {
  return `${orderId}-${shipmentNumber}`
}

const order = 'ord_01b977d7aa0076a1b2c3d4e5f6071803'

const parcel = shapeOf<ShipmentName>()(undefined, {
  submission_id: field(matching(/^ord_[0-9a-f]{32}-[1-9]\d*$/, `${order}-1`), submissionIdOf, {
    description: 'Names the parcel: one id is one parcel.',
  }),
  order_id: field(matching(/^ord_[0-9a-f]{32}$/, order), (shipment) => shipment.orderId),
  shipment_number: field(count, (shipment) => shipment.shipmentNumber),
}).fields

const item = named(
  'SubmittedItem',
  object({
    id: said(id, { example: 'mug' }),
    name: said(string, { description: 'Its name.', example: 'Mug' }),
  }),
)

export const submitCall = shapeOf<Submission>()('SubmitCall', {
  type: field(oneOf(['order.submit']), () => 'order.submit'),
  ...parcel,
  prize_id: field(id, (submission) => submission.prizeId),
  item: field(item, (submission) => submission.item, { description: 'The item.' }),
  // The API defines the fields of an address.
  delivery: field(untyped, (submission) => submission.delivery, { description: 'The delivery details.' }),
})

export const cancelCall = shapeOf<ShipmentName>()('CancelCall', {
  type: field(oneOf(['order.cancel']), () => 'order.cancel'),
  ...parcel,
})

export const statusCall = shapeOf<ShipmentName>()('StatusCall', {
  type: field(oneOf(['order.status']), () => 'order.status'),
  ...parcel,
})
