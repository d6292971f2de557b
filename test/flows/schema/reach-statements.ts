import { randomUUID } from 'node:crypto'
import { createRoutes } from '../../../api/routes.ts'
import { checkHeads } from '../../../core/audit/check-heads.ts'
import { createHeadMemory } from '../../../core/audit/head-memory.ts'
import { listTrails, verifyTrail } from '../../../core/audit/verify-audit.ts'
import {
  findStockDifferences,
  listCasinosWithStock,
  lockRepairs,
  repairStock,
} from '../../../core/box/check-stock.ts'
import {
  attachMonth,
  fillMonth,
  findOlderMonth,
  isMonthOpen,
  readMonth,
  isMonthEmpty,
  lockMonths,
  moveEarlyEvents,
  removeMonth,
  requireLockOfMonths,
} from '../../../core/archive/archived-month.ts'
import { findLastRun, hasOutcome } from '../../../core/audit/find-run.ts'
import { createEnvelopeCipher } from '../../../core/crypto/envelope.ts'
import { readConfig } from '../../../core/platform/config.ts'
import { takeFromLines } from '../../../core/outbox/line.ts'
import { receiveShipmentUpdate } from '../../../core/prize-order/receive-shipment-update.ts'
import { countKeyUse, rewrapKeys } from '../../../core/privacy/rewrap-keys.ts'
import { createWorkerDeps } from '../../../worker/deps.ts'
import { createLoops } from '../../../worker/loops.ts'
import { createWatchForWork } from '../../../worker/maintenance/watch-for-work.ts'
import type { Rester } from '../../../worker/maintenance/watch-for-work.ts'
import { startLines } from '../../../worker/workers.ts'
import { textAt } from '../../api/admin/operator.ts'
import { routeRows } from '../../attacks/route-table.ts'
import { createLiveAndTestWorld, endpointUrl } from '../../support/casino-world.ts'
import type { World } from '../../support/casino-world.ts'
import { createChores } from '../../support/chores.ts'
import { adminApiKey } from '../../support/config.ts'
import { untilTransactionsEnd } from '../../support/ended-transactions.ts'
import { delivery } from '../../support/factory.ts'
import type { TestService } from '../../support/service.ts'

/**
 * Makes the API, the loops of a worker and the tools send their statements, for a casino that has one of everything.
 * `pass` lets time pass.
 */
export async function reachStatements(
  service: TestService,
  clock: { now: () => Date },
  pass: (ms: number) => void,
): Promise<void> {
  const [live, sandbox] = await createLiveAndTestWorld(service)
  const chores = createChores(() => service, clock.now)
  const { deps, close } = createWorkerDeps(readConfig(service.env), { clock })
  const loops = createLoops(deps, startLines(deps), () => undefined)
  try {
    for (const world of [live, sandbox]) await askEveryRoute(service, world)
    await change(service, live)
    await askWithFilters(service, live)
    const worker = service.startWorker()
    await untilTransactionsEnd(service.database)
    for (const { cause, laterMs = 0 } of chores) {
      await cause(await service.factory.casino())
      await untilTransactionsEnd(service.database)
      pass(laterMs + 5_000)
      for (const { runOnce } of loops) await runOnce()
    }
    // Whether work waits in a line at the moment when somebody looks is a matter of chance.
    await takeFromLines(deps, [{ line: 'empty', count: 1 }])
    await createWatchForWork(deps.database, [neverWoken])()
    await useTools(service, clock)
    await service.drain()
    await worker.stop()
  } finally {
    await close()
  }
}

const neverWoken: Rester = { isResting: () => true, isOver: () => false, wake: () => undefined }

async function askEveryRoute(service: TestService, world: World): Promise<void> {
  for (const { method, path } of createRoutes(service.deps, () => false)) {
    const row = routeRows[`${method} ${path}`]
    const place = path.replaceAll(/:(\w+)/g, (_, name: string) => world.ids[name] ?? randomUUID())
    const query = new URLSearchParams(row?.query?.(world) ?? {}).toString()
    for (const key of [world.apiKey, adminApiKey]) {
      await service.client.send(method, query === '' ? place : `${place}?${query}`, {
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        ...(method === 'GET' ? {} : { body: JSON.stringify(row?.body?.(world) ?? {}) }),
      })
    }
  }
}

/** Asks the routes with their optional parameters. */
async function askWithFilters(service: TestService, { casinoId, apiKey, ids }: World): Promise<void> {
  const id = (name: string) => ids[name] ?? ''
  const admin = `/admin/casinos/${casinoId}`
  const since = 'created_from=2020-01-01T00:00:00Z'
  const paths = [
    `/boxes?player_id=${id('player_id')}`,
    ...['items', 'boxes', 'orders', 'cashbacks', 'acts'].map((list) => `${admin}/${list}?${since}`),
    `${admin}/orders?held=true`,
    `${admin}/audit?request_id=x`,
    `${admin}/boxes?item_id=${id('item_id')}&order=desc`,
    `${admin}/orders?player_id=${id('player_id')}&state=submitted`,
    `${admin}/cashbacks?player_id=${id('player_id')}&state=credited`,
    `${admin}/players/${id('player_id')}/prizes?state=won`,
    `${admin}/grants?${since}&box_id=${id('box_id')}`,
    ...['prize_id', 'order_id', 'cashback_id', 'player_id', 'box_id'].map(
      (name) => `/admin/search?q=${id(name)}`,
    ),
    '/admin/search?q=parcel-1',
    `/admin/search?q=${randomUUID()}`,
    `/admin/search?q=prc_${randomUUID()}`,
    `/admin/casinos?${since}`,
    `/admin/casinos?starts_with=${casinoId}`,
  ]
  for (const path of paths) {
    for (const key of [apiKey, adminApiKey]) {
      await service.client.send('GET', path, { headers: { Authorization: `Bearer ${key}` } })
    }
  }
}

