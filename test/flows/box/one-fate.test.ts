import { expect } from 'chai'
import pg from 'pg'
import { atEndOfSuite } from '../../support/at-end.ts'
import { eventually } from '../../support/eventually.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'

const endedOrders = ['rejected', 'cancelled']

/** Straight into the tables, past everything that the service does to prevent it. */
describe('the database', () => {
  let service: TestService
  let casinoId: string
  let session: pg.Client
  let rival: pg.Client

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    casinoId = (await service.factory.casino()).id
    const connect = async () => {
      const client = new pg.Client({ connectionString: service.env['DATABASE_URL'] })
      await client.connect()
      atEnd(() => client.end())
      return client
    }
    ;[session, rival] = [await connect(), await connect()]
  })

  let made = 0
  const insertOrder = async (client: pg.Client, prizeId: string, state: string) => {
    const id = `ord_by_hand_${++made}`
    await client.query(
      `INSERT INTO prize_order (id, casino_id, prize_id, player_id, state, exception_reason, ended_at,
                                delivery_ciphertext, created_at, updated_at)
       VALUES ($1, $2, $3, 'p', $4, $5, CASE WHEN $6 THEN now() END, '', now(), now())`,
      [
        id,
        casinoId,
        prizeId,
        state,
        state === 'exception' ? 'lost' : null,
        [...endedOrders, 'delivered'].includes(state),
      ],
    )
    return id
  }
  const insertCashback = async (client: pg.Client, prizeId: string, state: string) => {
    const id = `cbk_by_hand_${++made}`
    await client.query(
      `INSERT INTO cashback (id, casino_id, prize_id, player_id, amount_minor, currency, state, created_at, updated_at)
       VALUES ($1, $2, $3, 'p', 5, 'EUR', $4, now(), now())`,
      [id, casinoId, prizeId, state],
    )
    return id
  }
  const reviveOrder = (id: string, state: string) =>
    session.query('UPDATE prize_order SET state = $2, ended_at = NULL WHERE id = $1', [id, state])
  const moveCashback = (id: string, state: string) =>
    session.query('UPDATE cashback SET state = $2 WHERE id = $1', [id, state])
  /** The constraint that refused it; a failure for any other reason fails the test. */
  const refusalOf = (change: Promise<unknown>): Promise<string> =>
    change.then(
      () => 'none',
      (error: unknown) => {
        if (!(error instanceof pg.DatabaseError) || error.constraint === undefined) throw error
        return error.constraint
      },
    )
  const newPrize = async () => (await service.factory.prize(casinoId)).prizeId

  for (const [order, cashback, isRefused] of [
    ['pending_confirmation', 'requested', true],
    ['delivered', 'credited', true],
    ['exception', 'manual_review', true],
    ['cancelled', 'requested', false],
    ['rejected', 'credited', false],
    ['submitted', 'declined', false],
    ['submitted', 'reversed', false],
  ] as const) {
    it(`${isRefused ? 'refuses' : 'accepts'} a cashback that is ${cashback} beside an order that is ${order}, either first`, async () => {
      const [one, other] = [await newPrize(), await newPrize()]
      await insertOrder(session, one, order)
      expect(await refusalOf(insertCashback(session, one, cashback))).to.equal(
        isRefused ? 'cashback_one_fate' : 'none',
      )
      await insertCashback(session, other, cashback)
      expect(await refusalOf(insertOrder(session, other, order))).to.equal(
        isRefused ? 'prize_order_one_fate' : 'none',
      )
    })
  }

  it('refuses two live orders and two live cashbacks of one prize', async () => {
    const [one, other] = [await newPrize(), await newPrize()]
    await insertOrder(session, one, 'submitted')
    expect(await refusalOf(insertOrder(session, one, 'confirmed'))).to.equal('prize_order_live_key')
    await insertCashback(session, other, 'unknown')
    expect(await refusalOf(insertCashback(session, other, 'requested'))).to.equal('cashback_live_key')
  })

  it('refuses a cashback that becomes live again, or is moved from another prize, beside a live order', async () => {
    for (const ended of ['reversed', 'declined']) {
      const prizeId = await newPrize()
      const cashbackId = await insertCashback(session, prizeId, ended)
      await insertOrder(session, prizeId, 'submitted')
      expect(await refusalOf(moveCashback(cashbackId, 'credited'))).to.equal('cashback_one_fate')
      expect(await refusalOf(moveCashback(cashbackId, 'declined'))).to.equal('none')
      const stray = await insertCashback(session, await newPrize(), 'credited')
      const move = session.query('UPDATE cashback SET prize_id = $2 WHERE id = $1', [stray, prizeId])
      expect(await refusalOf(move)).to.equal('cashback_one_fate')
    }
  })

  it('refuses an order that becomes live again, or is moved from another prize, beside a live cashback', async () => {
    for (const ended of endedOrders) {
      const prizeId = await newPrize()
      const orderId = await insertOrder(session, prizeId, ended)
      await insertCashback(session, prizeId, 'credited')
      expect(await refusalOf(reviveOrder(orderId, 'submitted'))).to.equal('prize_order_one_fate')
      const stray = await insertOrder(session, await newPrize(), 'submitted')
      const move = session.query('UPDATE prize_order SET prize_id = $2 WHERE id = $1', [stray, prizeId])
      expect(await refusalOf(move)).to.equal('prize_order_one_fate')
    }
  })

  it('lets an order or cashback that has ended become live again when the prize has no other live one', async () => {
    const prizeId = await newPrize()
    const orderId = await insertOrder(session, prizeId, 'cancelled')
    const cashbackId = await insertCashback(session, prizeId, 'reversed')
    expect(await refusalOf(reviveOrder(orderId, 'submitted'))).to.equal('none')
    expect(await refusalOf(moveCashback(cashbackId, 'credited'))).to.equal('cashback_one_fate')
  })

  const placeOrder = (client: pg.Client, prizeId: string) => insertOrder(client, prizeId, 'confirmed')
  const takeCashback = (client: pg.Client, prizeId: string) => insertCashback(client, prizeId, 'requested')
  /** The first session's use of the prize: a write that stands locks its row. */
  const beforehand = {
    reads: (prizeId: string) => session.query('SELECT FROM prize WHERE id = $1', [prizeId]),
    writes: (prizeId: string) =>
      session.query('UPDATE prize SET updated_at = now() WHERE id = $1', [prizeId]),
    'writes and takes back': async (prizeId: string) => {
      await session.query('SAVEPOINT before')
      await beforehand.writes(prizeId)
      await session.query('ROLLBACK TO before')
    },
  }
  for (const [name, first, second, refusedBy] of [
    ['a cashback waits for an order', placeOrder, takeCashback, 'cashback_one_fate'],
    ['an order waits for a cashback', takeCashback, placeOrder, 'prize_order_one_fate'],
  ] as const) {
    for (const [end, before] of [
      ['COMMIT', 'reads'],
      ['ROLLBACK', 'reads'],
      ['COMMIT', 'writes'],
      ['ROLLBACK', 'writes'],
      ['COMMIT', 'writes and takes back'],
    ] as const) {
      it(`accepts one of two sessions: ${name} of another session that ${before} the prize, until its ${end}`, async () => {
        const prizeId = await newPrize()
        await session.query('BEGIN')
        await rival.query('BEGIN')
        await beforehand[before](prizeId)
        await first(session, prizeId)
        const outcome = refusalOf(second(rival, prizeId))
        let isSettled = false
        void outcome.finally(() => (isSettled = true))
        await eventually('the rival waits or is through', async () => isSettled || (await isWaiting(rival)))
        await session.query(end)
        expect(await outcome).to.equal(end === 'COMMIT' ? refusedBy : 'none')
        await rival.query(end === 'COMMIT' ? 'ROLLBACK' : 'COMMIT')
        expect(await livesOf(prizeId)).to.equal(1)
      })
    }
  }

  async function isWaiting(client: pg.Client): Promise<boolean> {
    const { processID } = client as unknown as { processID: number }
    const { rows } = await session.query<{ waits: boolean }>(
      'SELECT cardinality(pg_blocking_pids($1)) > 0 AS waits',
      [processID],
    )
    return rows[0]?.waits === true
  }

  async function livesOf(prizeId: string): Promise<number> {
    const { rows } = await session.query<{ count: number }>(
      `SELECT ((SELECT count(*) FROM prize_order WHERE casino_id = $1 AND prize_id = $2)
             + (SELECT count(*) FROM cashback WHERE casino_id = $1 AND prize_id = $2))::int AS count`,
      [casinoId, prizeId],
    )
    return rows[0]?.count ?? 0
  }
})
