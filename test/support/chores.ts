import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { createRecordAudit } from '../../core/audit/record-audit.ts'
import { findActiveSeedId } from '../../core/fairness/seeds.ts'
import { rotateSeed } from '../../core/fairness/rotate-seed.ts'
import { fanOutEvents } from '../../core/webhook/fan-out.ts'
import { createOperator } from '../api/admin/operator.ts'
import { untilTransactionsEnd } from './ended-transactions.ts'
import { delivery } from './factory.ts'
import type { TestCasino } from './factory.ts'
import { damageSeeds } from './owner.ts'
import type { TestService } from './service.ts'

const hourMs = 3_600_000
const yearMs = 366 * 24 * hourMs

/** The work of a loop for a casino. */
interface Chore {
  loop: string
  what: string
  /** Where it changes rows of the casino. */
  table: string
  /** Leaves the loop something to do for the casino. */
  cause: (casino: TestCasino) => Promise<unknown>
  /** The rows of which there may be more than one statement takes: those of one casino leave room for others'. */
  isMany?: true
  /** It takes the oldest rows, whatever casino's they are, and passes over those that another client holds. */
  passesOver?: true
  /** How much time passes until it is due. */
  laterMs?: number
  /** Whether the loop has done it. */
  isDone: (casino: TestCasino) => Promise<boolean>
}

