import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expect } from 'chai'
import pg from 'pg'
import { countedMax } from '../../core/platform/capped-count.ts'
import { lagPrecisionMs } from '../../core/platform/process-metrics.ts'
import { atEndOfTest } from '../support/at-end.ts'
import { eventually } from '../support/eventually.ts'
import { startService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'

/** The values of a metric, by the text of its labels. */
function valuesOf(metrics: string, name: string): Map<string, number> {
  const lines = metrics.matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? (\\S+)$`, 'gm'))
  return new Map([...lines].map(([, labels = '', value]) => [labels, Number(value)]))
}

describe('the gauges of rows in the database', () => {
  let service: TestService
  const atEnd = atEndOfTest()
  beforeEach(async () => {
    service = await startService()
    atEnd(() => service.stop())
  })
  const scrape = async () => (await service.client.send('GET', '/metrics')).text

  const addCashback = (casinoId: string, state: string, minutes: number) => service.database.$executeRaw`
    INSERT INTO cashback (id, casino_id, prize_id, player_id, amount_minor, currency, state, reversal_prize, created_at, updated_at)
    SELECT 'cbk_' || lpad(to_hex((extract(epoch FROM made.at) * 1000)::bigint), 12, '0') || ${`${casinoId}${state}`}::text,
           ${casinoId}::text, 'prize-' || ${`${minutes}${state}`}::text, 'ann', 500, 'EUR', ${state}::text, ${state === 'reversing' ? 'return' : null}::text, made.at, now()
      FROM (SELECT now() - ${minutes}::int * interval '1 minute') AS made (at)`

  const addOrder = async (casinoId: string, minutes: number, isHeld: boolean) => {
    const { prizeId } = await service.factory.prize(casinoId, { kind: 'physical' })
    await service.database.$executeRaw`
      WITH placed AS (
        INSERT INTO prize_order (id, casino_id, prize_id, player_id, state, delivery_ciphertext, created_at, updated_at)
        VALUES ('ord_' || ${prizeId}::text, ${casinoId}::text, ${prizeId}::text, 'ann', 'confirmed', ''::bytea,
                now() - interval '3 days', now())
        RETURNING casino_id, id
      ),
      held AS (
        INSERT INTO order_hold (id, casino_id, order_id, reason, placed_by, placed_at)
        SELECT 'hold-' || id, casino_id, id, 'other', 'test', now() FROM placed WHERE ${isHeld}::boolean
      )
      INSERT INTO event (casino_id, object_type, object_id, sequence, type, from_state, to_state, actor, created_at)
      SELECT casino_id, 'prize_order', id, told.sequence, told.type, told.from_state, told.to_state, 'test', told.at
        FROM placed
       CROSS JOIN (VALUES
         (1, 'prize_order.placed', NULL, 'pending_confirmation', now() - interval '3 days'),
         (2, 'prize_order.confirmed', 'pending_confirmation', 'confirmed', now() - ${minutes}::int * interval '1 minute'),
         (3, 'prize_order.submission_attempted', 'confirmed', 'confirmed', now())
       ) AS told (sequence, type, from_state, to_state, at)`
  }

  it('show how long cashbacks have waited to be settled, for any reason, for the ten worst casinos', async () => {
    expect(valuesOf(await scrape(), 'rewards_cashback_unsettled_oldest_age_seconds')).to.deep.equal(
      new Map([['', 0]]),
    )
    const casinos = await Promise.all(Array.from({ length: 12 }, () => service.factory.casino()))
    for (const [index, { id }] of casinos.entries()) {
      await addCashback(id, 'requested', 10 + index)
      await addCashback(id, 'processing', 5)
      await addCashback(id, 'credited', 500)
      await addCashback(id, 'manual_review', 500)
    }
    // Snoozed work is not due, so the outbox's gauges do not count it.
    await service.database.$executeRaw`
      INSERT INTO outbox (job_name, object_id, due_at, snoozed_until)
      SELECT 'credit-cashback', id, now() + interval '1 hour', now() + interval '1 hour' FROM cashback`
    const metrics = await scrape()
    expect(valuesOf(metrics, 'rewards_outbox_depth').get('')).to.equal(0)
    const ages = valuesOf(metrics, 'rewards_cashback_unsettled_oldest_age_seconds')
    expect(ages.get('')).to.be.within(21 * 60, 50 * 60)
    const labels = casinos.slice(2).map(({ id }) => `casino="${id}"`)
    expect([...ages.keys()]).to.have.members(['', ...labels])
    expect(ages.get(`casino="${casinos[11]?.id ?? ''}"`)).to.equal(ages.get(''))
  })

  it('show how long reversals have waited to be settled, counted from their request', async () => {
    const casino = await service.factory.casino()
    await addCashback(casino.id, 'reversing', 50_000)
    await service.database.$executeRaw`
      INSERT INTO event (casino_id, object_type, object_id, sequence, type, from_state, to_state, actor, created_at)
      SELECT casino_id, 'cashback', id, 5, 'cashback.reversing', 'credited', 'reversing', 'test', now() - interval '3 hours'
        FROM cashback WHERE casino_id = ${casino.id}::text`
    const ages = valuesOf(await scrape(), 'rewards_cashback_unsettled_oldest_age_seconds')
    expect(ages.get(`casino="${casino.id}"`)).to.be.within(3 * 3_600, 4 * 3_600)
  })

  it('show how long orders have waited to be submitted, counted from their confirmation, without held orders', async () => {
    const [casino, other] = [await service.factory.casino(), await service.factory.casino()]
    await addOrder(casino.id, 30, false)
    await addOrder(casino.id, 200, true)
    await addOrder(other.id, 0, false)
    const ages = valuesOf(await scrape(), 'rewards_order_unsubmitted_oldest_age_seconds')
    expect([...ages.keys()]).to.have.members(['', `casino="${casino.id}"`])
    expect(ages.get('')).to.be.within(30 * 60, 100 * 60)
  })

  it('stop counting at a limit, however many rows there are', async () => {
    const { id } = await service.factory.casino()
    await service.database.$executeRaw`
      WITH won AS (
        INSERT INTO prize (casino_id, id, player_id, item_id, item_name, kind, state, created_at, updated_at)
        SELECT ${id}::text, 'prize-' || n, 'ann', 'mug', 'Mug', 'physical', 'ordered', now(), now()
          FROM generate_series(1, ${countedMax + 50}::int) AS n
        RETURNING casino_id, id
      )
      INSERT INTO prize_order (id, casino_id, prize_id, player_id, state, exception_reason, delivery_ciphertext,
                               created_at, updated_at)
      SELECT 'ord_' || id, casino_id, id, 'ann', 'exception', 'lost', ''::bytea, now(), now() FROM won`
    await service.database.$executeRaw`
      INSERT INTO outbox (job_name, object_id, due_at, created_at)
      SELECT 'nothing', n::text, now() + interval '1 hour', now() - interval '1 hour'
        FROM generate_series(1, 100050) AS n`
    const metrics = await scrape()
    expect(valuesOf(metrics, 'rewards_orders_open').get('state="exception"')).to.equal(countedMax)
    expect(valuesOf(metrics, 'rewards_outbox_depth').get('')).to.equal(100_000)
    expect(valuesOf(metrics, 'rewards_outbox_oldest_age_seconds').get('')).to.be.at.least(3_600)
  })

  it('show dead rows by table, and the age of a snapshot that keeps them', async () => {
    await service.factory.casino()
    const client = new pg.Client({ connectionString: service.env['DATABASE_URL'] })
    await client.connect()
    try {
      const ageOf = async () =>
        valuesOf(await scrape(), 'rewards_database_oldest_snapshot_age_seconds').get('')
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
      const { rows } = await client.query<{ began: Date }>('SELECT now() AS began')
      const openFor = (Date.now() - (rows[0]?.began.getTime() ?? 0)) / 1_000
      await service.database.$executeRaw`UPDATE casino SET name = 'Renamed'`
      const age = await ageOf()
      expect(age).to.be.within(Math.max(0.001, openFor), openFor + 60)
      await client.query('COMMIT')
      expect(await ageOf()).to.be.lessThan(age ?? 0)
      // Rows written by another connection are counted within ten seconds; those of this one immediately.
      await client.query(`UPDATE casino SET name = 'Renamed again'`)
      await client.query('SELECT pg_stat_force_next_flush()')
      await eventually('the statistics have the dead row', async () => {
        const rowsOf = valuesOf(await scrape(), 'rewards_database_rows')
        return (rowsOf.get('table="casino",state="dead"') ?? 0) > 0
      })
      const tables = valuesOf(await scrape(), 'rewards_database_rows')
      expect(tables.size).to.be.greaterThan(20)
      expect(tables.get('table="outbox",state="dead"')).to.equal(0)
    } finally {
      await client.end()
    }
  })

  it('show for how long one task blocked the event loop', async () => {
    await scrape() // begins to count, with the first sample after it
    const samples = monitorEventLoopDelay({ resolution: lagPrecisionMs })
    samples.enable()
    await eventually('a sample was taken', () => samples.count > 0)
    samples.disable()
    const end = performance.now() + 3 * lagPrecisionMs
    while (performance.now() < end);
    const longest = valuesOf(await scrape(), 'nodejs_eventloop_lag_max_seconds').get('')
    expect(longest).to.be.within((2.5 * lagPrecisionMs) / 1_000, 60)
  })

  it('continue when one query gets no answer, and name it', async () => {
    const before = await scrape()
    await service.database.$executeRaw`ALTER TABLE partner_event RENAME TO partner_event_away`
    const metrics = await scrape()
    expect(valuesOf(metrics, 'rewards_state_question_up').get('question="orders_doubtful"')).to.equal(0)
    const others = [...valuesOf(metrics, 'rewards_state_question_up')].filter(
      ([label]) => !label.includes('doubtful'),
    )
    expect(others.length).to.be.greaterThan(8)
    expect(new Set(others.map(([, value]) => value))).to.deep.equal(new Set([1]))
    const states = (text: string) => [...valuesOf(text, 'rewards_orders_open').keys()]
    const gone = ['parcel_unknown', 'provider_silent', 'contradicted'].map((state) => `state="${state}"`)
    expect(states(before)).to.have.members([...states(metrics), ...gone])
    expect(valuesOf(metrics, 'rewards_database_up').get('')).to.equal(1)
  })
})
