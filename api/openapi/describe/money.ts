import { matching } from '../json-schema.ts'
import type { JsonSchema } from '../json-schema.ts'

/** Beyond what JSON's readers carry exactly it is sent as text. */
export const amount: JsonSchema = {
  type: ['integer', 'string'],
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
  pattern: '^-?\\d+$',
}

export const currency = matching(/^[A-Z]{3}$/)
