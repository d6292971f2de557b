import pg from 'pg'
import { expect } from 'chai'
import { readDrawnCounts } from '../../../core/box/read-statistics.ts'
import { Prisma } from '../../../core/platform/database.ts'
import { sql } from '../../../core/platform/sql.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { watchDatabase } from '../../support/watched-database.ts'
import { openPlans } from '../../support/read-plans.ts'
import type { Plans } from '../../support/read-plans.ts'
import { makeListedCasino, seededLists } from '../../support/seeded-lists.ts'
import type { ListedCasino } from '../../support/seeded-lists.ts'
import { describeInLongForm } from '../../support/runs.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'

describeInLongForm('with ten thousand archived rows of each kind, and as many live ones', () => {
  const startMs = Date.parse('2020-01-01T00:00:00Z')
  const times = Array.from({ length: 10_000 }, (_, index) => new Date(startMs + index * 10_000))
  /** A page of each part, and what goes with its rows. */
  const readMax = 1_200
  let service: TestService
  let casino: ListedCasino
  let plans: Plans

  const atEnd = atEndOfSuite()
  before(async function () {
    this.timeout(240_000)
    service = await startService()
    atEnd(() => service.stop())
    const { database } = service
    casino = await makeListedCasino(database, (await service.factory.casino()).id)
    for (const name of ['listOrders', 'listCashbacks', 'listPlayerPrizes']) {
      for (let first = 0; first < times.length; first += 5_000) {
        await seededLists[name]?.seed(database, casino, times.slice(first, first + 5_000))
      }
    }
    const owner = new pg.Client({ connectionString: String(service.env['DATABASE_URL']) })
    await owner.connect()
    await owner.query(`SET session_replication_role = 'replica'`)
    for (const { text, values } of [
      sql`SELECT prepare_prize_archive()`,
      ...['prize', 'prize_order', 'cashback'].map(copied),
      sql`UPDATE archived_cashback SET prize_id = (SELECT id FROM archived_prize ORDER BY id LIMIT 1)
           WHERE id = (SELECT id FROM archived_cashback ORDER BY id LIMIT 1)`,
      openingsIn('opening', 'opn_a'),
      openingsIn('archived_opening', 'opn_b'),
      sql`INSERT INTO server_seed (id, casino_id, state, commitment, sealed_seed, sealed_key, sealed_key_id, created_at, activated_at, retired_at)
          SELECT 'seed-' || n, ${casino.casinoId}::text, 'retired', 'seed-' || n, '', '', 'main', now(), now(), now()
            FROM generate_series(0, 2) AS n`,
    ])
      await owner.query(text, values)
    await owner.end()
    plans = await openPlans(service)
    atEnd(() => plans.close())
  })

  /** Half of the copies are in the partition of this month, half in that of the next. */
  const month = sql`(date_trunc('month', now()) + (row_number() OVER () % 2) * interval '1 month')::date`

  /** Another id, near that of the live row. */
  const copiedId = sql`left(one.id, -1) || translate(right(one.id, 1), '0123456789abcdef', '123456789abcdef0')`

  /** Archived rows beside the live ones of a table. */
  function copied(table: string): Prisma.Sql {
    const archived = Prisma.raw(`archived_${table}`)
    return sql`
      INSERT INTO ${archived}
      SELECT (jsonb_populate_record(NULL::${archived}, row)).*
        FROM (SELECT to_jsonb(one) || jsonb_build_object('id', ${copiedId}, 'archived_month', ${month}) AS row
                FROM ${Prisma.raw(table)} AS one WHERE casino_id = ${casino.casinoId}::text) AS copy`
  }

  function openingsIn(table: string, prefix: string): Prisma.Sql {
    const [column, value] =
      table === 'opening' ? [Prisma.empty, Prisma.empty] : [sql`, archived_month`, sql`, ${month}`]
    return sql`
      INSERT INTO ${Prisma.raw(table)} (id, casino_id, player_id, sequence, box_id, version, position, item_id, substituted,
                  prize_id, request_id, odds_hash, seed_id, nonce, forced, opened_at ${column})
      SELECT ${prefix}::text || n, ${casino.casinoId}::text, ${casino.playerId}::text, ${prefix === 'opn_a' ? 1 : 0}::int + 2 * n,
             'box', 1, 1, ${prefix === 'opn_a' ? 'mug' : 'cup'}::text, false, 'prize', 'req', 'hash', 'seed-' || n % 3, 2 * n, false, now() ${value}
        FROM generate_series(1, 10100) AS n`
  }

  const lists = {
    listOrders: [
      '',
      'state=pending_confirmation',
      'state=shipped',
      'player_id=ann',
      'player_id=ann&state=shipped',
      'held=false',
    ],
    listCashbacks: ['', 'state=requested', 'state=credited', 'player_id=ann', 'player_id=ann&state=credited'],
    listPlayerPrizes: ['', 'state=won', 'state=voided'],
  }
  const ranges = ['', `created_from=${new Date(startMs + 50_000_000).toISOString()}`]
  for (const [name, queries] of Object.entries(lists)) {
    it(`a page of ${name} is read in the order of the indexes of both`, async function () {
      this.timeout(240_000)
      for (const query of queries) {
        for (const range of ranges) {
          for (const order of ['order=asc', 'order=desc']) {
            const path = `${seededLists[name]?.path(casino) ?? ''}?${[query, range, order].filter(Boolean).join('&')}`
            await plans.expectFewRowsRead(path, readMax)
          }
        }
      }
    })
  }

  it('the newest openings of both are the sample of partial statistics', async () => {
    const statements: Prisma.Sql[] = []
    const database = watchDatabase(service.database, { before: (_, query) => statements.push(query) })
    const drawn = await readDrawnCounts(database, { casinoId: casino.casinoId, boxId: 'box' }, 1)
    expect(drawn).to.deep.include({ openings: 20_001, isPartial: true })
    expect(drawn.won.get('mug')).to.be.within(9_900, 10_100)
    expect(drawn.won.get('cup')).to.be.within(9_900, 10_100)
    const [statement] = statements
    if (statement === undefined) throw new Error('no statement was sent')
    expect(await explain(statement)).to.contain('"Merge Append"')
  })

  /** The plan with the settings of the service's role. */
  async function explain({ text, values }: Prisma.Sql): Promise<string> {
    const client = new pg.Client({ connectionString: service.env['DATABASE_URL'] })
    await client.connect()
    try {
      await client.query('SET enable_seqscan = off; SET enable_bitmapscan = off')
      return JSON.stringify((await client.query(`EXPLAIN (FORMAT JSON) ${text}`, values)).rows)
    } finally {
      await client.end()
    }
  }

  it('the archive itself looks rows up one by one, with a plan for any values too', async () => {
    const owner = new pg.Client({ connectionString: service.env['DATABASE_URL'] })
    const messages: string[] = []
    owner.on('notice', ({ message }) => messages.push(message ?? ''))
    await owner.connect()
    try {
      await owner.query(`
        LOAD 'auto_explain';
        SET auto_explain.log_min_duration = 0; SET auto_explain.log_nested_statements = on;
        SET client_min_messages = log; SET plan_cache_mode = force_generic_plan;
        INSERT INTO event (casino_id, object_type, object_id, sequence, type, to_state, actor, created_at)
        SELECT casino_id, 'prize', id, 1, 'prize.won', 'won', 'test', now() FROM prize;
        ANALYZE prize, prize_order, cashback, opening, event;
        SELECT prepare_event_archive(), prepare_prize_archive()`)
      for (const [archive, table] of [
        ['archive_events', 'event'],
        ['archive_prizes', 'prize'],
      ] as const) {
        messages.length = 0
        await owner.query(`SELECT ${archive}($1, now() - interval '60 days', 100)`, [casino.casinoId])
        const steps = messages.flatMap((message) => message.split('\n'))
        const isWhole =
          /object_id = \(hashed SubPlan|Seq Scan on (prize|prize_order|cashback|opening|event)\b/
        expect(
          steps.some((step) => step.includes(` on ${table} `)),
          table,
        ).to.equal(true)
        expect(steps.filter((step) => isWhole.test(step))).to.deep.equal([])
      }
    } finally {
      await owner.end()
    }
  })

  it('single objects are looked up by their keys', async () => {
    const base = `/admin/casinos/${casino.casinoId}`
    const [found] = await service.database.$queryRaw<{ prize: string; order: string; cashback: string }[]>`
      SELECT (SELECT id FROM archived_prize ORDER BY id LIMIT 1) AS prize, (SELECT id FROM archived_prize_order ORDER BY id LIMIT 1) AS "order",
             (SELECT id FROM archived_cashback
               WHERE prize_id = (SELECT id FROM archived_prize ORDER BY id LIMIT 1)) AS cashback`
    if (found === undefined) throw new Error('nothing is archived')
    for (const path of [
      `/prizes/${found.prize}`,
      `/prizes/${found.prize}/timeline`,
      `/orders/${found.order}`,
      `/cashbacks/${found.cashback}`,
    ])
      await plans.expectFewRowsRead(`${base}${path}`, readMax)
    for (const id of [found.prize, found.order, found.cashback, 'opn_b7', 'unknown'])
      await plans.expectFewRowsRead(`/admin/search?q=${id}`, readMax)
  })
})
