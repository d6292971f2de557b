import Joi from 'joi'

/** Marks a parameter that is always there after parsing: it is required, or has a default. */
declare const isAlwaysThere: unique symbol

type AlwaysThere<Part> = Part & { readonly [isAlwaysThere]: true }

/** The parsed type of a schema. */
type Given<Part> = Part extends Joi.AnySchema<infer Value> ? Value : never
type Parts = Readonly<Record<string, Joi.Schema>>
type ThereNames<Of> = { [Name in keyof Of]: Of[Name] extends AlwaysThere<unknown> ? Name : never }[keyof Of]

/** The type of a parsed request. */
export type Parsed<Of extends Parts> = { [Name in ThereNames<Of>]: Given<Of[Name]> } & {
  [Name in Exclude<keyof Of, ThereNames<Of>>]?: Given<Of[Name]>
}

/** A request that was parsed by a schema of `requestOf`. */
export type ParsedBy<Schema> = Given<Schema>

/**
 * The single definition of a request: the schema parses it, describes it in the document, and has its type. A
 * parameter's meaning is in its `.description()` and `.example()`, unless its name means the same everywhere
 * (`openapi/shared-words.ts`). One that will be removed has `.meta({ deprecated: true })`.
 *
 *     export const voidInput = requestOf({ reason, count: required(wholeNumber(1, 10)).example(2) })
 */
export function requestOf<Of extends Parts>(parts: Of): Joi.ObjectSchema<Parsed<Of>> {
  return Joi.object<Parsed<Of>>(parts)
}

export function required<Part extends Joi.Schema>(part: Part): AlwaysThere<Part> {
  return part.required() as AlwaysThere<Part>
}

export function withDefault<Part extends Joi.Schema>(part: Part, value: Given<Part>): AlwaysThere<Part> {
  return part.default(value) as AlwaysThere<Part>
}

/** One of these texts. */
export function choice<Value extends string>(values: readonly Value[]): Joi.StringSchema<Value> {
  return Joi.string().valid(...values) as Joi.StringSchema<Value>
}

/** Null is a value of its own. */
export function orNull(schema: Joi.StringSchema): Joi.AnySchema<string | null> {
  return giving<string | null>(schema.allow(null))
}

/** For a schema whose functions return something other than the input. */
export function giving<Value>(schema: Joi.Schema): Joi.AnySchema<Value> {
  return schema as Joi.AnySchema<unknown> as Joi.AnySchema<Value>
}

/**
 * The names of a body's or a query's fields, in their order; none if the schema does not name them. `describe` would
 * render the whole schema, which takes longer than all else at the start of the API: each of its routes asks for this.
 */
export function keysOf(schema: Joi.ObjectSchema): string[] {
  const keys = schema.$_terms['keys'] as readonly { key: string }[] | null
  return (keys ?? []).map(({ key }) => key)
}
