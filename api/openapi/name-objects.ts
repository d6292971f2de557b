import type { JsonSchema } from '../../core/shape/json-schema.ts'

/**
 * Gives every object in a schema a name, so that generated clients have a type for each: its own, or else one made of
 * where it stands. `PublishBoxRequest` has a `PublishBoxRequestLimit` and a list of `PublishBoxRequestEntry`.
 */
export function nameObjects(title: string, schema: JsonSchema): JsonSchema {
  const own = schema.title ?? title
  if (schema.properties !== undefined && schema.type !== 'object') return nameNullable(own, schema)
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives !== undefined) return nameAlternatives(own, schema, alternatives)
  if (schema.properties !== undefined) {
    const properties = Object.entries(schema.properties).map(
      ([name, property]) => [name, nameObjects(own + pascalCase(name), property)] as const,
    )
    return { ...schema, title: own, properties: Object.fromEntries(properties) }
  }
  const { items, additionalProperties } = schema
  return {
    ...schema,
    ...(items === undefined ? {} : { items: nameObjects(singularOf(own), items) }),
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: nameObjects(singularOf(own), additionalProperties) }
      : {}),
  }
}

/** `postal_code` as part of a name: `PostalCode`. */
export function pascalCase(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}

/** An object or null: the object has the name. */
function nameNullable(title: string, nullable: JsonSchema): JsonSchema {
  const { description, deprecated, default: fallback, ...schema } = nullable
  return {
    ...(description === undefined ? {} : { description }),
    ...(deprecated === undefined ? {} : { deprecated }),
    ...(fallback === undefined ? {} : { default: fallback }),
    anyOf: [nameObjects(title, { ...schema, type: 'object' }), { type: 'null' }],
  }
}

function nameAlternatives(
  title: string,
  schema: JsonSchema,
  alternatives: readonly JsonSchema[],
): JsonSchema {
  const objects = alternatives.filter(({ type }) => type !== 'null')
  const named = alternatives.map((one, index) =>
    nameObjects(objects.length < 2 ? title : title + distinction(one, index), one),
  )
  return {
    ...schema,
    ...(objects.length < 2 ? {} : { title }),
    ...(schema.anyOf === undefined ? { oneOf: named } : { anyOf: named }),
  }
}

/** The mark of an alternative: the value that one of its properties always has. */
function distinction({ properties = {} }: JsonSchema, index: number): string {
  const decisive = Object.values(properties).map((property) => property.const)
  const value = decisive.find((one) => typeof one === 'string')
  return pascalCase(value ?? String(index + 1))
}

function singularOf(title: string): string {
  return title.replace(/ies$/, 'y').replace(/(?<!s)s$/, '')
}
