import { expect } from 'chai'
import { readConfig } from '../../../core/platform/config.ts'
import { openDatabase } from '../../../core/platform/database.ts'
import type { Database } from '../../../core/platform/database.ts'
import { createLogger } from '../../../core/platform/logger.ts'
import { createOperator } from '../../api/admin/operator.ts'
import { atEndOfTest } from '../../support/at-end.ts'
import { causeFaults } from '../../support/campaign/faults.ts'
import { sendLoad } from '../../support/campaign/load.ts'
import { createRandom } from '../../support/campaign/random.ts'
import { startStack } from '../../support/campaign/stack.ts'
import { findBrokenPromises } from '../../support/campaign/verdict.ts'
import { createClient } from '../../support/client.ts'
import { eventually } from '../../support/eventually.ts'
import { createFactory } from '../../support/factory.ts'
import { startFakeReceiver } from '../../support/fake-receiver.ts'
import { startFakeWallet, useWallet } from '../../support/fake-wallet.ts'
import { describeInLongForm } from '../../support/runs.ts'

/** `npm run test:campaign` asks for more. */
const seconds = Number(process.env['CAMPAIGN_SECONDS'] ?? '12')
const seed = Number(process.env['CAMPAIGN_SEED'] ?? '20261122')
/** They ask as fast as they are answered. */
const senders = 16
/** Calls that nobody will end hold their attempt until their lease is over. */
const settleBoundMs = 180_000

describeInLongForm('two APIs and two workers under faults of everything', function () {
  this.timeout(seconds * 1_000 + 2 * settleBoundMs + 120_000)
  const atTestEnd = atEndOfTest()

  it('lose nothing and do nothing twice, with keyed and keyless requests of two casinos mixed', async () => {
    const stack = await startStack({})
    atTestEnd(() => stack.stop())
    const { database, close } = openDatabase({
      url: stack.env['DATABASE_URL'] ?? '',
      poolMax: 5,
      log: createLogger('test', 'silent'),
    })
    atTestEnd(() => close())
    const wallet = await startFakeWallet()
    atTestEnd(() => wallet.stop())
    const receiver = await startFakeReceiver()
    atTestEnd(() => receiver.stop())

    // The first casino has webhooks, the second one a wallet of its own.
    const factory = createFactory(database, stack.env['HASH_SECRET'] ?? '')
    const casinos = await Promise.all(
      [1, 2].map(async () => {
        const casino = await factory.casino()
        const [rare, common] = [await factory.item(casino.id), await factory.item(casino.id)]
        const boxId = await factory.box(casino.id, {
          entries: [
            { itemId: rare, weight: 1, stock: 20 },
            { itemId: common, weight: 3 },
          ],
          fallbackItemId: common,
          limit: { count: 100_000, period: 'lifetime' },
        })
        return { casino, boxId }
      }),
    )
    const [first, second] = casinos
    if (first === undefined || second === undefined) throw new Error('two casinos are needed')
    await useWallet(database, readConfig(stack.env), second.casino.id, wallet)
    const operator = createOperator(createClient(stack.apiUrl(0) ?? ''), first.casino.apiKey)
    const endpoint = await operator.put(`/${first.casino.id}/webhook-endpoints/all`, { url: receiver.url })
    expect(endpoint.status, endpoint.text).to.equal(201)

    const endAt = performance.now() + seconds * 1_000
    let isBroken = false
    const isOver = () => isBroken || performance.now() > endAt
    const isHopeless = () => isBroken || performance.now() > endAt + settleBoundMs
    const [load, faults] = await Promise.all([
      sendLoad({ stack, factory, casinos, random: createRandom(seed), isOver, isHopeless, senders }),
      causeFaults(stack, createRandom(seed + 1), isOver).catch((error: unknown) => {
        isBroken = true
        throw error
      }),
    ])
    const report = `seed ${seed}; ${faults.join(', ')}; ${JSON.stringify([...load.statuses])}`
    await eventually(`all work is done (${report})`, () => isSettled(database), settleBoundMs)

    const acknowledged = load.requests.filter(({ answer }) => answer !== undefined).length
    expect(acknowledged, report).to.be.greaterThan(seconds)
    expect(faults.length, report).to.be.greaterThan(1)
    const problems = await findBrokenPromises({
      database,
      load,
      casinoIds: casinos.map(({ casino }) => casino.id),
      wallet,
      receiver,
    })
    expect(problems, report).to.deep.equal([])
  })
})

/** Wakes what rests after a fault, so that nobody waits for it, and asks whether anything is left to do. */
async function isSettled(database: Database): Promise<boolean> {
  const [row] = await database.$queryRaw<{ count: number }[]>`
    WITH open AS (
      SELECT id FROM cashback WHERE state <> 'credited'
       UNION ALL
      SELECT id FROM prize_order WHERE announced_at IS NULL
       UNION ALL
      SELECT id FROM webhook_delivery WHERE state = 'pending'
    ),
    woken AS (
      UPDATE outbox SET due_at = now(), snoozed_until = NULL
       WHERE object_id IN (SELECT id FROM open) AND snoozed_until > now()
    )
    SELECT (SELECT count(*) FROM open)::int
           + (SELECT count(*) FROM webhook_endpoint AS endpoint
                JOIN event ON event.casino_id = endpoint.casino_id
                 AND (event.txid, event.id) > (endpoint.cursor_txid, endpoint.cursor_event_id))::int AS count`
  return row?.count === 0
}
