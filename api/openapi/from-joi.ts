import { isDeepStrictEqual } from 'node:util'
import type Joi from 'joi'
import { ownExample } from '../../core/shape/json-schema.ts'
import type { JsonSchema, JsonType } from '../../core/shape/json-schema.ts'
import { notBlank, portablePattern } from '../../core/shape/portable-pattern.ts'

/** The part of a Joi schema's `describe()` that is used here. */
interface Described {
  type: string
  flags?: { presence?: string; only?: boolean; default?: unknown; empty?: Described; description?: string }
  allow?: unknown[]
  rules?: { name: string; args?: Record<string, unknown> }[]
  examples?: unknown[]
  metas?: { jsonSchema?: JsonSchema; blankIsAbsent?: boolean; deprecated?: true }[]
  keys?: Record<string, Described>
  items?: Described[]
  matches?: { schema: Described }[]
  dependencies?: { rel: string; peers: string[] }[]
  whens?: { ref?: { path: string[] }; is: Described; then?: Described; otherwise?: Described }[]
}

/**
 * The values that a Joi schema takes, as JSON Schema. Joi's own conversion leaves out most parts of this service's
 * schemas: conditions, values that count as absent, functions. A part with a function describes its values in its
 * `meta({ jsonSchema })`. Throws for every part that it cannot express, so that no part is left out unnoticed.
 */
export function fromJoi(schema: Joi.Schema): JsonSchema {
  return convert(schema.describe() as Described)
}

function convert(described: Described): JsonSchema {
  const { flags = {}, metas = [] } = described
  const custom = metas.find((meta) => meta.jsonSchema !== undefined)?.jsonSchema
  const converted = custom === undefined ? withCondition(described) : orEmpty(portable(custom), described)
  return {
    ...(takesNull(described) ? orNull(converted) : converted),
    ...(flags.description === undefined ? {} : { description: flags.description }),
    ...(metas.some((meta) => meta.deprecated) ? { deprecated: true } : {}),
    ...(flags.default === undefined ? {} : { default: flags.default }),
    ...(described.examples === undefined ? {} : { [ownExample]: described.examples[0] }),
  }
}

/** Where it may be absent, every value that counts as absent is allowed. */
function takesNull(described: Described): boolean {
  const { flags = {}, allow = [], metas = [] } = described
  if (allow.includes(null)) return true
  const isEmpty = (flags.empty?.allow ?? []).includes(null) || metas.some((meta) => meta.blankIsAbsent)
  return isEmpty && flags.presence !== 'required'
}

/** Functions describe their values with our own patterns. */
function portable(schema: JsonSchema): JsonSchema {
  return schema.pattern === undefined ? schema : { ...schema, pattern: portablePattern(schema.pattern) }
}

/** The same for empty text, in a function's own description. */
function orEmpty(schema: JsonSchema, { flags = {} }: Described): JsonSchema {
  const isAbsent = (flags.empty?.allow ?? []).includes('') && flags.presence !== 'required'
  return isAbsent && schema.pattern !== undefined ? { ...schema, pattern: `^$|${schema.pattern}` } : schema
}

function orNull(schema: JsonSchema): JsonSchema {
  const { type } = schema
  if (type === undefined) return { anyOf: [schema, { type: 'null' }] }
  return {
    ...schema,
    type: [...[type].flat(), 'null'],
    ...(schema.enum === undefined ? {} : { enum: [...schema.enum, null] }),
  }
}

/**
 * Of conditions on the value itself there is one kind: "look at its contents only if it is short enough; otherwise it
 * is too long". A valid value meets both.
 */
function withCondition(described: Described): JsonSchema {
  const [when, ...others] = described.whens ?? []
  if (when === undefined) return convertType(described)
  if (others.length > 0 || when.ref !== undefined || !isDeepStrictEqual(when.is, when.otherwise)) {
    throw new Error('a condition that JSON Schema cannot express')
  }
  const parts: Partial<Described>[] = [described, when.is, when.then ?? {}]
  return convertType({
    ...described,
    rules: parts.flatMap(({ rules = [] }) => rules),
    items: parts.flatMap(({ items = [] }) => items),
    metas: parts.flatMap(({ metas = [] }) => metas),
  })
}

function convertType(described: Described): JsonSchema {
  if (described.flags?.only === true) return convertValues(described.allow ?? [])
  switch (described.type) {
    case 'string':
      return convertString(described)
    case 'number':
      return convertNumber(described)
    case 'boolean':
      return { type: 'boolean' }
    case 'array':
      return convertArray(described)
    case 'object':
      return convertObject(described)
    case 'alternatives':
      return mergeAlternatives((described.matches ?? []).map((match) => convert(match.schema)))
    default:
      throw new Error(`no JSON Schema for Joi's ${described.type}`)
  }
}

function convertValues(allow: readonly unknown[]): JsonSchema {
  const values = allow.filter((value) => value !== null)
  if (values.some((value) => typeof value !== 'string')) throw new Error('values that are no text')
  return values.length === 1 ? { type: 'string', const: values[0] } : { type: 'string', enum: values }
}

