import { createOperator, textAt } from '../api/admin/operator.ts'
import type { TestOperator } from '../api/admin/operator.ts'
import type { Clock } from '../../core/platform/clock.ts'
import type { Env } from './config.ts'
import type { TestCasino } from './factory.ts'
import type { FakeReceiver } from './fake-receiver.ts'
import { startService } from './service.ts'
import type { TestService } from './service.ts'

/** A service with a casino that has webhook endpoints. */
export interface WebhookWorld {
  service: TestService
  casino: TestCasino
  operator: TestOperator
  /** Makes or changes an endpoint that is the receiver; returns its secret, if it is new. */
  putEndpoint(id: string, receiver: FakeReceiver, definition?: object): Promise<string>
  /** Writes events of a prize of its own: 1, 2 … `count`. */
  writeEvents(objectId: string, count: number, first?: number): Promise<void>
  /** Whether all events have become deliveries and all of these are over. */
  isQuiet(): Promise<boolean>
  /** How many deliveries are in each state. */
  states(): Promise<Record<string, number>>
  stop(): Promise<void>
}

export async function startWebhookWorld(
  options: { backend?: 'redis' | 'postgres'; clock?: Clock; env?: Env } = {},
): Promise<WebhookWorld> {
  const service = await startService(options)
  const casino = await service.factory.casino()
  const operator = createOperator(service.client, casino.apiKey)
  const { database } = service
  const states = async () => {
    const counts = await database.webhookDelivery.groupBy({ by: ['state'], _count: true })
    return Object.fromEntries(counts.map(({ state, _count }) => [state, _count]))
  }
  return {
    service,
    casino,
    operator,
    putEndpoint: async (id, receiver, definition = {}) => {
      const path = `/${casino.id}/webhook-endpoints/${id}`
      const reply = await operator.put(path, { url: `${receiver.url}/${id}`, ...definition })
      if (reply.status === 200) return ''
      return textAt(reply, 'data.secret')
    },
    writeEvents: async (objectId, count, first = 1) => {
      for (let sequence = first; sequence < first + count; sequence++) {
        await database.event.create({
          data: {
            casinoId: casino.id,
            objectType: 'prize',
            objectId,
            sequence,
            type: 'prize.changed',
            toState: 'won',
            actor: 'test',
            createdAt: new Date(),
          },
        })
      }
    },
    isQuiet: async () => {
      const behind = await database.$queryRaw<{ count: bigint }[]>`
        SELECT count(*) AS count FROM webhook_endpoint AS endpoint
          JOIN event ON event.casino_id = endpoint.casino_id
           AND (event.txid, event.id) > (endpoint.cursor_txid, endpoint.cursor_event_id)
         WHERE endpoint.state = 'enabled'`
      return Number(behind[0]?.count ?? 0) === 0 && (await states())['pending'] === undefined
    },
    states,
    stop: () => service.stop(),
  }
}
