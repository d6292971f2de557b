import { at, createOperator } from '../api/admin/operator.ts'
import type { TestCasino } from './factory.ts'
import { startService } from './service.ts'
import type { TestService } from './service.ts'

type Moment = Date | string | number

/** A service whose clock says what a test wants, with a casino that has one item, and one player of it. */
export interface ClockedService {
  service: TestService
  casino: TestCasino
  /** Publishes a box, with the one item unless `box` says otherwise, and returns its id. */
  publish(boxId: string, box: object): Promise<string>
  /** Opens the box for the player: `opened`, or why not. */
  openAt(moment: Moment, boxId: string, idempotencyKey?: string): Promise<string>
  /** The player's part of the box in the catalogue; undefined when the box is not in it. */
  leftAt(moment: Moment, boxId: string): Promise<unknown>
}

export async function startClockedService(): Promise<ClockedService> {
  let now = new Date('2027-01-01T00:00:00Z')
  const service = await startService({ clock: { now: () => now } })
  const casino = await service.factory.casino()
  const operator = createOperator(service.client, casino.apiKey)
  await operator.put(`/${casino.id}/items/mug`, { name: 'Mug', kind: 'physical' })
  return {
    service,
    casino,
    publish: async (boxId, box) => {
      const reply = await operator.put(`/${casino.id}/boxes/${encodeURIComponent(boxId)}`, {
        name: boxId,
        entries: [{ item_id: 'mug', weight: 1 }],
        ...box,
      })
      if (reply.status !== 200) throw new Error(`not published: ${reply.text}`)
      return boxId
    },
    openAt: async (moment, boxId, key) => {
      now = new Date(moment)
      const headers: Record<string, string> = key === undefined ? {} : { 'Idempotency-Key': key }
      const body = { player_id: 'p', box_id: boxId }
      const reply = await service.client.post('/box/open', casino.apiKey, body, headers)
      return reply.headers.get('X-Error-Code') ?? (reply.status === 200 ? 'opened' : reply.text)
    },
    leftAt: async (moment, boxId) => {
      now = new Date(moment)
      const path = `/boxes/${encodeURIComponent(boxId)}?player_id=p`
      const headers = { Authorization: `Bearer ${casino.apiKey}` }
      return at(await service.client.send('GET', path, { headers }), 'data.player')
    },
  }
}
