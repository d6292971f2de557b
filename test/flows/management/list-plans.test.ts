import { expect } from 'chai'
import { apiDocument } from '../../support/api-document.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { adminApiKey } from '../../support/config.ts'
import { openPlans } from '../../support/read-plans.ts'
import type { Plans } from '../../support/read-plans.ts'
import { makeListedCasino, seededLists } from '../../support/seeded-lists.ts'
import type { ListedCasino } from '../../support/seeded-lists.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { casesOf, someOf } from '../../support/runs.ts'

describe('the statements of the lists of the management API', () => {
  const startMs = Date.parse('2020-01-01T00:00:00Z')
  /** A row every ten seconds for more than a day, of each of two casinos. */
  const times = Array.from({ length: 10_000 }, (_, index) => new Date(startMs + index * 10_000))
  /** A page, what goes with each row, and the rows at the edges of a range, of which the feed has a thousand. */
  const readMax = 1_200
  /** A feed of some types looks through ten thousand events at most. */
  const feedReadMax = 10_200
  let service: TestService
  let casino: ListedCasino
  let small: ListedCasino
  let plans: Plans

  const atEnd = atEndOfSuite()
  before(async function () {
    this.timeout(240_000)
    service = await startService()
    atEnd(() => service.stop())
    const other = await makeListedCasino(service.database, (await service.factory.casino()).id)
    casino = await makeListedCasino(service.database, (await service.factory.casino()).id)
    small = await makeListedCasino(service.database, (await service.factory.casino()).id)
    for (const list of Object.values(seededLists)) {
      for (let first = 0; first < times.length; first += 5_000) {
        for (const of of [other, casino]) {
          await list.seed(service.database, of, times.slice(first, first + 5_000))
        }
      }
      await list.seed(service.database, small, times.slice(0, 3))
    }
    // The one casino has all orders held, the other none.
    await service.database.$executeRaw`
      INSERT INTO order_hold (id, casino_id, order_id, reason, placed_by, placed_at)
      SELECT 'hold-' || id, casino_id, id, 'other', 'test', created_at FROM prize_order WHERE casino_id = ${casino.casinoId}::text`
    plans = await openPlans(service)
    atEnd(() => plans.close())
  })

  async function expectFewRowsRead(path: string, query: Record<string, string>, rowsMax: number) {
    await plans.expectFewRowsRead(`${path}?${new URLSearchParams(query).toString()}`, rowsMax)
  }

  const middle = new Date(startMs + 50_000_000).toISOString()
  const later = new Date(startMs + 51_000_000).toISOString()
  /** For every parameter that narrows a list down: a value that all rows have, and one that none has. */
  const valuesOf: Record<string, Readonly<Record<string, readonly string[]>>> = {
    listCasinos: { starts_with: ['CHOSEN', 'nobody'] },
    listOrders: {
      state: ['pending_confirmation', 'shipped'],
      player_id: ['ann', 'nobody'],
      held: ['true', 'false'],
    },
    listCashbacks: { state: ['requested', 'credited'], player_id: ['ann', 'nobody'] },
    listBoxes: { item_id: ['mug', 'nothing'] },
    listPlayerPrizes: { state: ['won', 'voided'] },
    listPlayerGrants: { box_id: ['box', 'another'], grant_id: ['nothing'] },
    listGrants: { box_id: ['box', 'another'], grant_id: ['nothing'] },
    listAudit: { request_id: ['req', 'nothing'] },
    listServiceAudit: { request_id: ['req', 'nothing'] },
    listActs: { state: ['previewed', 'done'] },
    listEvents: { types: ['prize.won', 'cashback.*'] },
    listWebhookDeliveries: { state: ['delivered', 'failed', 'pending'] },
  }
  const always = new Set(['limit', 'cursor', 'after', 'order', 'created_from', 'created_until'])
  /** There are few of these for each casino, whatever happens. */
  const short = new Set(['listApiKeys', 'listWebhookEndpoints'])

  /** Every combination of the parameters that are documented. */
  function combinationsOf(name: string): Record<string, string>[] {
    const operations = Object.values(apiDocument.paths).flatMap((path) => Object.values(path))
    const operation = operations.find(({ operationId }) => operationId === name)
    const parameters = (operation?.parameters ?? []).filter(
      (parameter) => parameter.in === 'query' && !always.has(parameter.name),
    )
    let combinations: Record<string, string>[] = [{}]
    for (const parameter of parameters) {
      const values = valuesOf[name]?.[parameter.name]
      if (values === undefined) throw new Error(`${name} has a ${parameter.name} that is not looked at here`)
      combinations = combinations.flatMap((rest) => [
        rest,
        ...values.map((value) => ({ ...rest, [parameter.name]: value })),
      ])
    }
    return combinations
  }

  const ranges = [
    {},
    { created_from: middle },
    { created_until: middle },
    { created_from: middle, created_until: later },
  ]

  for (const [name, list] of Object.entries(seededLists)) {
    it(`of ${name} read little more than a page, or a bounded part, with any parameters`, async function () {
      this.timeout(240_000)
      for (const [n, combination] of combinationsOf(name).entries()) {
        // A feed says how far it has looked for the types.
        const rowsMax = 'types' in combination ? feedReadMax : readMax
        const isNarrow = Object.keys(combination).length > 1
        const usual = isNarrow ? ranges.slice(-1) : someOf(ranges, n, 2)
        for (const range of short.has(name) ? ranges.slice(0, 1) : usual) {
          for (const order of ['asc', 'desc']) {
            for (const of of casesOf([casino], [small])) {
              await expectFewRowsRead(list.path(of), { ...combination, order, ...range }, rowsMax)
            }
          }
        }
      }
    })
  }

  it('find all matching rows, page by page, although pages may be empty', async () => {
    const path = seededLists['listPlayerPrizes']?.path(casino) ?? ''
    const [first, last] = await service.database.prize
      .findMany({ where: { casinoId: casino.casinoId, playerId: casino.playerId }, orderBy: { id: 'asc' } })
      .then((prizes) => [prizes[0], prizes.at(-1)])
    const wanted = [first?.id ?? '', last?.id ?? '']
    await service.database.prize.updateMany({
      where: { casinoId: casino.casinoId, id: { in: wanted } },
      data: { state: 'voided' },
    })
    for (const order of ['asc', 'desc']) {
      const found: unknown[] = []
      let pages = 0
      let cursor: string | undefined
      do {
        const query = new URLSearchParams({ state: 'voided', order, ...(cursor && { cursor }) })
        const reply = await service.client.send('GET', `${path}?${query.toString()}`, {
          headers: { Authorization: `Bearer ${adminApiKey}` },
        })
        expect(reply.status, reply.text).to.equal(200)
        const page = reply.json as { data: { prize_id: string }[]; next_cursor?: string }
        found.push(...page.data.map(({ prize_id }) => prize_id))
        cursor = page.next_cursor
        pages += 1
      } while (cursor !== undefined)
      expect(found).to.deep.equal(order === 'asc' ? wanted : [...wanted].reverse())
      expect(pages).to.be.within(10, 12)
    }
  })
})
