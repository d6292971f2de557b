import { named, object, ownExample } from './json-schema.ts'
import type { Type } from './json-schema.ts'

/** A property of what the API answers: what it is, and where it comes from. */
interface Field<Source, Value> {
  type: Type<Value>
  /** That it is left out where there is none. */
  isOptional?: true
  read: (source: Source) => Value
}

/** The same value in an example: times are text there. */
type InExample<Value> = Value extends Date
  ? string
  : Value extends object
    ? { [Name in keyof Value]: InExample<Value[Name]> }
    : Value

/** Where the field's name alone does not say it: `openapi/common-fields.ts` has what a word means everywhere. */
interface Words<Value> {
  description?: string
  /** As part of an example of the whole object. Undefined leaves it out there. */
  example?: InExample<Value> | undefined
}

type Fields<Source> = Readonly<Record<string, Field<Source, unknown>>>
type Rendered<Of> = { [Name in keyof Of]: Of[Name] extends Field<never, infer Value> ? Value : never }

/** What the API tells of something, once: it renders answers, and describes them in the document. */
export interface Shape<Source, Of extends Fields<Source>> {
  type: Type<Rendered<Of>>
  render: (source: Source) => Rendered<Of>
  /** To make a larger shape of. */
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
    const schema = object(typesOf(fields, false), typesOf(fields, true))
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

function typesOf(fields: Fields<never>, isOptional: boolean): Record<string, Type<unknown>> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, one]) =>
      (one.isOptional === true) === isOptional ? [[name, one.type]] : [],
    ),
  )
}

export function field<Source, Value>(
  type: Type<Value>,
  read: (source: Source) => NoInfer<Value>,
  words: Words<NoInfer<Value>> = {},
): Field<Source, Value> {
  const { description } = words
  return {
    type: {
      ...type,
      ...(description === undefined ? {} : { description }),
      ...('example' in words ? { [ownExample]: words.example } : {}),
    },
    read,
  }
}

/** One that not every answer has. */
export function optionalField<Source, Value>(
  type: Type<Value>,
  read: (source: Source) => NoInfer<Value> | undefined,
  words: Words<NoInfer<Value>> = {},
): Field<Source, Value | undefined> {
  return {
    ...field<Source, Value | undefined>(type, read, words),
    isOptional: true,
  }
}