/** Something for every loop that works for casinos. */
export function createChores(service: () => TestService, now: () => Date): readonly Chore[] {
  const putEndpoint = async ({ id, apiKey }: TestCasino) => {
    const url = 'https://example.com'
    const reply = await createOperator(service().client, apiKey).put(`/${id}/webhook-endpoints/main`, { url })
    expect(reply.status).to.equal(201)
  }
  const makeDelivery = async (casino: TestCasino, data: { state: string; outboxId: null }) => {
    await putEndpoint(casino)
    await service().factory.prize(casino.id)
    await untilTransactionsEnd(service().database)
    await fanOutEvents(service().deps)
    // A worker that runs as well may be making the delivery in a transaction that has not ended.
    await untilTransactionsEnd(service().database)
    const { count } = await service().database.webhookDelivery.updateMany({
      where: { casinoId: casino.id },
      data: { ...data, updatedAt: now() },
    })
    expect(count).to.equal(1)
  }
  const winPrize = ({ id }: TestCasino) =>
    service().factory.prize(id, { expiresAt: new Date(now().getTime() + hourMs) })
  const makeSeeds = ({ id }: TestCasino) => service().deps.loadActiveSeeds([id], new Map())
  const countSeeds = ({ id: casinoId }: TestCasino, state: string) =>
    service().database.serverSeed.count({ where: { casinoId, state } })
  const sealed = { sealedSecret: Buffer.from('s'), sealedKey: Buffer.from('k'), sealedKeyId: 'main' }
  const previous = {
    previousSealedSecret: Buffer.from('s'),
    previousSealedKey: Buffer.from('k'),
    previousSealedKeyId: 'main',
  }

  return [
    {
      loop: 'fan-out-events',
      what: 'makes deliveries of events',
      table: 'webhook_delivery',
      cause: async (casino) => {
        await putEndpoint(casino)
        await service().factory.prize(casino.id)
      },
      isDone: async ({ id: casinoId }) =>
        (await service().database.webhookDelivery.count({ where: { casinoId } })) > 0,
    },
    {
      loop: 'fan-out-events',
      what: 'wakes deliveries that rest',
      table: 'webhook_delivery',
      cause: (casino) => makeDelivery(casino, { state: 'pending', outboxId: null }),
      isDone: async ({ id: casinoId }) =>
        (await service().database.webhookDelivery.count({ where: { casinoId, outboxId: null } })) === 0,
    },
    {
      loop: 'chain-audit',
      what: 'chains the audit trail',
      table: 'audit_link',
      cause: ({ id: casinoId }) =>
        createRecordAudit({ database: service().database, hashSecret: service().deps.config.hashSecret })({
          id: randomUUID(),
          casinoId,
          at: now(),
          actor: 'admin',
          address: null,
          action: 'GET /',
          params: '{}',
          reason: null,
          requestId: 'r',
          outcome: '200',
        }),
      isDone: async ({ id: casinoId }) =>
        (await service().database.auditLink.count({ where: { casinoId } })) > 0,
    },
    {
      loop: 'prune-webhooks',
      what: 'removes old deliveries',
      table: 'webhook_delivery',
      passesOver: true,
      cause: (casino) => makeDelivery(casino, { state: 'delivered', outboxId: null }),
      laterMs: yearMs,
      isDone: async ({ id: casinoId }) =>
        (await service().database.webhookDelivery.count({ where: { casinoId } })) === 0,
    },
    {
      loop: 'prune-webhooks',
      what: 'removes old secrets',
      table: 'webhook_secret',
      passesOver: true,
      cause: async (casino) => {
        await putEndpoint(casino)
        await service().database.webhookSecret.updateMany({
          where: { casinoId: casino.id },
          data: { expiresAt: now() },
        })
      },
      laterMs: yearMs,
      isDone: async ({ id: casinoId }) =>
        (await service().database.webhookSecret.count({ where: { casinoId } })) === 0,
    },
    {
      loop: 'expire-acts',
      what: 'ends acts that nobody has started',
      table: 'act',
      passesOver: true,
      cause: ({ id: casinoId }) =>
        service().database.act.create({
          data: {
            id: `act_${randomUUID()}`,
            casinoId,
            action: 'order.confirm',
            params: {},
            state: 'previewed',
            amounts: [],
            needsApproval: false,
            objectCount: 0,
            madeBy: 'admin',
            createdAt: now(),
            expiresAt: new Date(now().getTime() + hourMs),
          },
        }),
      laterMs: 2 * hourMs,
      isDone: async ({ id: casinoId }) =>
        (await service().database.act.count({ where: { casinoId, state: 'expired' } })) === 1,
    },
    {
      loop: 'prune-idempotency',
      what: 'removes old answers',
      table: 'idempotency_record',
      passesOver: true,
      cause: ({ id: casinoId }) =>
        service().database.idempotencyRecord.create({
          data: {
            casinoId,
            key: 'k',
            operation: 'box_open',
            fingerprint: new Uint8Array(32),
            response: '{}',
            createdAt: new Date(Date.now() - yearMs),
          },
        }),
      isDone: async ({ id: casinoId }) =>
        (await service().database.idempotencyRecord.count({ where: { casinoId } })) === 0,
    },
    {
      loop: 'rotate-seeds',
      what: 'rotates seeds',
      table: 'server_seed',
      cause: async (casino) => {
        await makeSeeds(casino)
        expect(await damageSeeds(service().database, casino.id, ['active'])).to.equal(1) // needs another one immediately
      },
      isDone: async (casino) => (await countSeeds(casino, 'retired')) > 0,
    },
    {
      loop: 'reveal-seeds',
      what: 'reveals seeds',
      table: 'server_seed',
      cause: async (casino) => {
        await makeSeeds(casino)
        const seedId = (await findActiveSeedId(service().database, casino.id)) ?? ''
        expect(await rotateSeed(service().deps, casino.id, seedId)).to.equal(true)
      },
      laterMs: hourMs,
      isDone: async (casino) => (await countSeeds(casino, 'revealed')) > 0,
    },
    {
      loop: 'expire-prizes',
      what: 'expires prizes',
      table: 'prize',
      isMany: true,
      cause: winPrize,
      laterMs: 2 * hourMs,
      isDone: async ({ id: casinoId }) =>
        (await service().database.prize.count({ where: { casinoId, state: 'expired' } })) === 1,
    },
    {
      loop: 'expire-prizes',
      what: 'gives stock back',
      table: 'box_stock',
      cause: async ({ id, apiKey }) => {
        const item = await service().factory.item(id, { claimDays: 1 })
        const boxId = await service().factory.box(id, {
          entries: [{ itemId: item, weight: 1, stock: 1 }],
          limit: { count: 1, period: 'day' },
        })
        const won = await service().client.post('/box/open', apiKey, { player_id: 'ann', box_id: boxId })
        expect(won.status).to.equal(200)
      },
      laterMs: 25 * hourMs,
      isDone: async ({ id: casinoId }) =>
        (await service().database.boxStock.count({ where: { casinoId, remaining: 1 } })) === 1,
    },
    {
      loop: 'warn-expiring',
      what: 'warns of expiry',
      table: 'prize',
      isMany: true,
      cause: async (casino) => {
        await winPrize(casino)
        await service().database.casinoSetting.create({
          data: { casinoId: casino.id, name: 'expiry', value: { warn_days: 1 }, updatedAt: now() },
        })
      },
      isDone: async ({ id: casinoId }) =>
        (await service().database.prize.count({ where: { casinoId, expiryWarnedAt: null } })) === 0,
    },
    {
      loop: 'erase-deliveries',
      what: 'erases addresses',
      table: 'prize_order',
      isMany: true,
      cause: async ({ id: casinoId, apiKey }) => {
        const { prizeId, playerId } = await service().factory.prize(casinoId)
        const body = { player_id: playerId, prize_id: prizeId, ...delivery }
        expect((await service().client.post('/prize/order', apiKey, body)).status).to.equal(200)
        await service().database.prizeOrder.updateMany({
          where: { casinoId },
          data: { state: 'cancelled', endedAt: now() },
        })
      },
      laterMs: 2 * yearMs,
      isDone: async ({ id: casinoId }) =>
        (await service().database.prizeOrder.count({ where: { casinoId, deliveryKey: null } })) === 1,
    },
    {
      loop: 'erase-deliveries',
      what: 'marks players as erased',
      table: 'player',
      cause: async ({ id: casinoId }) => {
        const erased = { casinoId, id: 'ann', eraseRequestedAt: now() }
        await service().database.player.create({ data: erased })
      },
      isDone: async ({ id: casinoId }) =>
        (await service().database.player.count({ where: { casinoId, erasedAt: null } })) === 0,
    },
    {
      loop: 'drop-secrets',
      what: 'drops secrets',
      table: 'casino_setting',
      cause: ({ id: casinoId }) =>
        service().database.casinoSetting.create({
          data: {
            casinoId,
            name: 'wallet',
            value: {},
            updatedAt: now(),
            ...sealed,
            ...previous,
            previousExpiresAt: new Date(now().getTime() + hourMs),
          },
        }),
      laterMs: 2 * hourMs,
      isDone: async ({ id: casinoId }) =>
        (await service().database.casinoSetting.count({ where: { casinoId, previousExpiresAt: null } })) ===
        1,
    },
  ]
}
