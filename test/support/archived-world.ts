import { archiveEvents } from '../../core/archive/archive-events.ts'
import { expirePrizes } from '../../core/box/expire-prizes.ts'
import { Prisma } from '../../core/platform/database.ts'
import { joined, sql } from '../../core/platform/sql.ts'
import { archivePrizes } from '../../core/archive/archive-prizes.ts'
import type { WorkerDeps } from '../../worker/deps.ts'
import { eraseOldDeliveries } from '../../core/privacy/retain-deliveries.ts'
import { createSeedTurns } from '../../worker/loops.ts'
import { createOperator, textAt } from '../api/admin/operator.ts'
import type { TestOperator } from '../api/admin/operator.ts'
import type { Reply } from './client.ts'
import { adminApiKey } from './config.ts'
import { delivery } from './factory.ts'
import type { TestCasino } from './factory.ts'
import { changeAsOwner } from './owner.ts'
import type { TestService } from './service.ts'

const dayMs = 86_400_000
/** The time after which the tests archive. */
export const archiveAfterMs = 410 * dayMs

/** The tables whose rows move with a prize. */
export const unitTables = ['prize', 'prize_order', 'cashback', 'opening'] as const

/** Ended prizes of a casino, of each kind. */
export interface EndedWorld {
  casino: TestCasino
  operator: TestOperator
  boxId: string
  itemId: string
  /** An order was delivered, after another one that was held and cancelled. */
  delivered: { prizeId: string; orderIds: [first: string, second: string]; openingId: string }
  /** A cashback was credited. */
  cashed: { prizeId: string; cashbackId: string }
  voided: string
  /** It went back into the stock. */
  expired: string
  /** Given under an id of the casino, and voided. */
  given: string
  /** Still to be had. */
  won: string
}

function done(reply: Reply): Reply {
  if (reply.status >= 300) throw new Error(reply.text)
  return reply
}

