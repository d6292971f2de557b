import { expect } from 'chai'
import fc from 'fast-check'
import Joi from 'joi'
import { compileAcceptor } from '../../api/accept-input.ts'
import { prizeCashbackInput } from '../../api/endpoints/prize-cashback.ts'
import { prizeOrderInput } from '../../api/endpoints/prize-order.ts'
import { boxOpenInput } from '../../api/endpoints/box-open.ts'
import { listOperations } from '../../api/openapi/operations.ts'
import { callerId, text } from '../../api/parse-input.ts'
import { keysOf } from '../../core/shape/request-shape.ts'
import { runs } from '../support/runs.ts'

const order = {
  player_id: 'player-1',
  prize_id: 'prize-1',
  recipient_name: 'Ada Lovelace',
  street: '350 Fifth Avenue',
  city: 'New York',
  state: 'New York',
  postal_code: '10118',
  country: 'United States',
  phone_number: '+1 212 555 0123',
  email: 'ada@example.com',
  additional_notes: 'Ring twice.\nOr knock.',
}

/** Every body and query of the API. */
const schemas = listOperations().flatMap(({ description: { body, query } }) => [
  ...(body === undefined ? [] : 'validate' in body ? [body] : body.map(({ schema }) => schema)),
  ...(query === undefined ? [] : [query]),
])

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 5 }),
  fc.constantFrom('', ' ', ' a', 'a ', '\u00a0', '\ufeffa', 'a\0', '\ud800', 'a\nb', 'ä🎲', '42', 'a'),
  fc.constantFrom(
    'ada@example.com',
    'ada@example',
    'ä@ö.de',
    'a@b@c.de',
    ' ada@example.com',
    'A@EXAMPLE.COM',
  ),
  fc
    .tuple(fc.constantFrom(32, 50, 100, 120, 128, 200, 254, 300, 2_000), fc.constantFrom('a', 'ä', '🎲', ' '))
    .chain(([length, unit]) => fc.constantFrom(...[-1, 0, 1].map((more) => unit.repeat(length + more)))),
)
const values = fc.oneof(
  { weight: 8, arbitrary: texts },
  { weight: 1, arbitrary: fc.oneof(fc.integer(), fc.double(), fc.boolean(), fc.constant(null)) },
  { weight: 1, arbitrary: fc.jsonValue() },
)

/** Values for some of the schema's fields. */
function inputsOf(schema: Joi.ObjectSchema) {
  return fc.record(Object.fromEntries(keysOf(schema).map((name) => [name, values])), { requiredKeys: [] })
}

type Accepts = ReturnType<typeof compileAcceptor>

describe('the first look at an input', () => {
  it('accepts what the three operations usually get', () => {
    const accepts = compileAcceptor(prizeOrderInput)
    expect(accepts(order)).to.equal(true)
    const { player_id, prize_id, recipient_name, street, city, postal_code, country } = order
    expect(accepts({ player_id, prize_id, recipient_name, street, city, postal_code, country })).to.equal(
      true,
    )
    expect(compileAcceptor(prizeCashbackInput)({ player_id: 'player-1', prize_id: 'prize-1' })).to.equal(true)
    expect(compileAcceptor(boxOpenInput)({ player_id: 'player-1', box_id: 'box-1' })).to.equal(true)
  })

  it('accepts only what Joi accepts unchanged, in every body and query of the API', () => {
    const counts = { accepted: 0, left: 0 }
    const look = (schema: Joi.ObjectSchema, accepts: Accepts, input: Record<string, unknown>) => {
      const isAccepted = accepts(input)
      counts[isAccepted ? 'accepted' : 'left'] += 1
      if (!isAccepted) return
      const result = schema.validate(input, { stripUnknown: true })
      expect(result.error?.message, JSON.stringify(input)).to.equal(undefined)
      expect(result.value).to.deep.equal(input)
    }
    // Of an order, one or two fields at a time.
    const changes = fc.tuple(
      inputsOf(prizeOrderInput),
      fc.array(fc.constantFrom(...Object.keys(order)), { maxLength: 2 }),
    )
    const acceptsOrder = compileAcceptor(prizeOrderInput)
    const ofOrder = fc.property(changes, ([others, names]) => {
      const changed = names.map((name) => [name, others[name]] as const)
      look(prizeOrderInput, acceptsOrder, { ...order, ...Object.fromEntries(changed) })
    })
    fc.assert(ofOrder, { numRuns: runs(2_000) })
    for (const schema of new Set(schemas)) {
      const accepts = compileAcceptor(schema)
      const ofSchema = fc.property(inputsOf(schema), (input) => {
        look(schema, accepts, input)
      })
      fc.assert(ofSchema, { numRuns: runs(20) })
    }
    expect(Math.min(counts.accepted, counts.left)).to.be.greaterThan(200)
  })

  it('leaves to Joi every schema that says anything else', () => {
    const others: Record<string, Joi.ObjectSchema> = {
      'a default': Joi.object({ a: text(9).default('b') }),
      'another case': Joi.object({ a: Joi.string().lowercase() }),
      'a custom rule': Joi.object({ a: Joi.string().custom((value: string) => value) }),
      'a limit that is another field': Joi.object({ a: Joi.string().max(Joi.ref('b')), b: Joi.string() }),
      'a limit in bytes': Joi.object({ a: Joi.string().max(9, 'utf8') }),
      'a pattern that must not match': Joi.object({ a: Joi.string().pattern(/b/, { invert: true }) }),
      'chosen values': Joi.object({ a: Joi.string().valid('a', 'b') }),
      'a value that is refused': Joi.object({ a: Joi.string().invalid('a') }),
      'a value that counts as absent': Joi.object({ a: Joi.string().empty('a') }),
      'a condition': Joi.object({
        a: Joi.string().when('b', { is: 'c', then: Joi.forbidden() }),
        b: Joi.string(),
      }),
      'a field that is forbidden': Joi.object({ a: Joi.string().forbidden() }),
      'a field that is removed': Joi.object({ a: Joi.string().strip() }),
      'fields that exclude each other': Joi.object({ a: text(9), b: text(9) }).xor('a', 'b'),
      'a field with another name': Joi.object({ a: text(9), b: text(9) }).rename('a', 'b'),
      'null as well': Joi.object({ a: Joi.string().allow(null) }),
      'a look elsewhere': Joi.object({ a: Joi.string().external((value: string) => value) }),
      'no conversion': Joi.object({ a: text(9).strict() }),
      'an exchange of characters': Joi.object({ a: Joi.string().replace('a', 'b') }),
      'a text that is cut': Joi.object({ a: Joi.string().max(1).truncate() }),
      'a value for what is refused': Joi.object({ a: text(9).failover('b') }),
      'fields without a name': Joi.object({ a: text(9) }).unknown(),
      'a choice by another field': Joi.object({
        a: Joi.alternatives().conditional('b', { is: 'c', then: Joi.number() }),
      }),
      'a number': Joi.object({ a: Joi.number() }),
      'a text after another choice': Joi.object({
        a: Joi.alternatives().try(Joi.string().trim().uppercase(), callerId),
      }),
      'exactly one choice': Joi.object({
        a: Joi.alternatives().try(Joi.string(), Joi.string().max(9)).match('one'),
      }),
    }
    for (const [name, schema] of Object.entries(others))
      expect(compileAcceptor(schema)({ a: 'a' }), name).to.equal(false)
    expect(compileAcceptor(Joi.object({ a: text(9) }))({ a: 'a' })).to.equal(true)
  })
})
