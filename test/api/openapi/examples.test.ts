import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { examples } from '../../../api/openapi/examples.ts'
import { listOperations } from '../../../api/openapi/operations.ts'
import { parseInput } from '../../../api/parse-input.ts'
import { runVerify } from '../../support/verify.ts'
import { apiDocument, exampleOfAnswer, findProblem } from '../../support/api-document.ts'

interface Found {
  place: string
  name: string
  value: unknown
  /** The object that contains it. */
  beside: Readonly<Record<string, unknown>>
}

/** Every field of every example of a body, and every example of a parameter or a header. */
function findExamples(): Found[] {
  const found: Found[] = []
  const collect = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [name, child] of Object.entries(value)) {
      found.push({ place: `${place}.${name}`, name, value: child, beside: value as Found['beside'] })
      // Digests have the name of the thing that they are of.
      if (name !== 'digests') collect(child, `${place}.${name}`)
    }
  }
  const look = (node: unknown, place: string): void => {
    if (typeof node !== 'object' || node === null) return
    if ('example' in node) {
      const name = 'name' in node && typeof node.name === 'string' ? node.name : ''
      collect({ [name]: node.example }, place)
    }
    for (const [key, child] of Object.entries(node)) {
      if (key !== 'example' && key !== 'examples') look(child, `${place}/${key}`)
    }
  }
  look(apiDocument, '')
  return found
}

const found = findExamples()

/** The prefixes of our ids: those of `newId`, and those that statements make. */
const source = readFileSync(new URL('../../../core/platform/ids.ts', import.meta.url), 'utf8')
const prefixes = new Set([...source.matchAll(/'([a-z]{3})'/g)].map(([, prefix]) => prefix).concat('dlv'))
const prefixOf: Readonly<Record<string, string>> = {
  prize_id: 'prz',
  order_id: 'ord',
  cashback_id: 'cbk',
  opening_id: 'opn',
  delivery_id: 'dlv',
  seed_id: 'sed',
  retired_seed_id: 'sed',
  request_id: 'req',
}

/** Pairs of times: if an object has both, the first is before the second. */
const timesInOrder = [
  ['created_at', 'activated_at'],
  ['activated_at', 'retired_at'],
  ['retired_at', 'revealed_at'],
  ['revealed_at', 'reveal_by'],
  ['created_at', 'ended_at'],
  ['created_at', 'expires_at'],
  ['active_from', 'active_until'],
  ['from', 'until'],
  ['created_from', 'created_until'],
  ['opened_at', 'expires_at'],
  ['created_at', 'others_expire_at'],
  ['paused_at', 'previous_secret_expires_at'],
] as const

