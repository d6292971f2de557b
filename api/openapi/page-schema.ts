import type { JsonSchema } from './json-schema.ts'
import { escape, renderInline, renderTable } from './page-text.ts'

/** A schema in a few words, with links to those that have names. */
export function renderType(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return renderReference(schema.$ref)
  if (schema.const !== undefined) return `<code>${escape(JSON.stringify(schema.const))}</code>`
  if (schema.enum !== undefined) {
    return schema.enum.map((value) => `<code>${escape(JSON.stringify(value))}</code>`).join(' or ')
  }
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives !== undefined) return alternatives.map(renderType).join(' or ')
  const types = [schema.type ?? 'anything']
    .flat()
    .map((type) => (type === 'array' ? `list of ${renderType(schema.items ?? {})}` : type))
  return `${types.join(' or ')}${renderBounds(schema)}`
}

function renderReference(ref: string): string {
  const name = escape(ref.slice(ref.lastIndexOf('/') + 1))
  return `<a href="#schema-${name}">${name}</a>`
}

function renderBounds(schema: JsonSchema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, format } = schema
  const bounds = [
    ...(format === undefined ? [] : [escape(format)]),
    ...range(minLength, maxLength, 'characters'),
    ...range(minItems, maxItems, 'of them'),
    ...range(minimum, maximum, ''),
  ]
  return bounds.length === 0 ? '' : `, ${bounds.join(', ')}`
}

function range(min: number | undefined, max: number | undefined, unit: string): string[] {
  const from = min === undefined || min === Number.MIN_SAFE_INTEGER ? undefined : min
  const to = max === undefined || max === Number.MAX_SAFE_INTEGER ? undefined : max
  if (from === undefined && to === undefined) return []
  const words =
    from === undefined ? `at most ${to}` : to === undefined ? `at least ${from}` : `${from} to ${to}`
  return [`${words} ${unit}`.trim()]
}

/** The fields of an object, or of each of its alternatives; nothing for what has none. */
export function renderFields(schema: JsonSchema): string {
  const alternatives = schema.oneOf ?? schema.anyOf
  if (alternatives !== undefined) return alternatives.map(renderFields).join('\n<p>or</p>\n')
  const { properties, required = [] } = schema
  if (properties === undefined) return `<p>${renderType(schema)}</p>`
  const rows = Object.entries(properties).map(([name, property]) => [
    `<code>${escape(name)}</code>`,
    renderType(property),
    required.includes(name) ? 'yes' : '',
    renderInline(property.description ?? '') + renderDefault(property),
  ])
  return renderTable(['Field', 'Type', 'Always', 'Meaning'], rows)
}

function renderDefault({ default: value }: JsonSchema): string {
  return value === undefined ? '' : ` Default <code>${escape(JSON.stringify(value))}</code>.`
}
