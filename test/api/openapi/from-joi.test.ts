import { expect } from 'chai'
import fc from 'fast-check'
import Joi from 'joi'
import { exampleOf } from '../../../api/openapi/example.ts'
import { fromJoi } from '../../../api/openapi/from-joi.ts'
import { nameObjects, pascalCase } from '../../../api/openapi/name-objects.ts'
import { listOperations } from '../../../api/openapi/operations.ts'
import { timestamp } from '../../../api/inputs.ts'
import { boundedList } from '../../../core/platform/bounded-list.ts'
import { callerId, InputError, parseInput, text } from '../../../api/parse-input.ts'
import { createValidator } from '../../support/api-document.ts'
import { runs } from '../../support/runs.ts'

interface Subject {
  name: string
  joi: Joi.ObjectSchema
  example: unknown
  validate: (value: unknown) => boolean
}

const validator = createValidator()

const subjects: Subject[] = listOperations().flatMap(({ method, path, description }) => {
  const { body, query, operationId } = description
  const own = `${pascalCase(operationId)}Request`
  const bodies = body === undefined ? [] : 'validate' in body ? [{ title: own, schema: body }] : body
  const queries = query === undefined ? [] : [{ title: '', schema: query }]
  return [...bodies, ...queries].map(({ title, schema: joi }, index) => {
    const schema = fromJoi(joi)
    const composed = () => exampleOf(nameObjects(title, schema))
    const example = index === 0 ? (description.example ?? composed()) : composed()
    return {
      name: `${method} ${path} ${index}`,
      joi,
      example,
      validate: (value: unknown) => validator.validate(schema, value),
    }
  })
})

function isAccepted(joi: Joi.ObjectSchema, value: unknown): boolean {
  try {
    parseInput(joi, { kind: 'object', value: value as Record<string, unknown> })
    return true
  } catch (error) {
    if (error instanceof InputError) return false
    throw error
  }
}

/** Fields with a function whose rules no schema can express. The schema accepts every value that the function does. */
const opaque = new Set([
  'cursor',
  'after',
  'types',
  'after_hours',
  'allowed_addresses',
  'url',
  'image_url',
  'email',
])
/** In a query all values are texts; Joi converts these to numbers, and so accepts texts. */
const converted = new Set(
  listOperations().flatMap(({ description: { query } }) =>
    Object.entries(query === undefined ? {} : (fromJoi(query).properties ?? {}))
      .filter(([, { type }]) => [type].flat().includes('integer'))
      .map(([name]) => name),
  ),
)

const odd: readonly unknown[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  1.5,
  7,
  200,
  201,
  100_000,
  100_001,
  2 ** 31,
  2 ** 53,
  -(2 ** 53),
  1e300,
  '',
  ' ',
  'a',
  'a'.repeat(128),
  'a'.repeat(129),
  'a'.repeat(5_000),
  'ä🎲',
  'a\u0000b',
  '\ud800',
  'a\nb',
  '42',
  'day',
  'granted',
  'physical',
  'play',
  'http',
  'credited',
  'UTC',
  'Europe/Malta',
  'posix/UTC',
  'CET',
  'EUR',
  'eur',
  '2030-01-31',
  '2030-01-31T12:00:00Z',
  '2030-01-31T12:00+02:00',
  '2030-02-30',
  '2030-13-01',
  '1969-12-31',
  '12:00',
  'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=',
  'whsec_',
  'whsec_MDEy',
  'MDEyMzQ1Njc4OTAx',
  [],
  ['a'],
  ['a', 'a'],
  ['play', 'manage'],
  ['play', 'play'],
  [1],
  [null],
  ['prize.*'],
  ['Prize'],
  {},
  { amount_minor: 1, currency: 'EUR' },
  { amount_minor: 0, currency: 'EUR' },
  { count: 1, period: 'day' },
  { per_second: 1, burst: 1 },
  { per_second: 0, burst: 1 },
  { player_id: 1, box_id: 'b', count: 1 },
]

/** Lone halves of surrogate pairs, and names that only look like time zones: patterns that every language reads let them pass. */
function isBeyondPatterns(value: unknown): boolean {
  return /\\ud[89a-f]|"posix\//.test(JSON.stringify(value))
}

type Path = readonly (string | number)[]

function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  const inside = Array.isArray(value)
    ? value.flatMap((one, index) => pathsIn(one, [...path, index]))
    : Object.entries(value).flatMap(([name, child]) => pathsIn(child, [...path, name]))
  return path.length === 0 ? inside : [path, ...inside]
}

/** The value with another one in one place, or with none. */
function changed(
  value: unknown,
  [step, ...rest]: Path,
  replacement: { value: unknown } | 'removed',
): unknown {
  if (step === undefined) return replacement === 'removed' ? undefined : replacement.value
  if (Array.isArray(value)) {
    const list = value.map((one, index) =>
      index === step ? changed(one, rest, replacement) : (one as unknown),
    )
    return list.filter((one) => one !== undefined)
  }
  if (typeof value !== 'object' || value === null) return value
  const object = { ...value, [step]: changed((value as Record<string, unknown>)[step], rest, replacement) }
  return Object.fromEntries(Object.entries(object).filter(([, child]) => child !== undefined))
}

