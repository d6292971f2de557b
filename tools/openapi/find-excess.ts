import type { JsonSchema } from '../../core/shape/json-schema.ts'

/** A schema, and where its references lead. */
export interface Placed {
  schema: JsonSchema
  schemas: Readonly<Record<string, JsonSchema>>
}

/**
 * The reasons why a value of `sub` may be invalid for `sup`; empty if each is valid. Requests break when the new schema
 * is not a `sup` of the old one, answers when it is not a `sub`. Parts that cannot be compared (patterns, formats) have
 * to be the same. Fields that answers have in addition are not an excess, unless `sup` says that there are no others.
 */
export function findExcess(
  sub: Placed,
  sup: Placed,
  where: string,
  direction: 'request' | 'answer',
): string[] {
  const [a, b] = [resolve(sub), resolve(sup)]
  const [subs, sups] = [alternativesOf(a), alternativesOf(b)]
  if (subs.length === 1 && sups.length === 1) return compare(a, b, where, direction)
  return subs.flatMap((one) => {
    const found = sups.map((other) => findExcess(one, other, where, direction))
    return found.some((reasons) => reasons.length === 0) ? [] : [`${where}: an alternative fits none`]
  })
}

function resolve({ schema, schemas }: Placed): Placed {
  if (schema.$ref === undefined) return { schema, schemas }
  const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
  const found = schemas[name]
  if (found === undefined) throw new Error(`no schema ${name}`)
  return { schema: found, schemas }
}

function alternativesOf({ schema, schemas }: Placed): Placed[] {
  const alternatives = schema.anyOf ?? schema.oneOf ?? splitNullable(schema)
  return alternatives.map((one) => ({ schema: one, schemas }))
}

/** An object that may be null is two alternatives, however it is written. */
function splitNullable(schema: JsonSchema): readonly JsonSchema[] {
  if (schema.properties === undefined || typeof schema.type === 'string') return [schema]
  const types = [schema.type ?? []].flat()
  return types.map((type): JsonSchema => (type === 'object' ? { ...schema, type } : { type }))
}

function compare(sub: Placed, sup: Placed, where: string, direction: 'request' | 'answer'): string[] {
  const [a, b] = [sub.schema, sup.schema]
  return [
    ...compareTypes(a, b),
    ...compareValues(a, b),
    ...compareBounds(a, b),
    ...(['pattern', 'format'] as const).flatMap((name) =>
      b[name] === undefined || a[name] === b[name] ? [] : [`its ${name} is another`],
    ),
    ...(b.required ?? [])
      .filter((name) => !(a.required ?? []).includes(name))
      .map((name) => `${name} is required on one side only`),
  ]
    .map((reason) => `${where}: ${reason}`)
    .concat(compareProperties(sub, sup, where, direction), compareItems(sub, sup, where, direction))
}

function compareTypes(a: JsonSchema, b: JsonSchema): string[] {
  if (b.type === undefined) return []
  const taken = [b.type].flat()
  const isTaken = (type: string) =>
    taken.some((other) => other === type || (other === 'number' && type === 'integer'))
  return [a.type ?? 'anything']
    .flat()
    .flatMap((type) => (isTaken(type) ? [] : [`${type} is on one side only`]))
}

function compareValues(a: JsonSchema, b: JsonSchema): string[] {
  const values = (schema: JsonSchema) =>
    schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
  const [given, taken] = [values(a), values(b)]
  if (taken === undefined) return []
  if (given === undefined) return ['its values are listed on one side only']
  return given
    .filter((value) => !taken.includes(value))
    .map((value) => `the value ${JSON.stringify(value)} is on one side only`)
}

function compareBounds(a: JsonSchema, b: JsonSchema): string[] {
  const lower = (['minimum', 'minLength', 'minItems'] as const).filter(
    (name) => b[name] !== undefined && (a[name] ?? -Infinity) < b[name],
  )
  const upper = (['maximum', 'maxLength', 'maxItems'] as const).filter(
    (name) => b[name] !== undefined && (a[name] ?? Infinity) > b[name],
  )
  const unique = b.uniqueItems === true && a.uniqueItems !== true ? ['uniqueItems'] : []
  return [...lower, ...upper, ...unique].map((name) => `${name} is narrower on one side`)
}

function compareProperties(
  sub: Placed,
  sup: Placed,
  where: string,
  direction: 'request' | 'answer',
): string[] {
  const [a, b] = [sub.schema.properties ?? {}, sup.schema.properties ?? {}]
  const problems: string[] = []
  for (const [name, schema] of Object.entries(a)) {
    const other = b[name]
    if (other !== undefined) {
      const [one, two] = [
        { ...sub, schema },
        { ...sup, schema: other },
      ]
      problems.push(...findExcess(one, two, `${where}.${name}`, direction))
    } else if (direction === 'request') problems.push(`${where}: ${name} is gone`)
    else if (sup.schema.additionalProperties === false) problems.push(`${where}: ${name} was never there`)
  }
  if (direction === 'answer') {
    const gone = Object.keys(b).filter((name) => !(name in a))
    problems.push(...gone.map((name) => `${where}: ${name} is gone`))
  }
  return problems
}

function compareItems(sub: Placed, sup: Placed, where: string, direction: 'request' | 'answer'): string[] {
  const [a, b] = [sub.schema.items, sup.schema.items]
  if (a === undefined || b === undefined) return []
  return findExcess({ ...sub, schema: a }, { ...sup, schema: b }, `${where}[]`, direction)
}
