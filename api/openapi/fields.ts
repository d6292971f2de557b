import { sharedWords } from './shared-words.ts'
import type { JsonSchema } from '../../core/shape/json-schema.ts'

export function descriptionOf(name: string): string | undefined {
  return sharedWords[name]?.description
}

/** Gives every property without a description of its own the description of its name. */
export function describeFields<Value>(value: Value): Value {
  const describe = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(describe)
    if (typeof node !== 'object' || node === null) return node
    const entries = Object.entries(node).map(([key, child]: [string, unknown]) => [
      key,
      key === 'properties' ? describeProperties(child as Record<string, JsonSchema>) : describe(child),
    ])
    return Object.fromEntries(entries)
  }
  const describeProperties = (properties: Record<string, JsonSchema>) =>
    Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => {
        const description = schema.description ?? descriptionOf(name)
        const described = describe(schema) as JsonSchema // of the same form
        return [name, description === undefined ? described : { description, ...described }]
      }),
    )
  return describe(value) as Value // of the same form
}
