import type { DeliveryDetails } from '../../core/prize-order/delivery-details.ts'
import { string } from '../../core/shape/json-schema.ts'
import { required } from '../../core/shape/request-shape.ts'
import { field, inputsOf, optionalField, shapeOf } from '../../core/shape/shape.ts'
import { text } from '../parse-input.ts'

/**
 * Where and to whom a prize is sent, as it is ordered, shown and sent to a provider. The longest e-mail address is 254
 * characters (RFC 5321); the other limits are ours.
 */
export const deliveryDetails = shapeOf<DeliveryDetails>()(undefined, {
  recipient_name: field(string, (to) => to.recipient_name, {
    description: 'The recipient of the parcel.',
    example: 'Ada Lovelace',
    input: required(text(200)),
  }),
  street: field(string, (to) => to.street, {
    description: 'Street and number.',
    example: '350 Fifth Avenue',
    input: required(text(300)),
  }),
  city: field(string, (to) => to.city, {
    description: 'City.',
    example: 'New York',
    input: required(text(120)),
  }),
  state: optionalField(string, (to) => to.state, {
    description: 'State or region.',
    example: 'New York',
    input: text(120),
  }),
  postal_code: field(string, (to) => to.postal_code, {
    description: 'Postal code.',
    example: '10118',
    input: required(text(32)),
  }),
  country: field(string, (to) => to.country, {
    description: 'Country.',
    example: 'United States',
    input: required(text(100)),
  }),
  phone_number: optionalField(string, (to) => to.phone_number, {
    description: 'Telephone number.',
    example: '+1 212 555 0123',
    input: text(50),
  }),
  email: optionalField(string, (to) => to.email, {
    description: 'E-mail address.',
    example: 'ada@example.com',
    input: text(254).email({ tlds: false }),
  }),
  additional_notes: optionalField(string, (to) => to.additional_notes, {
    description: 'Notes for the delivery.',
    example: 'Ring twice.',
    input: text(2000),
  }),
})

export const deliveryInput = inputsOf(deliveryDetails.fields)
