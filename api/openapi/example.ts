import { examples, signExample } from './examples.ts'
import { sharedWords } from './shared-words.ts'
import { ownExample } from '../../core/shape/json-schema.ts'
import type { JsonSchema } from '../../core/shape/json-schema.ts'

/**
 * A value that a schema accepts, made of the examples of its fields. `name` is the field's. Throws if an example is
 * missing.
 */
export function exampleOf(schema: JsonSchema, name = ''): unknown {
  if (ownExample in schema) return schema[ownExample]
  if (schema.const !== undefined) return schema.const
  const own = schema.examples?.[0] ?? sharedWords[name]?.example
  if (schema.enum !== undefined) {
    if (schema.enum.includes(own)) return own
    return schema.default ?? schema.enum.find((value) => value !== null)
  }
  const [chosen] = schema.oneOf ?? schema.anyOf ?? []
  if (chosen !== undefined) return exampleOf(chosen, name)
  const [type] = [schema.type].flat()
  if (type === 'null') return null
  if (type === 'object') return exampleOfObject(schema, own)
  if (type === 'array') return Array.isArray(own) ? own : [exampleOf(schema.items ?? {}, name)]
  if (typeof own === (type === 'integer' ? 'number' : type)) return own
  if (type === 'string' && typeof own === 'number') return String(own)
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return schema.default ?? schema.minimum ?? 1
  if (schema.format === 'date-time') return '2030-01-31T12:00:00.000Z'
  throw new Error(`no example of ${name}`)
}

function exampleOfObject({ title, properties, additionalProperties }: JsonSchema, own: unknown): unknown {
  if (properties === undefined) return own ?? (additionalProperties === true ? {} : { field: 'value' })
  const special = examples[title ?? ''] ?? {}
  const entries = Object.entries(properties).map(([name, property]): [string, unknown] => [
    name,
    name in special ? special[name] : exampleOf(property, name),
  ])
  return signExample(title, Object.fromEntries(entries.filter(([, value]) => value !== undefined)))
}
