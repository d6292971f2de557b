import { portablePattern } from './portable-pattern.ts'

/** The key of a field's own example. Undefined leaves the field out of examples. */
export const ownExample = Symbol('example')

export type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'null' | 'array' | 'object'

/**
 * The part of JSON Schema 2020-12 that this service's document uses. A `title` is the schema's name in the document.
 */
export interface JsonSchema {
  $ref?: string
  title?: string
  description?: string
  /** True if it will be removed; left out otherwise. */
  deprecated?: true
  type?: JsonType | readonly JsonType[]
  const?: unknown
  enum?: readonly unknown[]
  default?: unknown
  examples?: readonly unknown[]
  /** `date-time`, `email` and `uri` are checked by validators; others only describe a text. */
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
  /** False if the reference names every key; left out if more keys may come. */
  additionalProperties?: boolean | JsonSchema
  anyOf?: readonly JsonSchema[]
  oneOf?: readonly JsonSchema[]
  /** The property that distinguishes the alternatives. */
  discriminator?: { propertyName: string; mapping: Readonly<Record<string, string>> }
  /** The example value here, if it differs from the field's usual one. Not part of the document's schemas. */
  [ownExample]?: unknown
}

declare const valueOfType: unique symbol

/** A schema whose values have a type in TypeScript, too. */
export interface Type<Value> extends JsonSchema {
  readonly [valueOfType]: Value
}

/** Does not exist at run time. */
function typed<Value>(schema: JsonSchema): Type<Value> {
  return schema as Type<Value>
}

export const string = typed<string>({ type: 'string' })
export const boolean = typed<boolean>({ type: 'boolean' })
export const number = typed<number>({ type: 'number' })
/** ISO 8601 text in JSON. */
export const time = typed<Date>({ type: 'string', format: 'date-time' })
/** The same, if it is text already. */
export const timeAsText = typed<string>({ type: 'string', format: 'date-time' })
/** Ids are always text in answers. */
export const id = typed<string>({ type: 'string', minLength: 1, maxLength: 128 })
/** In examples of several objects, an id that is consistent with the others. */
export function shown(example: string): Type<string> {
  return { ...id, examples: [example] }
}
/** From 0, up to the largest whole number that is exact in JSON. */
export const count = typed<number>({ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
/** Sent as text, because it may exceed the numbers that JSON parsers read exactly. */
export const amount = typed<number | string>({
  type: ['integer', 'string'],
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
  pattern: '^-?\\d+$',
})
/** The same for amounts above zero. */
export const positiveAmount = typed<number | string>({
  type: ['integer', 'string'],
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  pattern: '^[1-9]\\d{0,18}$',
})
export const currency = matching(/^[A-Z]{3}$/)

export const eventId = matching(/^evt_[1-9]\d*$/, 'evt_1234')
export const hash = matching(/^[0-9a-f]{64}$/)
export const seedId = matching(/^sed_[0-9a-f]{32}$/, 'sed_01b977d7aa0076a1b2c3d4e5f6071806')
export const openingId = matching(/^opn_[0-9a-f]{32}$/)

/** An object whose contents are defined elsewhere. */
export const untyped = typed<object>({ type: 'object' })

/** An object that names its own properties. */
export function objectOf<Value>(properties: true | Type<Value>): Type<Readonly<Record<string, Value>>> {
  return typed({ type: 'object', additionalProperties: properties })
}

/** The example is for fields whose name does not provide one. */
export function matching(pattern: RegExp, example?: string): Type<string> {
  return typed({
    type: 'string',
    pattern: portablePattern(pattern.source),
    ...(example === undefined ? {} : { examples: [example] }),
  })
}

export function oneOf<Value extends string | null>(values: readonly Value[]): Type<Value> {
  return typed(
    (values as readonly unknown[]).includes(null)
      ? { type: ['string', 'null'], enum: values }
      : values.length === 1
        ? { type: 'string', const: values[0] }
        : { type: 'string', enum: values },
  )
}

export function list<Value>(items: Type<Value>): Type<readonly Value[]> {
  return typed({ type: 'array', items })
}

export function nullable<Value>(schema: Type<Value>): Type<Value | null> {
  if (schema.title !== undefined || typeof schema.type !== 'string') {
    return typed({ anyOf: [schema, { type: 'null' }] })
  }
  return typed({
    ...schema,
    type: [schema.type, 'null'],
    ...(schema.enum === undefined ? {} : { enum: [...schema.enum, null] }),
  })
}

type Schemas = Readonly<Record<string, JsonSchema>>
type ValuesOf<Properties> = {
  [Name in keyof Properties]: Properties[Name] extends Type<infer Value> ? Value : unknown
}

/** An object that always has the first properties and may have the others. */
export function object<Required extends Schemas>(required: Required): Type<ValuesOf<Required>>
export function object<Required extends Schemas, Optional extends Schemas>(
  required: Required,
  optional: Optional | undefined,
): Type<ValuesOf<Required> & Partial<ValuesOf<Optional>>>
export function object(required: Schemas, optional: Schemas = {}): JsonSchema {
  return { type: 'object', properties: { ...required, ...optional }, required: Object.keys(required) }
}

/** Allows no other keys. */
export function closed<Schema extends JsonSchema>(schema: Schema): Schema {
  return { ...schema, additionalProperties: false }
}

/** Names a schema, so that the document has it once. */
export function named<Schema extends JsonSchema>(title: string, schema: Schema): Schema {
  return { title, ...schema }
}

export const money = named('Money', object({ amount_minor: amount, currency }))
