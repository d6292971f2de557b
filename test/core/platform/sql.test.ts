import { expect } from 'chai'
import fc from 'fast-check'
import { openDatabase } from '../../../core/platform/database.ts'
import type { OpenDatabase } from '../../../core/platform/database.ts'
import { createLogger } from '../../../core/platform/logger.ts'
import {
  batchInput,
  bigint,
  bigintArray,
  boolean,
  bytea,
  byteaArray,
  float8,
  instant,
  int,
  jsonb,
  sql,
  text,
  textArray,
  timestamptz,
} from '../../../core/platform/sql.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { createTestDatabase } from '../../support/environment.ts'

interface Row {
  word: string | null
  count: number | null
  amount: bigint | null
  ratio: number | null
  isSet: boolean | null
  bytes: Uint8Array | null
  json: string | null
  at: Date | null
}

/** Texts that PostgreSQL can store: without NUL and lone surrogates, which the API refuses. */
const words = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((value) => !value.includes('\0'))
const orNull = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: null })
const rows: fc.Arbitrary<Row> = fc.record({
  word: orNull(fc.oneof(words, fc.constantFrom('', 'NULL', 'null', '{}', '"', '\\', '\\"', ',', ' a ', "'"))),
  count: orNull(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
  amount: orNull(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
  ratio: orNull(fc.double({ noNaN: true })),
  isSet: orNull(fc.boolean()),
  bytes: orNull(fc.uint8Array({ maxLength: 40 })),
  json: orNull(words.map((value) => JSON.stringify({ value }))),
  // The adapter reads only years of four digits.
  at: orNull(
    fc.date({
      min: new Date('0100-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    }),
  ),
})

describe('core/platform/sql', function () {
  this.timeout(60_000)
  let open: OpenDatabase
  const atEnd = atEndOfSuite()
  before(async () => {
    open = openDatabase({ url: await createTestDatabase(), poolMax: 2, log: createLogger('test', 'silent') })
    atEnd(() => open.close())
  })

  it('gives a statement exactly the rows of the call, also with absent values', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(rows, { maxLength: 12 }), async (given) => {
        const read = await open.database.$queryRaw<Row[]>`
          SELECT word, count, amount, ratio, is_set AS "isSet", bytes, json::text AS json, at
            FROM ${batchInput(given, {
              place: int((_, index) => index),
              word: text((row) => row.word),
              count: int((row) => row.count),
              amount: bigint((row) => row.amount),
              ratio: float8((row) => row.ratio),
              is_set: boolean((row) => row.isSet),
              bytes: bytea((row) => row.bytes),
              json: jsonb((row) => row.json),
              at: timestamptz((row) => row.at),
            })}
           ORDER BY place`
        expect(read.map(comparable)).to.deep.equal(given.map(comparable))
      }),
      { numRuns: 200 },
    )
  })

  it('gives a statement exactly the arrays of the call', async () => {
    const arrays = fc.record({
      words: fc.array(orNull(words)),
      amounts: fc.array(orNull(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }))),
      bytes: fc.array(orNull(fc.uint8Array({ maxLength: 8 }))),
    })
    await fc.assert(
      fc.asyncProperty(arrays, async (given) => {
        const [read] = await open.database.$queryRaw<{ words: unknown; amounts: unknown; bytes: unknown }[]>`
          SELECT to_jsonb(${textArray(given.words)}) AS words,
                 to_jsonb(${bigintArray(given.amounts)}::text[]) AS amounts,
                 to_jsonb(ARRAY(SELECT encode(value, 'hex')
                                  FROM unnest(${byteaArray(given.bytes)}) WITH ORDINALITY AS input (value, place)
                                 ORDER BY place)) AS bytes`
        expect(read).to.deep.equal({
          words: given.words,
          amounts: given.amounts.map((amount) => (amount === null ? null : String(amount))),
          bytes: given.bytes.map((value) => (value === null ? null : Buffer.from(value).toString('hex'))),
        })
      }),
      { numRuns: 100 },
    )
  })

  it('gives a statement the same moment in any time zone of the session', async () => {
    const at = new Date('2026-07-01T12:00:00.123Z')
    for (const timeZone of ['UTC', 'America/New_York', 'Asia/Kathmandu']) {
      const results = await open.database.$inTransaction([
        open.database.$queryRaw`SELECT set_config('TimeZone', ${timeZone}::text, true)`,
        open.database.$queryRaw<{ ms: number }[]>`
          SELECT (extract(epoch FROM ${instant(at)}) * 1000)::float8 AS ms`,
        open.database.$queryRaw<{ ms: number }[]>`
          SELECT (extract(epoch FROM at) * 1000)::float8 AS ms
            FROM ${batchInput([at], { at: timestamptz((value) => value) })}`,
      ])
      expect(results.slice(1)).to.deep.equal([[{ ms: at.getTime() }], [{ ms: at.getTime() }]])
    }
  })

  it('refuses values that the type of the column cannot hold', () => {
    expect(() => batchInput([1.5], { count: int((value) => value) })).to.throw('whole number')
    expect(() => batchInput(['1.5'], { amount: bigint((value) => value) })).to.throw(SyntaxError)
    expect(() => instant(new Date(Number.NaN))).to.throw(RangeError)
    expect(() => batchInput(['x'], { 'a"; DROP TABLE prize': text((value) => value) })).to.throw(
      'column name',
    )
  })

  it('refuses plain arrays and times', () => {
    const given = { ids: ['a'], at: new Date() }
    // @ts-expect-error: the driver would guess the type of the array
    sql`SELECT ${given.ids}`
    // @ts-expect-error: the time would lose its zone
    sql`SELECT ${given.at}`
    const query = () => [
      // @ts-expect-error: the same for whole queries
      open.database.$queryRaw`SELECT ${given.ids}`,
      // @ts-expect-error: the same for whole queries
      open.database.$executeRaw`SELECT ${given.at}`,
    ]
    expect(query).to.be.a('function')
  })
})

/** JSON as PostgreSQL formats it; bytes and times by their content. */
function comparable(row: Row): object {
  return {
    ...row,
    ratio: row.ratio === 0 ? 0 : row.ratio,
    bytes: row.bytes === null ? null : Buffer.from(row.bytes).toString('hex'),
    json: row.json === null ? null : (JSON.parse(row.json) as unknown),
    at: row.at?.toISOString() ?? null,
  }
}