function convertString(described: Described): JsonSchema {
  const { flags = {}, metas = [], rules = [], allow = [] } = described
  const isRequired = flags.presence === 'required'
  const isBlankAbsent = metas.some((meta) => meta.blankIsAbsent)
  const isEmptyAbsent = isBlankAbsent || (flags.empty?.allow ?? []).includes('')
  const takesEmpty = allow.includes('') || (isEmptyAbsent && !isRequired)
  const schema: JsonSchema = { type: 'string', ...(takesEmpty ? {} : { minLength: 1 }) }
  for (const { name, args = {} } of rules) {
    if (name === 'max') schema.maxLength = args['limit'] as number
    else if (name === 'min') schema.minLength = args['limit'] as number
    else if (name === 'pattern') schema.pattern = sourceOf(args['regex'] as string)
    else if (name === 'email') schema.format = 'email'
    else if (name === 'uri') schema.format = 'uri'
    // Its effect on the valid values: blank text is refused where text is required.
    else if (name !== 'trim') throw new Error(`no JSON Schema for the rule ${name}`)
  }
  if (isBlankAbsent && isRequired) schema.pattern = notBlank(schema.pattern ?? '')
  return schema
}

/** Joi describes a pattern as it is written, with its flags; JSON Schema's have none. */
function sourceOf(literal: string): string {
  const [, source = '', flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(literal) ?? []
  if (source === '' || (flags !== '' && flags !== 'u')) throw new Error(`the pattern ${literal}`)
  return portablePattern(source)
}

function convertNumber({ rules = [] }: Described): JsonSchema {
  const schema: JsonSchema = {
    type: 'number',
    minimum: Number.MIN_SAFE_INTEGER, // Joi refuses larger values
    maximum: Number.MAX_SAFE_INTEGER,
  }
  for (const { name, args = {} } of rules) {
    if (name === 'integer') schema.type = 'integer'
    else if (name === 'min') schema.minimum = args['limit'] as number
    else if (name === 'max') schema.maximum = args['limit'] as number
    else throw new Error(`no JSON Schema for the rule ${name}`)
  }
  return schema
}

function convertArray({ rules = [], items = [] }: Described): JsonSchema {
  const [item, ...others] = items
  if (item === undefined || others.length > 0) throw new Error('a list needs one kind of items')
  const schema: JsonSchema = { type: 'array', items: convert(item) }
  for (const { name, args = {} } of rules) {
    if (name === 'min') schema.minItems = args['limit'] as number
    else if (name === 'max') schema.maxItems = args['limit'] as number
    else if (name === 'unique') schema.uniqueItems = true
    else throw new Error(`no JSON Schema for the rule ${name}`)
  }
  return schema
}

/** Keys that depend on another key make an alternative for each value that it can have. Others are ignored. */
function convertObject({ keys = {}, dependencies = [] }: Described): JsonSchema {
  const decisive = Object.values(keys).find(dependsOnKey)?.whens?.[0]?.ref?.path[0]
  if (decisive === undefined) return { ...toObject(keys), ...togetherOnly(dependencies) }
  if (dependencies.length > 0) throw new Error('conditions of two kinds on the keys of one object')
  const values = keys[decisive]?.allow ?? []
  return {
    oneOf: values.map((value) => {
      const entries = Object.entries(keys).flatMap(([name, key]): [string, Described][] => {
        if (name === decisive) return [[name, { ...key, allow: [value] }]]
        return dependsOnKey(key) ? resolve(name, key, value) : [[name, key]]
      })
      return toObject(Object.fromEntries(entries))
    }),
  }
}

/** Keys of which all have to be there when one is. */
function togetherOnly(dependencies: NonNullable<Described['dependencies']>): JsonSchema {
  if (dependencies.length === 0) return {}
  const other = dependencies.find(({ rel }) => rel !== 'and')
  if (other !== undefined) throw new Error(`no JSON Schema for keys with ${other.rel}`)
  const dependentRequired = dependencies.flatMap(({ peers }) =>
    peers.map((name) => [name, peers.filter((peer) => peer !== name)] as const),
  )
  return { dependentRequired: Object.fromEntries(dependentRequired) }
}

function dependsOnKey({ whens = [] }: Described): boolean {
  return whens.some((when) => when.ref !== undefined)
}

/** The key's schema when the decisive key has this value: undefined if the key is left out then. */
function resolve(name: string, { whens = [] }: Described, value: unknown): [string, Described][] {
  const [when] = whens
  const chosen = when?.is.allow?.includes(value) === true ? when.then : when?.otherwise
  return chosen === undefined || chosen.type === 'any' ? [] : [[name, chosen]]
}

function toObject(keys: Readonly<Record<string, Described>>): JsonSchema {
  const required = Object.keys(keys).filter((name) => keys[name]?.flags?.presence === 'required')
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, convert(key)])),
    ...(required.length === 0 ? {} : { required }),
  }
}

/** Alternatives of different types are one schema: each keyword concerns values of one type only. */
function mergeAlternatives(schemas: readonly JsonSchema[]): JsonSchema {
  const types = schemas.flatMap(({ type = [] }): readonly JsonType[] => [type].flat())
  if (new Set(types).size < schemas.length) return { anyOf: schemas }
  return { ...schemas.reduce((merged, schema) => ({ ...merged, ...schema }), {}), type: types }
}