const change = fc.record({
  place: fc.nat(),
  replacement: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...odd).map((value) => ({ value })) },
    { weight: 1, arbitrary: fc.constant('removed' as const) },
    { weight: 1, arbitrary: fc.jsonValue().map((value) => ({ value })) },
  ),
})

describe('the JSON Schema of a Joi schema', () => {
  it('exists for every body and query of the API, and accepts its example as Joi does', () => {
    expect(subjects.length).to.be.greaterThan(50)
    for (const { name, joi, example, validate } of subjects) {
      expect(validate(example), name).to.equal(true)
      const told = changed(changed(example, ['cursor'], 'removed'), ['after'], 'removed')
      expect(isAccepted(joi, told), name).to.equal(true)
    }
  })

  it('accepts exactly the values that Joi accepts', () => {
    let accepted = 0
    let refused = 0
    const property = fc.property(
      fc.nat(subjects.length - 1),
      fc.array(change, { minLength: 1, maxLength: 2 }),
      (index, changes) => {
        const subject = subjects[index]
        if (subject === undefined) throw new Error('no such subject')
        const { name, joi, example, validate } = subject
        let value = changed(changed(example, ['cursor'], 'removed'), ['after'], 'removed')
        for (const { place, replacement } of changes) {
          const places = pathsIn(value)
          const path = places[place % places.length]
          if (
            path === undefined ||
            (name.startsWith('get ') && path.some((step) => converted.has(String(step))))
          )
            continue
          if (path.some((step) => opaque.has(String(step))) && replacement !== 'removed') continue
          value = changed(value, path, replacement)
        }
        const [byJoi, bySchema] = [isAccepted(joi, value), validate(value)]
        if (byJoi) accepted += 1
        else refused += 1
        if (!byJoi && isBeyondPatterns(value)) return
        expect(bySchema, `${name}: ${JSON.stringify(value)}`).to.equal(byJoi)
      },
    )
    fc.assert(property, { numRuns: runs(1_000) })
    // Both happen, or this proves nothing.
    expect(Math.min(accepted, refused)).to.be.greaterThan(100)
  }).timeout(60_000)

  it('accepts every value that Joi accepts, also where a function decides', () => {
    for (const { joi, example, validate, name } of subjects) {
      for (const path of pathsIn(example).filter((steps) => steps.some((step) => opaque.has(String(step))))) {
        for (const value of odd.filter((one) => typeof one !== 'string' || one.trim() !== '')) {
          const tried = changed(example, path, { value })
          if (isAccepted(joi, tried))
            expect(validate(tried), `${name} ${JSON.stringify(tried)}`).to.equal(true)
        }
      }
    }
  }).timeout(60_000)

  it('differs from Joi in these cases only', () => {
    const takes = (joi: Joi.Schema, value: unknown) => [
      isAccepted(Joi.object({ value: joi }), { value }),
      validator.validate(fromJoi(Joi.object({ value: joi })), { value }),
    ]
    // Joi trims texts, and measures them in UTF-16 units; JSON Schema does neither.
    expect(takes(text(3), '  abc  ')).to.deep.equal([true, false])
    expect(takes(text(3), '🎲🎲')).to.deep.equal([false, true])
    // Blank text counts as absent, even where a text must be an address.
    expect(takes(text(30).email({ tlds: false }), '')).to.deep.equal([true, false])
    // Characters that patterns of other languages cannot name, and blanks on which languages differ.
    expect(takes(callerId, '\ud800')).to.deep.equal([false, true])
    expect(takes(callerId, '\u00a0')).to.deep.equal([false, true])
    expect(takes(text(3).required(), '\u00a0')).to.deep.equal([false, true])
    // A day that a common year does not have, a minute after 24:00, and a time that its offset moves out of range.
    expect(takes(timestamp, '2029-02-29')).to.deep.equal([false, true])
    expect(takes(timestamp, '2029-02-28T24:00:00Z')).to.deep.equal([true, true])
    expect(takes(timestamp, '2029-02-28T24:30:00Z')).to.deep.equal([false, true])
    expect(takes(timestamp, '1970-01-01T00:00:00+01:00')).to.deep.equal([false, true])
  })

  it('refuses Joi rules that JSON Schema cannot express', () => {
    const inexpressible: Joi.Schema[] = [
      Joi.string().custom((value: string) => value),
      Joi.string().pattern(/a/i),
      Joi.string().pattern(/^(?!a)/),
      Joi.string().pattern(/^\p{L}$/u),
      Joi.string().pattern(/^\S$/),
      Joi.string().pattern(/^[^\0]{1,9}$/),
      Joi.string().lowercase(),
      Joi.number().multiple(3),
      Joi.array().length(2).items(Joi.string()),
      Joi.array(),
      Joi.date(),
      Joi.string().when(Joi.string().max(3), { then: Joi.string().min(1) }),
    ]
    for (const joi of inexpressible) {
      expect(() => fromJoi(joi), JSON.stringify(joi.describe())).to.throw()
    }
    expect(fromJoi(boundedList(callerId, { max: 5 }))).to.deep.include({
      type: 'array',
      minItems: 1,
      maxItems: 5,
    })
  })
})
