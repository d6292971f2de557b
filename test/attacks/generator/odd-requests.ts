import { exampleOf } from '../../../api/openapi/example.ts'
import { sharedWords } from '../../../api/openapi/shared-words.ts'
import type { JsonSchema } from '../../../core/shape/json-schema.ts'
import type { OperationObject } from '../../../api/openapi/openapi-types.ts'
import type { World } from '../../support/casino-world.ts'
import { apiDocument } from '../../support/api-document.ts'
import { brokenBody, oddHeader, oddText, oddValue } from './odd-values.ts'
import type { Random } from './random.ts'

/** A request as it is sent; it need not make sense. */
export interface OddRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: string | Buffer
}

/** The casinos and keys that the requests use. */
export interface Target {
  worlds: readonly World[]
  /** Keys of every kind, each with its likelihood. */
  keys: readonly { text: string | undefined; weight: number }[]
}

interface Documented {
  method: string
  path: string
  operation: OperationObject
}

const documented: readonly Documented[] = Object.entries(apiDocument.paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path,
    operation,
  })),
)
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

/** One request made from the document: a valid one, or one that is odd in one or several places. */
export function generateRequest(random: Random, target: Target): OddRequest {
  const { method, path, operation } = random.pick(documented)
  const world = random.pick(target.worlds)
  const headers: Record<string, string> = {}
  const key = pickWeighted(random, target.keys)
  if (key !== undefined) headers['Authorization'] = random.chance(0.97) ? `Bearer ${key}` : oddHeader(random)
  addHeaders(random, operation, headers)
  const body = operation.requestBody === undefined ? '' : writeBody(random, operation, world, headers)
  return {
    method: random.chance(0.97) ? method : random.pick(methods),
    path: writePath(random, path, world) + writeQuery(random, operation, world),
    headers,
    body,
  }
}

function pickWeighted(random: Random, keys: Target['keys']): string | undefined {
  let rest = random.next() * keys.reduce((sum, { weight }) => sum + weight, 0)
  return (keys.find(({ weight }) => (rest -= weight) < 0) ?? keys[0])?.text
}

function writePath(random: Random, template: string, { ids }: World): string {
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const own = name === 'name' ? random.pick(settingNames) : (ids[name] ?? 'x')
    return random.chance(0.85) ? encodeURIComponent(own) : oddSegment(random)
  })
  return random.chance(0.98)
    ? path
    : random.pick([`${path}/`, `/${path}`, path.toUpperCase(), `${path}%00`, `${path}/../x`])
}

/** Not `limits`, because with new limits all later requests could be refused. */
const settingNames = ['wallet', 'fulfilment', 'reminders', 'expiry', 'privacy', 'approvals']

function oddSegment(random: Random): string {
  const text = oddText(random).slice(0, 300)
  if (random.chance(0.1))
    return random.pick(['%', '%ff', '%c0%af', '%ed%a0%80', '%00', '%2e%2e', '%252e', '.', '..', ';', '~'])
  return encodeURIComponent(Buffer.from(text, 'utf8').toString('utf8')) || '%20'
}

function writeQuery(random: Random, { parameters = [] }: OperationObject, { ids }: World): string {
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .flatMap(({ name, example }) => {
      if (random.chance(0.6)) return []
      const value = random.chance(0.5) ? (ids[name] ?? String(example)) : oddText(random)
      return [`${name}=${encodeURIComponent(Buffer.from(value, 'utf8').toString('utf8'))}`]
    })
  if (random.chance(0.05))
    query.push(
      random.pick(['%', 'limit=1&limit=2', 'limit[]=1', '__proto__[x]=1', '&&&', '=', 'a'.repeat(3_000)]),
    )
  return query.length === 0 ? '' : `?${query.join('&')}`
}

function addHeaders(
  random: Random,
  { parameters = [] }: OperationObject,
  headers: Record<string, string>,
): void {
  for (const { name, example } of parameters.filter((parameter) => parameter.in === 'header')) {
    if (random.chance(0.3)) headers[name] = random.chance(0.5) ? String(example) : oddHeader(random)
  }
  if (random.chance(0.05)) headers[random.pick(oddHeaderNames)] = oddHeader(random)
}

const oddHeaderNames = [
  'X-Request-Id',
  'Accept',
  'Cookie',
  'Range',
  'If-None-Match',
  'If-Modified-Since',
  'X-Forwarded-For',
  'Origin',
  'X-HTTP-Method-Override',
  'Accept-Encoding',
  'Content-Encoding',
  'Idempotency-Key',
  'X-Test-Outcome',
  'Referer',
  'Sec-Fetch-Site',
  'User-Agent',
  'traceparent',
  'Forwarded',
  'webhook-id',
  'webhook-signature',
]