describe('the examples of the OpenAPI document', () => {
  it('are valid parameters and headers', () => {
    let parameters = 0
    for (const operation of Object.values(apiDocument.paths).flatMap((methods) => Object.values(methods))) {
      for (const { name, schema, example } of operation.parameters ?? []) {
        expect(findProblem(schema, example), `${operation.operationId} ${name}`).to.equal(undefined)
        parameters += 1
      }
    }
    expect(parameters).to.be.greaterThan(100)
    for (const [name, { schema, example }] of Object.entries(apiDocument.components.headers)) {
      expect(findProblem(schema, example), name).to.equal(undefined)
    }
  })

  it('have ids in the form that the service makes', () => {
    expect(prefixes.size).to.be.greaterThan(10)
    for (const { place, name, value } of found) {
      if (typeof value !== 'string') continue
      const [, prefix] = /^(?:txn_)?([a-z]{3})_[0-9a-f]{32}$/.exec(value) ?? []
      if (prefix !== undefined) expect([...prefixes], place).to.include(prefix)
      const expected = prefixOf[name]
      if (expected !== undefined) expect(value, place).to.match(new RegExp(`^${expected}_[0-9a-f]{32}$`))
    }
  })

  it('are consistent with the field that they illustrate', () => {
    for (const { place, name, value, beside } of found) {
      if (name === 'nonce') expect(value, place).to.be.at.least(1)
      if (value === 'Mug' && beside['id'] !== 'mug')
        expect(beside, place).to.have.any.keys('kind', 'odds', 'item_id')
      if (typeof value === 'string') expect(value, place).not.to.contain('…')
      if (name === 'ended_at' && 'state' in beside) {
        const hasEnded = ['delivered', 'rejected', 'cancelled', 'done', 'stopped', 'declined'].includes(
          String(beside['state']),
        )
        expect(value !== null, place).to.equal(hasEnded)
      }
      if (name === 'sequence' && typeof beside['nonce'] === 'number') {
        // All of a player's openings count, and a nonce only those under one seed.
        expect(value, place).to.be.at.least(beside['nonce'])
      }
      if (name === 'disabled_reason') expect(value !== null, place).to.equal(beside['state'] === 'disabled')
      if (name === 'object_type' || (name === 'type' && 'id' in beside && !('data' in beside))) {
        expect(value, place).to.be.oneOf(['prize', 'prize_order', 'cashback', 'webhook_endpoint', 'setting'])
      }
    }
  })

  it('have times in the order of the events', () => {
    let pairs = 0
    for (const { place, name, value, beside } of found) {
      for (const [earlier, later] of timesInOrder) {
        const before = beside[earlier]
        if (name !== later || typeof value !== 'string' || typeof before !== 'string') continue
        expect(Date.parse(value), `${place} after ${earlier}`).to.be.greaterThan(Date.parse(before))
        pairs += 1
      }
      if (name === 'updated_at' && typeof beside['created_at'] === 'string') {
        expect(Date.parse(String(value)), place).to.be.at.least(Date.parse(beside['created_at']))
      }
    }
    expect(pairs).to.be.greaterThan(20)
    // Openings under a seed happen while it is in use.
    const seeds = exampleOfAnswer('/fairness/seeds', 'get', 200) as {
      data: { activated_at: string; retired_at: string }[]
    }
    const openings = exampleOfAnswer('/fairness/openings', 'get', 200) as { data: { opened_at: string }[] }
    const [seed, opening] = [seeds.data[0], openings.data[0]]
    expect(opening?.opened_at).to.satisfy(
      (at: string) => seed !== undefined && at >= seed.activated_at && at < seed.retired_at,
    )
  })

  it('have cursors that their list accepts, and that continue after the last row', () => {
    let lists = 0
    for (const { method, path, description } of listOperations()) {
      const { operationId, query } = description
      if (method !== 'get' || query === undefined) continue
      const template = path.replace(/:(\w+)/g, '{$1}')
      const { parameters = [] } = apiDocument.paths[template]?.get ?? {}
      const asked = parameters.filter((one) => one.in === 'query')
      const examplesByName = Object.fromEntries(asked.map(({ name, example }) => [name, String(example)]))
      const parse = () => {
        parseInput(query, { kind: 'object', value: examplesByName })
      }
      expect(parse, operationId).not.to.throw()
      const { order } = query.validate({}).value as { order?: string }
      expect(examplesByName['order'], operationId).to.equal(order)
      const answer = exampleOfAnswer(template, 'get', 200) as { data: object[]; next_cursor?: string }
      if (answer.next_cursor === undefined) continue
      expect(examplesByName['cursor'] ?? examplesByName['after'], operationId).to.equal(answer.next_cursor)
      const place = Buffer.from(answer.next_cursor, 'base64url').toString('utf8')
      const [id = ''] = place.split(' ').length > 1 ? place.split(' ').slice(1) : place.split('.').slice(-1)
      expect(Object.values(answer.data.at(-1) ?? {}).map(String), operationId).to.include.oneOf([
        id,
        `evt_${id}`,
      ])
      lists += 1
    }
    expect(lists).to.be.greaterThan(15)
  })

  it('have seeds that match their commitments, and evidence that the offline verifier accepts', async () => {
    let pairs = 0
    for (const { beside } of found.filter(({ name }) => name === 'commitment')) {
      const { seed, commitment } = beside
      expect(
        createHash('sha256')
          .update(Buffer.from(String(seed), 'hex'))
          .digest('hex'),
      ).to.equal(commitment)
      pairs += 1
    }
    expect(pairs).to.be.greaterThan(0)
    const answer = exampleOfAnswer('/fairness/openings', 'get', 200)
    const key = exampleOfAnswer('/fairness/key', 'get', 200) as { data: { signing_key: string } }
    const verdict = await runVerify(JSON.stringify(answer), ['--key', key.data.signing_key])
    expect(verdict.exitCode, verdict.stdout).to.equal(0)
  })

  it('are looked up under existing names', () => {
    const { schemas } = apiDocument.components
    for (const [title, fields] of Object.entries(examples)) {
      const { properties = {} } = schemas[title] ?? {}
      expect(Object.keys(properties), title).to.include.members(Object.keys(fields ?? {}))
    }
  })
})