/** Makes ended prizes, lets time pass for them, and archives them. Needs a running worker. */
export function createArchiveTools(service: TestService, deps: WorkerDeps) {
  const { client, database, factory } = service
  const order = (casino: TestCasino, playerId: string, prizeId: string) =>
    client.post('/prize/order', casino.apiKey, { player_id: playerId, prize_id: prizeId, ...delivery })
  const cashBack = (casino: TestCasino, playerId: string, prizeId: string) =>
    client.post('/prize/cashback', casino.apiKey, { player_id: playerId, prize_id: prizeId })
  const open = (casino: TestCasino, playerId: string, boxId: string) =>
    client.post('/box/open', casino.apiKey, { player_id: playerId, box_id: boxId })

  /** Lets so many days pass for all that the casino has. */
  async function age(casinoId: string, days: number): Promise<void> {
    const columns = {
      event: ['created_at'],
      prize: ['created_at', 'updated_at', 'expires_at'],
      cashback: ['created_at', 'updated_at'],
      prize_order: ['created_at', 'updated_at', 'ended_at'],
      opening: ['opened_at'],
    }
    for (const [table, names] of Object.entries(columns)) {
      const aged = joined(
        names.map((name) => sql`${Prisma.raw(name)} = ${Prisma.raw(name)} - ${days}::int * interval '1 day'`),
        ', ',
      )
      await changeAsOwner(
        database,
        sql`UPDATE ${Prisma.raw(table)} SET ${aged} WHERE casino_id = ${casinoId}::text`,
      )
    }
    await database.$queryRaw`SELECT prepare_event_archive() AS events, prepare_prize_archive() AS prizes`
    for (const table of ['event_archive', 'prize_archive']) {
      await changeAsOwner(
        database,
        sql`UPDATE ${Prisma.raw(table)} SET due_at = now() - interval '1 second' WHERE casino_id = ${casinoId}::text`,
      )
    }
  }

  /** Rotates the casino's seed and reveals the one before, also if no time has passed. */
  async function reveal(casinoId: string): Promise<void> {
    done(
      await client.send('POST', `/admin/casinos/${casinoId}/fairness/rotate`, {
        headers: { Authorization: `Bearer ${adminApiKey}` },
      }),
    )
    await changeAsOwner(
      database,
      sql`UPDATE server_seed SET retired_at = retired_at - interval '1 hour'
           WHERE casino_id = ${casinoId}::text AND state = 'retired'`,
    )
    while ((await createSeedTurns(deps).reveal()) > 0);
  }

  const archiveEventsOnce = () => archiveEvents(deps, archiveAfterMs)

  async function archiveAll(): Promise<void> {
    for (let lookedAt = 1; lookedAt > 0;) lookedAt = await archiveEventsOnce()
    for (let lookedAt = 1; lookedAt > 0;) lookedAt = await archivePrizes(deps, archiveAfterMs)
  }

  /** A new sweep for the casino's prizes. */
  async function archivePrizesOnly(casinoId: string, afterDays = 410): Promise<void> {
    await age(casinoId, 0)
    for (let lookedAt = 1; lookedAt > 0;) lookedAt = await archivePrizes(deps, afterDays * dayMs)
  }

  /** Erases what is to be erased, and makes all that has ended old enough. */
  async function prepare(casinoId: string): Promise<void> {
    await age(casinoId, 420)
    while ((await eraseOldDeliveries(deps)) > 0);
    await reveal(casinoId)
    await age(casinoId, 420)
    // The casino's last event stays.
    await factory.prize(casinoId, { playerId: 'last' })
  }

  async function makeEnded(ownCasino?: TestCasino): Promise<EndedWorld> {
    const casino = ownCasino ?? (await factory.casino())
    const operator = createOperator(client, casino.apiKey)
    const itemId = await factory.item(casino.id)
    const boxId = await factory.box(casino.id, {
      entries: [{ itemId, weight: 1, stock: 100 }],
      limit: { count: 6, period: 'lifetime' },
    })
    const win = async (playerId = 'ann') => {
      const reply = done(await open(casino, playerId, boxId))
      return textAt(reply, 'prize.id')
    }
    const base = `/${casino.id}`
    const [toDeliver, toCash, toVoid, toExpire] = [await win(), await win(), await win(), await win()]
    const place = async (number: number) => {
      done(await order(casino, 'ann', toDeliver))
      await service.drain() // otherwise the worker's step would come before or after the operator's
      return textAt(await operator.get(`${base}/prizes/${toDeliver}`), `data.orders.${number}.order_id`)
    }
    const move = async (orderId: string, name: string, body: object = {}) => {
      done(await operator.post(`${base}/orders/${orderId}/${name}`, { reason: 'as agreed', ...body }))
      await service.drain()
    }
    const first = await place(0)
    await move(first, 'hold', { hold_reason: 'fraud_risk' })
    await move(first, 'release')
    await move(first, 'reject', { returns_prize: true })
    const second = await place(1)
    for (const name of ['confirm', 'ship', 'deliver']) await move(second, name)
    done(await cashBack(casino, 'ann', toCash))
    await service.drain()
    const cashbackId = textAt(await operator.get(`${base}/prizes/${toCash}`), 'data.cashbacks.0.cashback_id')
    done(await operator.post(`${base}/prizes/${toVoid}/void`, { reason: 'a mistake' }))
    await changeAsOwner(
      database,
      sql`UPDATE prize SET expires_at = now() - interval '1 day'
           WHERE casino_id = ${casino.id}::text AND id = ${toExpire}::text`,
    )
    while ((await expirePrizes(deps)) > 0);
    const { prizeId: given } = await factory.prize(casino.id, { playerId: 'ben', prizeId: 'chosen-1' })
    done(await operator.post(`${base}/prizes/${given}/void`, { reason: 'a mistake' }))
    done(await operator.post(`${base}/prizes/${toDeliver}/notes`, { text: 'she called twice' }))
    const won = await win('ben')
    await service.drain()
    const openingId = textAt(await operator.get(`${base}/prizes/${toDeliver}`), 'data.opening_id')
    return {
      casino,
      operator,
      boxId,
      itemId,
      delivered: { prizeId: toDeliver, orderIds: [first, second], openingId },
      cashed: { prizeId: toCash, cashbackId },
      voided: toVoid,
      expired: toExpire,
      given,
      won,
    }
  }

  /** How many rows of the casino are live and archived, of each table. */
  async function countRows(casinoId: string): Promise<Record<string, [live: number, archived: number]>> {
    const counts: Record<string, [number, number]> = {}
    for (const table of unitTables) {
      const rows = await database.$queryRaw<{ live: number; archived: number }[]>`
        SELECT (SELECT count(*)::int FROM ${Prisma.raw(table)} WHERE casino_id = ${casinoId}::text) AS live,
               (SELECT count(*)::int FROM ${Prisma.raw(`archived_${table}`)} WHERE casino_id = ${casinoId}::text) AS archived`
      counts[table] = [rows[0]?.live ?? -1, rows[0]?.archived ?? -1]
    }
    return counts
  }

  /** The counts of archived openings that are not zero. */
  const readCounts = (casinoId: string) => database.$queryRaw<object[]>`
    SELECT 'player' AS what, player_id AS whose, openings, 0::bigint AS returned FROM archived_opening_count
     WHERE casino_id = ${casinoId}::text AND openings <> 0
     UNION ALL
    SELECT 'entry', box_id || version || position || item_id || substituted || forced, openings, returned
      FROM archived_draw_count WHERE casino_id = ${casinoId}::text AND (openings, returned) <> (0, 0)
     ORDER BY 1, 2`

  return {
    age,
    prepare,
    archiveAll,
    archiveEventsOnce,
    archivePrizesOnly,
    makeEnded,
    countRows,
    readCounts,
    order,
    cashBack,
    open,
  }
}