function writeBody(
  random: Random,
  { requestBody }: OperationObject,
  world: World,
  headers: Record<string, string>,
): string | Buffer {
  headers['Content-Type'] = random.chance(0.97) ? 'application/json' : random.pick(contentTypes)
  if (random.chance(0.08)) return brokenBody(random)
  const { schema, example } = requestBody?.content['application/json'] ?? { schema: {}, example: {} }
  const full = random.chance(0.5) ? example : exampleOf(resolveRandomly(random, schema))
  let body = withIds(structuredClone(full), world, random)
  const oddities = random.chance(0.3) ? 0 : 1 + random.below(3)
  for (let count = 0; count < oddities; count++) body = makeOdd(random, body)
  const text = JSON.stringify(body)
  return random.chance(0.01) ? text.slice(0, random.below(text.length)) : text
}

const contentTypes = [
  '',
  'text/plain',
  'application/json; charset=utf-16',
  'application/json;;',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'application/json; charset="utf-8"',
  'APPLICATION/JSON',
  'application/merge-patch+json',
]

/** The schema without references, and with one of its alternatives. */
function resolveRandomly(random: Random, schema: JsonSchema): JsonSchema {
  if (schema.$ref !== undefined) {
    const named = apiDocument.components.schemas[schema.$ref.slice('#/components/schemas/'.length)]
    return named === undefined ? {} : resolveRandomly(random, named)
  }
  const chosen = schema.anyOf ?? schema.oneOf
  if (chosen !== undefined && chosen.length > 0) return resolveRandomly(random, random.pick(chosen))
  const { properties, items } = schema
  return {
    ...schema,
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, property]) => [
              name,
              withExample(name, resolveRandomly(random, property)),
            ]),
          ),
        }),
    ...(items === undefined ? {} : { items: withExample('', resolveRandomly(random, items)) }),
  }
}

const textsOfFormats: Readonly<Record<string, string>> = {
  email: 'ann@example.com',
  uri: 'https://127.0.0.1:9/',
  'date-time': '2030-01-31T12:00:00.000Z',
}

/** The document has an example of each whole body, but not of every text inside. */
function withExample(name: string, schema: JsonSchema): JsonSchema {
  const isText = [schema.type].flat()[0] === 'string'
  if (!isText || schema.examples !== undefined || sharedWords[name]?.example !== undefined) return schema
  return { ...schema, examples: [textsOfFormats[schema.format ?? ''] ?? 'a text'] }
}

/** Puts ids of existing objects in place of those in the examples, and URLs at which nothing listens. */
function withIds(value: unknown, { ids, cashbackPrizeId }: World, random: Random): unknown {
  if (Array.isArray(value))
    return value.map((element) => withIds(element, { ids, cashbackPrizeId } as World, random))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]): [string, unknown] => {
      if (name === 'prize_id' && random.chance(0.5)) return [name, cashbackPrizeId]
      if (name === 'grant_id' || name === 'idempotency_key') return [name, `g-${random.below(1_000)}`]
      if (name === 'fallback_item_id') return [name, ids['item_id']]
      if (name === 'url') return [name, 'https://127.0.0.1:9/']
      return [
        name,
        name.endsWith('_id') && ids[name] !== undefined
          ? ids[name]
          : withIds(inner, { ids, cashbackPrizeId } as World, random),
      ]
    }),
  )
}

/** Changes the value in one random place. */
function makeOdd(random: Random, value: unknown): unknown {
  if (Array.isArray(value) && value.length > 0 && random.chance(0.8)) {
    if (random.chance(0.2))
      return Array.from({ length: random.pick([0, 50, 1_000, 1_001]) }, () => value[0] as unknown)
    return value.map((element, index) => (index === 0 ? makeOdd(random, element) : (element as unknown)))
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const entries = Object.entries(value)
    const at = random.below(entries.length + 1)
    if (at === entries.length || random.chance(0.1)) return { ...value, [oddText(random)]: oddValue(random) }
    const drops = random.chance(0.2)
    return Object.fromEntries(
      entries.flatMap(([name, inner], index): [string, unknown][] => {
        if (index !== at) return [[name, inner]]
        return drops ? [] : [[name, makeOdd(random, inner)]]
      }),
    )
  }
  return oddValue(random)
}
