import { atEndOfSuite } from '../../support/at-end.ts'
import { openPlans } from '../../support/read-plans.ts'
import type { Plans } from '../../support/read-plans.ts'
import { isLongForm } from '../../support/runs.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'

/** Of each casino: far more than is counted, or looked at for how long the oldest has waited. */
const rows = isLongForm ? 20_000 : 6_000
const states = {
  prize_order: ['pending_confirmation', 'confirmed', 'exception', 'delivered'],
  cashback: ['credited', 'manual_review', 'unknown'],
}

describe('the statements of the overview', () => {
  let service: TestService
  let plans: Plans
  let casinoIds: string[]

  const atEnd = atEndOfSuite()
  before(async function () {
    this.timeout(240_000)
    service = await startService()
    atEnd(() => service.stop())
    const casinos = [await service.factory.casino(), await service.factory.casino()]
    casinoIds = casinos.map(({ id }) => id)
    for (const casinoId of casinoIds) await fill(casinoId)
    plans = await openPlans(service)
    atEnd(() => plans.close())
  })

  async function fill(casinoId: string): Promise<void> {
    const { database } = service
    const orderStates = states.prize_order.join()
    const cashbackStates = states.cashback.join()
    await database.$executeRaw`
      INSERT INTO prize_order (id, casino_id, prize_id, player_id, state, delivery_ciphertext, tracking_number,
                               provider_reference, exception_reason, ended_at, created_at, updated_at)
      SELECT 'ord_' || md5(${casinoId}::text || n), ${casinoId}::text, 'prize-' || n, 'ann', state, '', 'track-' || n,
             'reference-' || n, CASE state WHEN 'exception' THEN 'lost' END,
             CASE state WHEN 'delivered' THEN now() END, now(), now()
        FROM generate_series(1, ${rows}::int) AS n
       CROSS JOIN LATERAL (SELECT (string_to_array(${orderStates}::text, ','))[1 + n % 4] AS state) AS made`
    await database.$executeRaw`
      INSERT INTO cashback (id, casino_id, prize_id, player_id, amount_minor, currency, state, wallet_reference,
                            created_at, updated_at)
      SELECT 'cbk_' || md5(${casinoId}::text || n), ${casinoId}::text, 'other-' || n, 'ann', 500, 'EUR',
             (string_to_array(${cashbackStates}::text, ','))[1 + n % 3], 'booking-' || n, now(), now()
        FROM generate_series(1, ${rows}::int) AS n`
    await database.$executeRaw`
      INSERT INTO event (casino_id, object_type, object_id, sequence, type, from_state, to_state, actor, created_at)
      SELECT casino_id, 'prize_order', id, 1, 'prize_order.placed', NULL, state, 'test', now()
        FROM prize_order WHERE casino_id = ${casinoId}::text
      UNION ALL
      SELECT casino_id, 'cashback', id, 1, 'cashback.requested', NULL, state, 'test', now()
        FROM cashback WHERE casino_id = ${casinoId}::text`
    await database.$executeRaw`
      INSERT INTO order_hold (id, casino_id, order_id, reason, placed_by, placed_at)
      SELECT 'hold-' || id, casino_id, id, 'other', 'test', now() FROM prize_order WHERE casino_id = ${casinoId}::text`
  }

  it('of the work list read no more rows than are counted of each casino, state and kind', async () => {
    // For each of two casinos: four states of a thousand rows at most, or two thousand holds.
    await plans.expectFewRowsRead('/admin/work', 8_200)
    await plans.expectFewRowsRead(`/admin/work?casino_id=${casinoIds[0] ?? ''}`, 4_100)
  })

  it('of the state read the last hour alone, and of the outbox no more than the counted rows', async () => {
    const { database } = service
    await database.$executeRaw`
      INSERT INTO process_minute (minute, process_id, kind, host, version, started_at, seen_at, stopped, counts)
      SELECT date_trunc('minute', now()) - n * interval '1 minute', 'prc_' || md5(p::text), 'api', 'host', '1.0.0', now(), now(),
             false, '{"box_open.ok": 1}'
        FROM generate_series(0, 1439) AS n CROSS JOIN generate_series(1, 20) AS p`
    await database.$executeRaw`
      INSERT INTO outbox (job_name, object_id, due_at, snoozed_until)
      SELECT 'deliver-webhook', n::text, now() + interval '1 day', now() + interval '1 day'
        FROM generate_series(1, ${rows}::int) AS n`
    await database.$executeRaw`ANALYZE process_minute, outbox`
    await plans.expectFewRowsRead('/admin/state', rows)
    // The search for a process reads ten minutes of each.
    await plans.expectFewRowsRead('/admin/search?q=prc_none', 220)
  })
})
