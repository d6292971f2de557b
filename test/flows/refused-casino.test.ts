import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import pg from 'pg'
import { createRecordAudit } from '../../core/audit/record-audit.ts'
import { findActiveSeedId } from '../../core/fairness/seeds.ts'
import { rotateSeed } from '../../core/fairness/rotate-seed.ts'
import { readConfig } from '../../core/platform/config.ts'
import { fanOutEvents } from '../../core/webhook/fan-out.ts'
import { createWorkerDeps } from '../../worker/deps.ts'
import { createLoops } from '../../worker/loops.ts'
import { startLines } from '../../worker/workers.ts'
import { createOperator } from '../api/admin/operator.ts'
import { atEndOfSuite } from '../support/at-end.ts'
import { untilTransactionsEnd } from '../support/ended-transactions.ts'
import { delivery } from '../support/factory.ts'
import type { TestCasino } from '../support/factory.ts'
import { damageSeeds } from '../support/owner.ts'
import { startService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'

const hourMs = 3_600_000
const yearMs = 366 * 24 * hourMs

/** What a loop does for a casino. */
interface Chore {
  loop: string
  what: string
  /** Where the database refuses the rows of one casino. */
  table: string
  /** Leaves the loop something to do for the casino. */
  cause: (casino: TestCasino) => Promise<unknown>
  /** How much time passes until it is due. */
  laterMs?: number
  /** Whether the loop has done it. */
  isDone: (casino: TestCasino) => Promise<boolean>
}

/** They work on no rows that belong to a casino, or on the outbox, which knows none. */
const loopsWithoutCasinos = ['compare-clocks', 'watch-liveness', 'relay-outbox', 'serve-lines']

describe('a casino whose rows the database refuses', () => {
  let service: TestService
  let session: pg.Client
  /** New ones remember nothing of when they looked last. */
  let makeLoops: () => ReturnType<typeof createLoops>
  let now = new Date()

  const atEnd = atEndOfSuite()
  before(async () => {
    const clock = { now: () => now }
    service = await startService({ clock })
    atEnd(() => service.stop())
    const { deps, close } = createWorkerDeps(readConfig({ ...service.env, LOG_LEVEL: 'silent' }), { clock })
    atEnd(close)
    const lines = startLines(deps)
    makeLoops = () => createLoops(deps, lines, () => undefined)
    session = new pg.Client({ connectionString: service.env['DATABASE_URL'] })
    await session.connect()
    atEnd(() => session.end())
    await session.query(`
      CREATE FUNCTION refuse_casino() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF (CASE TG_OP WHEN 'DELETE' THEN OLD.casino_id ELSE NEW.casino_id END) = TG_ARGV[0] THEN
          RAISE EXCEPTION 'damaged' USING ERRCODE = 'XX001';
        END IF;
        RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
      END $$`)
  })

  const putEndpoint = async ({ id, apiKey }: TestCasino) => {
    const url = 'https://example.com'
    const reply = await createOperator(service.client, apiKey).put(`/${id}/webhook-endpoints/main`, { url })
    expect(reply.status).to.equal(201)
  }
  const makeDelivery = async (casino: TestCasino, data: { state: string; outboxId: null }) => {
    await putEndpoint(casino)
    await service.factory.prize(casino.id)
    await untilTransactionsEnd(service.database)
    await fanOutEvents(service.deps)
    const { count } = await service.database.webhookDelivery.updateMany({
      where: { casinoId: casino.id },
      data: { ...data, updatedAt: now },
    })
    expect(count).to.equal(1)
  }
  const winPrize = ({ id }: TestCasino) =>
    service.factory.prize(id, { expiresAt: new Date(now.getTime() + hourMs) })
  const makeSeeds = ({ id }: TestCasino) => service.deps.loadActiveSeeds([id], new Map())
  const countSeeds = ({ id: casinoId }: TestCasino, state: string) =>
    service.database.serverSeed.count({ where: { casinoId, state } })
  const sealed = { sealedSecret: Buffer.from('s'), sealedKey: Buffer.from('k'), sealedKeyId: 'main' }
  const previous = {
    ...{ previousSealedSecret: Buffer.from('s'), previousSealedKey: Buffer.from('k') },
    previousSealedKeyId: 'main',
  }

  const chores: readonly Chore[] = [
    {
      ...{ loop: 'fan-out-events', what: 'makes deliveries of events', table: 'webhook_delivery' },
      cause: async (casino) => {
        await putEndpoint(casino)
        await service.factory.prize(casino.id)
      },
      isDone: async ({ id: casinoId }) =>
        (await service.database.webhookDelivery.count({ where: { casinoId } })) > 0,
    },
    {
      ...{ loop: 'fan-out-events', what: 'wakes deliveries that rest', table: 'webhook_delivery' },
      cause: (casino) => makeDelivery(casino, { state: 'pending', outboxId: null }),
      isDone: async ({ id: casinoId }) =>
        (await service.database.webhookDelivery.count({ where: { casinoId, outboxId: null } })) === 0,
    },
    {
      ...{ loop: 'chain-audit', what: 'chains the audit trail', table: 'audit_link' },
      cause: ({ id: casinoId }) =>
        createRecordAudit({ database: service.database, hashSecret: service.deps.config.hashSecret })({
          ...{ id: randomUUID(), casinoId, at: now, actor: 'admin', address: null, action: 'GET /' },
          ...{ params: '{}', reason: null, requestId: 'r', outcome: '200' },
        }),
      isDone: async ({ id: casinoId }) =>
        (await service.database.auditLink.count({ where: { casinoId } })) > 0,
    },
    {
      ...{ loop: 'prune-webhooks', what: 'removes old deliveries', table: 'webhook_delivery' },
      cause: (casino) => makeDelivery(casino, { state: 'delivered', outboxId: null }),
      laterMs: yearMs,
      isDone: async ({ id: casinoId }) =>
        (await service.database.webhookDelivery.count({ where: { casinoId } })) === 0,
    },
    {
      ...{ loop: 'prune-idempotency', what: 'removes old answers', table: 'idempotency_record' },
      cause: ({ id: casinoId }) =>
        service.database.idempotencyRecord.create({
          data: {
            ...{ casinoId, key: 'k', operation: 'box_open', fingerprint: new Uint8Array(32), response: '{}' },
            createdAt: new Date(Date.now() - yearMs),
          },
        }),
      isDone: async ({ id: casinoId }) =>
        (await service.database.idempotencyRecord.count({ where: { casinoId } })) === 0,
    },
    {
      ...{ loop: 'rotate-seeds', what: 'rotates seeds', table: 'server_seed' },
      cause: async (casino) => {
        await makeSeeds(casino)
        expect(await damageSeeds(service.database, casino.id, ['active'])).to.equal(1) // needs another one at once
      },
      isDone: async (casino) => (await countSeeds(casino, 'retired')) > 0,
    },
    {
      ...{ loop: 'reveal-seeds', what: 'reveals seeds', table: 'server_seed' },
      cause: async (casino) => {
        await makeSeeds(casino)
        const seedId = (await findActiveSeedId(service.database, casino.id)) ?? ''
        expect(await rotateSeed(service.deps, casino.id, seedId)).to.equal(true)
      },
      laterMs: hourMs,
      isDone: async (casino) => (await countSeeds(casino, 'revealed')) > 0,
    },
    {
      ...{ loop: 'expire-prizes', what: 'expires prizes', table: 'prize' },
      cause: winPrize,
      laterMs: 2 * hourMs,
      isDone: async ({ id: casinoId }) =>
        (await service.database.prize.count({ where: { casinoId, state: 'expired' } })) === 1,
    },
    {
      ...{ loop: 'warn-expiring', what: 'warns of expiry', table: 'prize' },
      cause: async (casino) => {
        await winPrize(casino)
        await service.database.casinoSetting.create({
          data: { casinoId: casino.id, name: 'expiry', value: { warn_days: 1 }, updatedAt: now },
        })
      },
      isDone: async ({ id: casinoId }) =>
        (await service.database.prize.count({ where: { casinoId, expiryWarnedAt: null } })) === 0,
    },
    {
      ...{ loop: 'erase-deliveries', what: 'erases addresses', table: 'prize_order' },
      cause: async ({ id: casinoId, apiKey }) => {
        const { prizeId, playerId } = await service.factory.prize(casinoId)
        const body = { player_id: playerId, prize_id: prizeId, ...delivery }
        expect((await service.client.post('/prize/order', apiKey, body)).status).to.equal(200)
        await service.database.prizeOrder.updateMany({
          where: { casinoId },
          data: { state: 'cancelled', endedAt: now },
        })
      },
      laterMs: 2 * yearMs,
      isDone: async ({ id: casinoId }) =>
        (await service.database.prizeOrder.count({ where: { casinoId, deliveryKey: null } })) === 1,
    },
    {
      ...{ loop: 'drop-secrets', what: 'drops secrets', table: 'casino_setting' },
      cause: ({ id: casinoId }) =>
        service.database.casinoSetting.create({
          data: {
            ...{ casinoId, name: 'wallet', value: {}, updatedAt: now, ...sealed, ...previous },
            previousExpiresAt: new Date(now.getTime() + hourMs),
          },
        }),
      laterMs: 2 * hourMs,
      isDone: async ({ id: casinoId }) =>
        (await service.database.casinoSetting.count({ where: { casinoId, previousExpiresAt: null } })) === 1,
    },
  ]

  const runLoop = async (name: string) => {
    const runOnce = makeLoops().find((loop) => loop.name === name)?.runOnce
    if (runOnce === undefined) throw new Error(`there is no loop ${name}`)
    for (let turn = 0; turn < 20; turn++) if ((await runOnce()) === 0) return
    throw new Error('the loop does not come to an end')
  }

  it('is tried with every loop that has casinos', () => {
    const tried = [...loopsWithoutCasinos, ...new Set(chores.map(({ loop }) => loop))]
    expect(
      makeLoops()
        .map(({ name }) => name)
        .sort(),
    ).to.deep.equal(tried.sort())
  })

  for (const { loop, what, table, cause, laterMs = 0, isDone } of chores)
    it(`keeps the loop that ${what} from no other casino (${loop})`, async () => {
      const refused = await service.factory.casino()
      const others = [await service.factory.casino(), await service.factory.casino()]
      for (const casino of [refused, ...others]) await cause(casino)
      now = new Date(now.getTime() + laterMs)
      await untilTransactionsEnd(service.database)
      await session.query(`
        CREATE TRIGGER refuse_casino BEFORE INSERT OR UPDATE OR DELETE ON ${table} FOR EACH ROW
          EXECUTE FUNCTION refuse_casino('${refused.id}')`)
      try {
        await runLoop(loop)
      } finally {
        await session.query(`DROP TRIGGER refuse_casino ON ${table}`)
      }
      expect(await isDone(refused)).to.equal(false)
      for (const casino of others) expect(await isDone(casino)).to.equal(true)
    })
})
