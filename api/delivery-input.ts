import type Joi from 'joi'
import { text } from './parse-input.ts'

/** Where and to whom a prize is sent. The longest e-mail address is 254 characters (RFC 5321); the other limits are ours. */
export const deliveryInput: Record<string, Joi.Schema> = {
  recipient_name: text(200).required(),
  street: text(300).required(),
  city: text(120).required(),
  state: text(120),
  postal_code: text(32).required(),
  country: text(100).required(),
  phone_number: text(50),
  email: text(254).email({ tlds: false }),
  additional_notes: text(2000),
}
