import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { examples } from '../../../api/openapi/examples.ts'
import { runVerify } from '../../support/verify.ts'
import { apiDocument, exampleOfAnswer, findProblem } from '../../support/api-document.ts'

interface Found {
  place: string
  name: string
  value: unknown
  /** The object that it is in. */
  beside: Readonly<Record<string, unknown>>
}

/** Every field of every example of a body, and every example of a parameter or a header. */
function findExamples(): Found[] {
  const found: Found[] = []
  const collect = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [name, child] of Object.entries(value)) {
      found.push({ place: `${place}.${name}`, name, value: child, beside: value as Found['beside'] })
      // Digests are named as what they are of.
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

describe('the examples of the OpenAPI document', () => {
  it('are of the parameters and headers what their schemas take', () => {
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

  it('have ids as the service makes them', () => {
    expect(prefixes.size).to.be.greaterThan(10)
    for (const { place, name, value } of found) {
      if (typeof value !== 'string') continue
      const [, prefix] = /^(?:txn_)?([a-z]{3})_[0-9a-f]{32}$/.exec(value) ?? []
      if (prefix !== undefined) expect([...prefixes], place).to.include(prefix)
      const expected = prefixOf[name]
      if (expected !== undefined) expect(value, place).to.match(new RegExp(`^${expected}_[0-9a-f]{32}$`))
    }
  })

  it('say of a field what is true where it stands', () => {
    for (const { place, name, value, beside } of found) {
      if (name === 'nonce') expect(value, place).to.be.at.least(1)
      if (value === 'Mug') expect(beside, place).to.have.any.keys('kind', 'odds', 'item_id')
      if (typeof value === 'string') expect(value, place).not.to.contain('…')
      if (name === 'ended_at' && 'state' in beside) {
        const hasEnded = ['delivered', 'rejected', 'cancelled'].includes(String(beside['state']))
        expect(value !== null, place).to.equal(hasEnded)
      }
      if (name === 'disabled_reason') expect(value !== null, place).to.equal(beside['state'] === 'disabled')
      if (name === 'object_type' || (name === 'type' && 'id' in beside && !('data' in beside))) {
        expect(value, place).to.be.oneOf(['prize', 'prize_order', 'cashback', 'webhook_endpoint', 'setting'])
      }
    }
  })

  it('have seeds that fit their commitments, and evidence that the offline verifier takes', async () => {
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

  it('are looked up under names that there are', () => {
    const { schemas } = apiDocument.components
    for (const [title, fields] of Object.entries(examples)) {
      const { properties = {} } = schemas[title] ?? {}
      expect(Object.keys(properties), title).to.include.members(Object.keys(fields ?? {}))
    }
  })
})
