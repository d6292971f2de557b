import { expect } from 'chai'
import fc from 'fast-check'
import { listOperations } from '../../../api/openapi/operations.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { adminApiKey } from '../../support/config.ts'
import { makeListedCasino, seededLists } from '../../support/seeded-lists.ts'
import type { ListedCasino, SeededList } from '../../support/seeded-lists.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { runs } from '../../support/runs.ts'
import { at, complaintsOf, fieldOf, listAt, textAt } from '../../api/admin/operator.ts'

describe('the lists of the management API', () => {
  const startMs = Date.parse('2020-01-01T00:00:00Z')
  /** Many rows have the same time, and all times are within the tolerance for clocks. */
  const lengthMs = 12
  const times = Array.from({ length: 40 }, (_, index) => new Date(startMs + ((index * 7) % lengthMs)))
  let service: TestService
  let casino: ListedCasino

  const atEnd = atEndOfSuite()
  before(async () => {
    // By default, the feed does not show rows as old as those of this test.
    service = await startService({ env: { EVENT_FEED_DAYS: '36500' } })
    atEnd(() => service.stop())
    casino = await makeListedCasino(service.database, (await service.factory.casino()).id)
    for (const list of Object.values(seededLists)) await list.seed(service.database, casino, times)
  })

  const read = (path: string, query: Record<string, string | number>) => {
    const text = new URLSearchParams(
      Object.entries(query).map(([name, value]) => [name, String(value)] as [string, string]),
    )
    return service.client.send('GET', `${path}?${text.toString()}`, {
      headers: { Authorization: `Bearer ${adminApiKey}` },
    })
  }
  /** Reads all rows, `limit` at a time, and calls `betweenPages` between two pages. */
  async function readPages(
    list: SeededList,
    query: Record<string, string | number>,
    betweenPages: () => Promise<unknown> = () => Promise.resolve(),
  ) {
    const isFeed = list.id === 'id' && list.at === 'created_at'
    const rows: { id: unknown; at: unknown }[] = []
    let place: Record<string, string> = {}
    for (let pages = 0; pages < 100; pages++) {
      const reply = await read(list.path(casino), { ...query, ...place })
      const page = listAt(reply)
      if (page.length > Number(query['limit'])) throw new Error(`a page of ${page.length}`)
      const ids = fieldOf(page, list.id)
      const ats = fieldOf(page, list.at)
      rows.push(...ids.map((id, index) => ({ id, at: ats[index] })))
      const isMore = isFeed ? at(reply, 'has_more') === true : at(reply, 'next_cursor') !== undefined
      if (!isMore) return rows
      place = { [isFeed ? 'after' : 'cursor']: textAt(reply, 'next_cursor') }
      await betweenPages()
    }
    throw new Error('a list without end')
  }
  const isoOf = (ms: number) => new Date(startMs + ms).toISOString()
  const whole = { created_from: isoOf(0), created_until: isoOf(lengthMs), limit: 200 }

  it('are all read by the tests below, with their order and times', () => {
    const paged = listOperations().flatMap(({ for: caller, description }) => {
      const { keys = {} } = (description.query?.describe() ?? {}) as { keys?: object }
      // An act's objects are a fixed selection, and versions are counted: acts.test.ts and box-versions.test.ts.
      // One's own sessions are listed like an operator's, for a session only: operators.test.ts.
      const others = ['listActObjects', 'listBoxVersions', 'listOwnSessions']
      const isOther = others.includes(description.operationId)
      const isPaged = caller === 'operators' && 'limit' in keys && !isOther
      return isPaged ? [{ name: description.operationId, parameters: Object.keys(keys) }] : []
    })
    expect(Object.keys(seededLists)).to.have.members(paged.map(({ name }) => name))
    for (const { name, parameters } of paged) {
      expect(parameters, name).to.include.members(['order', 'created_from', 'created_until'])
    }
  })

  for (const [name, list] of Object.entries(seededLists)) {
    it(`${name} gives each row of a range once, in either order, with pages of any size`, async () => {
      const all = await readPages(list, { ...whole, order: 'asc' })
      expect(all.length).to.be.at.least(times.length)
      expect(await readPages(list, whole)).to.deep.equal(list.usualOrder === 'asc' ? all : all.toReversed())
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom('asc', 'desc'),
          fc.integer({ min: 1, max: 15 }),
          fc.integer({ min: 0, max: lengthMs }),
          fc.integer({ min: 0, max: lengthMs }),
          async (order, limit, fromMs, length) => {
            const [from, until] = [isoOf(fromMs), isoOf(fromMs + length)]
            const expected = all.filter((row) => String(row.at) >= from && String(row.at) < until)
            const found = await readPages(list, {
              order,
              limit,
              created_from: from,
              created_until: until,
            })
            expect(found).to.deep.equal(order === 'asc' ? expected : expected.toReversed())
          },
        ),
        { numRuns: runs(3) },
      )
    })

    it(`${name} skips and repeats no row while rows are added`, async () => {
      for (const order of ['asc', 'desc']) {
        const before = (await readPages(list, { ...whole, order })).map(({ id }) => id)
        const found = await readPages(list, { ...whole, order, limit: 13 }, () =>
          list.seed(service.database, casino, [new Date(startMs), new Date(startMs + lengthMs - 1)]),
        )
        const ids = found.map(({ id }) => id)
        expect(new Set(ids).size).to.equal(ids.length)
        expect(ids.filter((id) => before.includes(id))).to.deep.equal(before)
      }
    })

    it(`${name} refuses a cursor of the other order, and invalid ranges`, async () => {
      const path = list.path(casino)
      const cursorName = name === 'listEvents' ? 'after' : 'cursor'
      for (const [order, other] of [
        ['asc', 'desc'],
        ['desc', 'asc'],
      ] as const) {
        const cursor = textAt(await read(path, { ...whole, order, limit: 1 }), 'next_cursor')
        const reply = await read(path, { order: other, [cursorName]: cursor })
        expect([reply.status, complaintsOf(reply)]).to.deep.equal([400, [cursorName]])
        expect(reply.text).to.contain(`is of a list with order=${order}`)
      }
      const reversed = await read(path, { created_from: isoOf(1), created_until: isoOf(0) })
      expect([reversed.status, complaintsOf(reversed)]).to.deep.equal([400, ['created_until']])
      const wrong = await read(path, { order: 'down', created_from: '', created_until: '2020-02-30' })
      expect([wrong.status, complaintsOf(wrong)]).to.deep.equal([
        400,
        ['created_from', 'created_until', 'order'],
      ])
    })
  }

  it('accept times that are finer than those of rows', async () => {
    const countOf = async (from: string, until: string) => {
      const query = { created_from: from, created_until: until, limit: 200 }
      return (await readPages(seededLists['listItems'] as SeededList, query)).length
    }
    const [atZero, atBoth] = [
      await countOf('2020-01-01T00:00:00Z', '2020-01-01T00:00:00.000001Z'),
      await countOf('2020-01-01T00:00:00Z', '2020-01-01T00:00:00.001500Z'),
    ]
    expect(atZero).to.be.greaterThan(0)
    expect(atBoth).to.be.greaterThan(atZero)
    expect(await countOf('2020-01-01T00:00:00.000001Z', '2020-01-01T00:00:00.0015Z')).to.equal(
      atBoth - atZero,
    )
    expect(await countOf('9999-12-31T23:59:59.9999Z', '9999-12-31T23:59:59.9999Z')).to.equal(0)
    expect(await countOf('1970-01-01', '9999-12-31T23:59:59.9999Z')).to.be.at.least(atBoth)
  })

  it('of an event’s deliveries have every row, in either order, also within a range of time', async () => {
    const [first] = listAt(await read(`/admin/casinos/${casino.casinoId}/events`, { limit: 1 }))
    const path = `/admin/casinos/${casino.casinoId}/events/${String(fieldOf([first], 'id')[0])}/deliveries`
    const ids = async (query: Record<string, string>) =>
      fieldOf(listAt(await read(path, query)), 'delivery_id')
    const usual = await ids({})
    expect(usual.length).to.be.at.least(times.length)
    expect(await ids({ order: 'asc' })).to.deep.equal(usual.toReversed())
    const part = await ids({ created_from: isoOf(0), created_until: isoOf(1) })
    expect(part.length).to.be.greaterThan(0).and.lessThan(usual.length)
    expect(complaintsOf(await read(path, { order: 'x', created_from: 'x' }))).to.deep.equal([
      'created_from',
      'order',
    ])
  })
})
