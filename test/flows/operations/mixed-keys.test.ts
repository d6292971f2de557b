import { expect } from 'chai'
import fc from 'fast-check'
import { atEndOfSuite } from '../../support/at-end.ts'
import type { Reply } from '../../support/client.ts'
import { delivery } from '../../support/factory.ts'
import type { TestCasino } from '../../support/factory.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { runs } from '../../support/runs.ts'

/** Requests that arrive together are decided and stored together, those with an `Idempotency-Key` and those without. */
describe('requests with and without an Idempotency-Key in one batch', function () {
  this.timeout(120_000)
  let service: TestService
  let casino: TestCasino
  let boxId: string
  let count = 0

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    casino = await service.factory.casino()
    const itemId = await service.factory.item(casino.id)
    boxId = await service.factory.box(casino.id, {
      entries: [{ itemId, weight: 1 }],
      limit: { count: 1_000, period: 'lifetime' },
    })
  })

  type Send = (key: string | undefined) => Promise<Reply>
  const post = (path: string, body: object): Send => {
    return (key) =>
      service.client.post(path, casino.apiKey, body, key === undefined ? {} : { 'Idempotency-Key': key })
  }
  const makers: Record<string, () => Promise<Send>> = {
    openings: () => Promise.resolve(post('/box/open', { player_id: `player-${++count}`, box_id: boxId })),
    orders: async () => {
      const { playerId, prizeId } = await service.factory.prize(casino.id)
      return post('/prize/order', { player_id: playerId, prize_id: prizeId, ...delivery })
    },
    cashbacks: async () => {
      const { playerId, prizeId } = await service.factory.prize(casino.id)
      return post('/prize/cashback', { player_id: playerId, prize_id: prizeId })
    },
  }

  for (const [name, make] of Object.entries(makers)) {
    it(`get the stored answers of ${name} that have a key, in any order among those without a key`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.boolean(), { minLength: 2, maxLength: 12 }), async (mixture) => {
          const requests = await Promise.all(
            [false, ...mixture].map(async (hasKey) => ({
              send: await make(),
              key: hasKey ? `mixed-${++count}` : undefined,
            })),
          )
          const first = await Promise.all(requests.map(({ send, key }) => send(key)))
          expect(first.map((reply) => reply.status)).to.deep.equal(requests.map(() => 200))
          for (const [index, { send, key }] of requests.entries()) {
            if (key === undefined) continue
            const again = await send(key)
            expect(again.status, again.text).to.equal(200)
            expect(again.text).to.equal(first[index]?.text)
            expect(again.headers.get('Idempotency-Replayed')).to.equal('true')
          }
        }),
        { numRuns: runs(3) },
      )
    })
  }
})