/** Makes the changes for which the walk over the routes has no rows. */
async function change(service: TestService, { casinoId, apiKey, ids }: World): Promise<void> {
  const { factory } = service
  const admin = `/admin/casinos/${casinoId}`
  const send = (method: string, path: string, body: object, headers: Record<string, string> = {}) =>
    service.client.send(method, path, {
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const won = async () => (await factory.prize(casinoId)).prizeId

  await send('POST', `${admin}/prizes/${await won()}/void`, { reason: 'x' })
  await send('PUT', `${admin}/boxes/zoned`, {
    name: 'Zoned',
    access: 'limited',
    limit: { count: 1, period: 'day', time_zone: 'Europe/Vienna' },
    entries: [{ item_id: ids['item_id'], weight: 1 }],
  })
  // Objects that are not live are looked for in the archive.
  await send('POST', '/prize/order', { player_id: 'nobody', prize_id: 'unknown', ...delivery })
  await send('POST', `${admin}/orders/unknown/confirm`, { reason: 'x' })
  await send('POST', `${admin}/acts`, { action: 'order.confirm', object_ids: ['unknown'] })
  const note = { text: 'asked twice' }
  for (const key of ['once', 'once']) {
    await send('POST', `${admin}/prizes/${await won()}/notes`, note, { 'Idempotency-Key': key })
  }
  const made = await send('POST', `${admin}/acts`, { action: 'prize.void', object_ids: [await won()] })
  await send('POST', `${admin}/acts/${textAt(made, 'data.act_id')}/start`, { reason: 'x' })

  // More players than the casino may have.
  const grants = Array.from({ length: 30 }, (_, n) => ({
    player_id: `new-${n}`,
    box_id: ids['box_id'],
    count: 1,
  }))
  await send('POST', `${admin}/grants`, { grants })
  const { prizeId, playerId } = await factory.prize(casinoId)
  await send('POST', '/prize/order', { player_id: playerId, prize_id: prizeId, ...delivery })
  const { id: orderId } = await service.database.prizeOrder.findFirstOrThrow({ where: { prizeId } })
  await send('POST', `${admin}/orders/${orderId}/hold`, { hold_reason: 'fraud_risk' })

  // The walk has deleted the endpoint.
  const endpoint = `${admin}/webhook-endpoints/main`
  await send('PUT', endpoint, { url: endpointUrl })
  await send('POST', `${endpoint}/replay`, { from: '2020-01-01T00:00:00Z' })
  await send('POST', `${endpoint}/replay`, { from: '2020-01-01T00:00:00Z', only_failed: true })
  const replay = { action: 'event.replay', params: { endpoint_id: 'main' } }
  for (const range of [{ from: '2020-01-01T00:00:00Z' }, { only_failed: true }]) {
    await send('POST', `${admin}/acts`, { ...replay, event_range: range })
  }
  await send('POST', `${admin}/acts`, { ...replay, object_ids: [ids['event_id']] })
  await service.client.send('GET', `${endpoint}/deliveries`, {
    headers: { Authorization: `Bearer ${apiKey}` },
  })

  await receiveShipmentUpdate(service.deps, casinoId, {
    id: 'update-1',
    orderId: ids['order_id'] ?? '',
    shipmentNumber: 1,
    status: 'shipped',
    reason: null,
    carrier: 'Post',
    trackingNumber: 'parcel-1',
    occurredAt: new Date('2026-01-01T00:00:00Z'),
  })
}

async function useTools({ database, deps }: TestService, clock: { now: () => Date }): Promise<void> {
  const { hashSecret, encryptionKeys } = deps.config
  await lockRepairs(database)
  for (const casinoId of await listCasinosWithStock(database)) {
    await findStockDifferences(database, casinoId)
    await repairStock(database, casinoId)
  }
  for (const casinoId of await listTrails(database)) {
    await verifyTrail({ database, hashSecret }, casinoId, clock.now())
  }
  const log = { warn: () => undefined, error: () => undefined }
  const memory = createHeadMemory({ hashSecret, runScript: undefined, log })
  // The second time, the ends of the chains are known.
  for (const heads of [memory, memory]) await checkHeads({ database, memory: heads, log })
  const listeners = { onProgress: () => undefined, onUnopened: () => undefined }
  const newest = { id: 'newest', key: Buffer.alloc(32, 7) }
  for (const keys of [
    [newest, ...encryptionKeys],
    [...encryptionKeys, newest],
  ]) {
    await rewrapKeys({ database, cipher: createEnvelopeCipher(keys) }, listeners)
  }
  await countKeyUse(database)
  // The database's own month: its partition was made by the loop.
  const month = new Date().toISOString().slice(0, 7)
  await isMonthOpen(database, month)
  const lines = readMonth(database, month)
  await findOlderMonth(database, month)
  await removeMonth(database, month, 0)
  await fillMonth(database, month, lines)
  await attachMonth(database, month)
  await hasOutcome(database, 'archive --write', 'sha256')
  await findLastRun(database, { actions: ['archive --write'], params: { month } }, 'sha256 ')
  await lockMonths(database)
  await requireLockOfMonths(database).catch(() => undefined)
  const earlier = '2025-01'
  await fillMonth(database, earlier, lines)
  await attachMonth(database, earlier)
  await moveEarlyEvents(database, earlier)
  await isMonthEmpty(database, earlier)
}
