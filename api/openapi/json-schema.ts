import { portablePattern } from './portable-pattern.ts'

export type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'null' | 'array' | 'object'

/** As much of JSON Schema 2020-12 as this service's document uses. A `title` is the name that the document has it under. */
export interface JsonSchema {
  $ref?: string
  title?: string
  description?: string
  type?: JsonType | readonly JsonType[]
  const?: unknown
  enum?: readonly unknown[]
  default?: unknown
  examples?: readonly unknown[]
  /** `date-time`, `email` and `uri` are checked by those who validate; others only tell what a text is. */
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  items?: JsonSchema
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  properties?: Readonly<Record<string, JsonSchema>>
  required?: readonly string[]
  dependentRequired?: Readonly<Record<string, readonly string[]>>
  /** False where the reference names every key; left out where more keys may come. */
  additionalProperties?: boolean | JsonSchema
  anyOf?: readonly JsonSchema[]
  oneOf?: readonly JsonSchema[]
  /** Which of the alternatives a value is, by one of its properties. */
  discriminator?: { propertyName: string; mapping: Readonly<Record<string, string>> }
}

export const string: JsonSchema = { type: 'string' }
export const boolean: JsonSchema = { type: 'boolean' }
export const time: JsonSchema = { type: 'string', format: 'date-time' }
/** In answers ids are always text. */
export const id: JsonSchema = { type: 'string', minLength: 1, maxLength: 128 }
/** From 0, as far as JSON carries whole numbers exactly. */
export const count: JsonSchema = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }

/** The example is for where the name of the field does not make one. */
export function matching(pattern: RegExp, example?: string): JsonSchema {
  return {
    type: 'string',
    pattern: portablePattern(pattern.source),
    ...(example === undefined ? {} : { examples: [example] }),
  }
}

export function oneOf(values: readonly (string | null)[]): JsonSchema {
  return values.includes(null)
    ? { type: ['string', 'null'], enum: values }
    : values.length === 1
      ? { type: 'string', const: values[0] }
      : { type: 'string', enum: values }
}

export function list(items: JsonSchema): JsonSchema {
  return { type: 'array', items }
}

export function nullable(schema: JsonSchema): JsonSchema {
  if (schema.title !== undefined || typeof schema.type !== 'string') {
    return { anyOf: [schema, { type: 'null' }] }
  }
  return {
    ...schema,
    type: [schema.type, 'null'],
    ...(schema.enum === undefined ? {} : { enum: [...schema.enum, null] }),
  }
}

/** An object that always has the first properties and may have the others. */
export function object(
  required: Record<string, JsonSchema>,
  optional: Record<string, JsonSchema> = {},
): JsonSchema {
  return { type: 'object', properties: { ...required, ...optional }, required: Object.keys(required) }
}

/** Gives a schema a name, under which the document has it once. */
export function named(title: string, schema: JsonSchema): JsonSchema {
  return { title, ...schema }
}
