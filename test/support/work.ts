import { createRequestCashbacks } from '../../core/cashback/request-cashbacks.ts'
import { createEnvelopeCipher } from '../../core/crypto/envelope.ts'
import { systemClock } from '../../core/platform/clock.ts'
import type { Config } from '../../core/platform/config.ts'
import type { Database } from '../../core/platform/database.ts'
import { createPlaceOrders } from '../../core/prize-order/place-orders.ts'
import type { DueWork } from '../../core/queue/jobs.ts'
import { createFactory, delivery } from './factory.ts'

/** Causes work as the API does, but hands none of it over: it is in the outbox and nowhere else. */
export function createWorkFactory(database: Database, config: Config) {
  const factory = createFactory(database, config.hashSecret)

  async function requests(count: number) {
    const { id: casinoId } = await factory.casino()
    const prizes = await Promise.all(Array.from({ length: count }, () => factory.prize(casinoId)))
    return prizes.map((prize) => ({
      casinoId,
      ...prize,
      claim: undefined,
      actor: 'test',
      requestId: 'test',
    }))
  }

  async function cashbacks(count: number): Promise<DueWork[]> {
    const works: DueWork[] = []
    const handOver = (caused: readonly DueWork[]) => works.push(...caused)
    const { processWaiting: run } = createRequestCashbacks({
      database,
      clock: systemClock,
      handOver,
      response: '{}',
    })
    await run(await requests(count))
    return works
  }

  async function orders(count: number): Promise<DueWork[]> {
    const works: DueWork[] = []
    const handOver = (caused: readonly DueWork[]) => works.push(...caused)
    const cipher = createEnvelopeCipher(config.encryptionKeys)
    const { processWaiting: run } = createPlaceOrders({
      database,
      clock: systemClock,
      cipher,
      handOver,
      response: '{}',
    })
    await run((await requests(count)).map((request) => ({ ...request, delivery })))
    return works
  }

  return { cashbacks, orders }
}

/** Makes all work due now, for the relay to look at, except what a worker is writing at this moment. */
export async function makeAllDue(database: Database): Promise<void> {
  await database.$executeRaw`
    UPDATE outbox SET due_at = now() - interval '1 second'
     WHERE id IN (SELECT id FROM outbox FOR UPDATE SKIP LOCKED)`
}

/**
 * Ends the rest of all work that rests until later: the relay takes it next, and `drain` waits for it. Work in a line
 * is left to the process that has a slot for it.
 */
export async function wakeSnoozed(database: Database): Promise<void> {
  await database.$executeRaw`
    UPDATE outbox SET due_at = now() - interval '1 second', snoozed_until = NULL
     WHERE snoozed_until IS NOT NULL AND line IS NULL`
}
