import type Joi from 'joi'
import { named, object, ownExample } from './json-schema.ts'
import type { Type } from './json-schema.ts'

/** A property of the API's answers: its type, its source, and its form in requests, if it has one. */
interface Field<Source, Value, Input = unknown> {
  type: Type<Value>
  /** Whether it is left out if there is no value. */
  isOptional?: true
  read: (source: Source) => Value
  /** With the field's description. Undefined if no request has it. */
  input: Input
}

/** The same value in an example: times are text there. */
type InExample<Value> = Value extends Date
  ? string
  : Value extends object
    ? { [Name in keyof Value]: InExample<Value[Name]> }
    : Value

/** Left out for names that mean the same everywhere: those are in `openapi/shared-words.ts`. */
interface Words<Value, Input = undefined> {
  description?: string
  /** The value in an example of the whole object. Undefined leaves it out there. */
  example?: InExample<Value> | undefined
  /** The form in requests under this name. */
  input?: Input
  /** True if a later major version removes it, here and in requests. */
  deprecated?: true
}

type Fields<Source> = Readonly<Record<string, Field<Source, unknown>>>
type Rendered<Of> = { [Name in keyof Of]: Of[Name] extends Field<never, infer Value> ? Value : never }

/** The public form of an object, defined once: it renders answers, and describes them in the document. */
export interface Shape<Source, Of extends Fields<Source>> {
  type: Type<Rendered<Of>>
  render: (source: Source) => Rendered<Of>
  /** For building a larger shape. */
  fields: Of
}

/**
 * The shape of a `Source`. Its title is its name in the document; without one it is called after where it stands.
 *
 *     export const item = shapeOf<ItemRecord>()('Item', {
 *       item_id: field(id, (item) => item.id),
 *       description: field(nullable(string), (item) => item.description, { example: 'A blue mug' }),
 *     })
 */
export function shapeOf<Source>() {
  return <Of extends Fields<Source>>(title: string | undefined, fields: Of): Shape<Source, Of> => {
    const entries = Object.entries(fields)
    const schema = object(typesOf(fields), typesOf(fields, true))
    return {
      type: (title === undefined ? schema : named(title, schema)) as Shape<Source, Of>['type'],
      render: (source) => {
        const rendered: Record<string, unknown> = {}
        for (const [name, { read }] of entries) {
          const value = read(source)
          if (value !== undefined) rendered[name] = value
        }
        return rendered as Rendered<Of>
      },
      fields,
    }
  }
}

/** The type of each field. */
export function typesOf(fields: Fields<never>, isOptional = false): Record<string, Type<unknown>> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, one]) =>
      (one.isOptional === true) === isOptional ? [[name, one.type]] : [],
    ),
  )
}

/** The request parameters of these fields. */
export function inputsOf<Of extends Fields<never>>(fields: Of): InputsOf<Of> {
  const entries = Object.entries(fields).flatMap(([name, { input }]) =>
    input === undefined ? [] : [[name, input]],
  )
  return Object.fromEntries(entries) as InputsOf<Of> // of those that have one
}

type InputsOf<Of> = {
  [
    Name in keyof Of as Of[Name] extends Field<never, unknown, Joi.Schema> ? Name : never
  ]: Of[Name] extends Field<never, unknown, infer Input extends Joi.Schema> ? Input : never
}

export function field<Source, Value, Input extends Joi.Schema | undefined = undefined>(
  type: Type<Value>,
  read: (source: Source) => NoInfer<Value>,
  words: Words<Value, Input> = {},
): Field<Source, Value, Input> {
  return {
    type: said(type, words),
    read,
    input: withWords(words) as Input, // the same schema with a description
  }
}

/** A type with a description: for objects that are rendered by hand. */
export function said<Value>(type: Type<Value>, words: Words<Value, unknown>): Type<Value> {
  const { description, deprecated } = words
  return {
    ...type,
    ...(description === undefined ? {} : { description }),
    ...(deprecated === undefined ? {} : { deprecated }),
    ...('example' in words ? { [ownExample]: words.example } : {}),
  }
}

/** A parameter has the field's description. */
function withWords<Input extends Joi.Schema | undefined>(
  words: Words<unknown, Input>,
): Joi.Schema | undefined {
  const { description, example, deprecated } = words
  let input: Joi.Schema | undefined = words.input
  if (input === undefined) return undefined
  if (description !== undefined) input = input.description(description)
  if (deprecated !== undefined) input = input.meta({ deprecated })
  return example === undefined || example === null ? input : input.example(example)
}

/** A field that some answers leave out. */
export function optionalField<Source, Value, Input extends Joi.Schema | undefined = undefined>(
  type: Type<Value>,
  read: (source: Source) => NoInfer<Value> | undefined,
  words: Words<Value, Input> = {},
): Field<Source, Value | undefined, Input> {
  return {
    type: said(type, words), // the type of existing values
    read,
    input: withWords(words) as Input, // the same schema with a description
    isOptional: true,
  }
}
