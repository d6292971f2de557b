import { isDeepStrictEqual } from 'node:util'
import type { JsonSchema } from '../../core/shape/json-schema.ts'

/**
 * Moves each schema with a title to the components, where it stands once, and leaves references to it. Throws if two
 * different schemas have the same name.
 */
export function extractNamed<Value>(value: Value): { document: Value; schemas: Record<string, JsonSchema> } {
  const schemas = new Map<string, JsonSchema>()
  const extract = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(extract)
    if (typeof node !== 'object' || node === null) return node
    const { title, ...rest } = node as { title?: unknown }
    const isNamed = typeof title === 'string'
    const extracted = Object.fromEntries(
      Object.entries(isNamed ? rest : node).map(([key, child]: [string, unknown]) => [
        key,
        isData(key) ? child : key === 'properties' ? extractProperties(child as object) : extract(child),
      ]),
    )
    if (!isNamed) return extracted
    const known = schemas.get(title)
    if (known !== undefined && !isDeepStrictEqual(known, extracted)) {
      throw new Error(`two schemas are called ${title}`)
    }
    schemas.set(title, extracted)
    return { $ref: `#/components/schemas/${title}` }
  }
  /** The description of a property is not that of its schema, nor is the schema deprecated with a property. */
  const extractProperties = (properties: object) =>
    Object.fromEntries(
      Object.entries(properties).map(([name, property]: [string, JsonSchema]) => {
        const { description, deprecated, ...schema } = property
        if (schema.title === undefined) return [name, extract(property)]
        const own = {
          ...(description === undefined ? {} : { description }),
          ...(deprecated === undefined ? {} : { deprecated }),
        }
        return [name, { ...own, ...(extract(schema) as object) }]
      }),
    )
  const document = extract(value) as Value // of the same form
  return {
    document,
    schemas: Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

/** The contents under these names are values, not schemas. */
function isData(key: string): boolean {
  return (
    key === 'example' ||
    key === 'examples' ||
    key === 'default' ||
    key === 'const' ||
    key === 'enum' ||
    key === 'required' ||
    key === 'dependentRequired' ||
    key === 'discriminator'
  )
}
