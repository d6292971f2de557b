import { expect } from 'chai'
import { pruneAnswers } from '../../core/idempotency/prune.ts'
import { atEndOfSuite } from '../support/at-end.ts'
import type { Reply } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { startService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'
import { readDocument, readTable } from './markdown.ts'

/** A player who may open the box without limit, so that only the key prevents a second opening. */
interface World {
  open: (key?: string, body?: Record<string, unknown>) => Promise<Reply>
  cashback: (key: string) => Promise<Reply>
  countOpenings: () => Promise<number>
  boxId: string
  casinoId: string
  apiKey: string
}

const day = 86_400_000

describe('docs/integrate/idempotency.md', () => {
  let service: TestService
  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
  })

  async function createWorld(): Promise<World> {
    const { factory, client, database } = service
    const casino = await factory.casino()
    const itemId = await factory.item(casino.id)
    const limit = { count: 1_000, period: 'lifetime' as const }
    const boxId = await factory.box(casino.id, { entries: [{ itemId, weight: 1 }], limit })
    const post = (path: string, body: object, key: string | undefined) =>
      client.post(path, casino.apiKey, body, key === undefined ? {} : { 'Idempotency-Key': key })
    return {
      boxId,
      casinoId: casino.id,
      apiKey: casino.apiKey,
      open: (key, body = { player_id: 'p', box_id: boxId }) => post('/box/open', body, key),
      cashback: (key) => post('/prize/cashback', { player_id: 'p', prize_id: 'none' }, key),
      countOpenings: () => database.opening.count({ where: { casinoId: casino.id } }),
    }
  }

  const expectReplay = (reply: Reply, first: Reply) => {
    expect([reply.status, reply.text]).to.deep.equal([200, first.text])
    expect(reply.headers.get('Idempotency-Replayed')).to.equal('true')
  }
  const expectFirst = (reply: Reply) => {
    expect(reply.status).to.equal(200)
    expect(reply.headers.has('Idempotency-Replayed')).to.equal(false)
  }
  const expectRefusal = (reply: Reply, status: number, code: string) => {
    expect([reply.status, reply.headers.get('X-Error-Code')]).to.deep.equal([status, code])
  }

  /** One for each row of the table, by its first cell. */
  const situations: Record<string, (world: World) => Promise<void>> = {
    'A new key': async ({ open, countOpenings, casinoId }) => {
      const reply = await open('k')
      expectFirst(reply)
      expect(await countOpenings()).to.equal(1)
      const stored = await service.database.idempotencyRecord.findMany({ where: { casinoId } })
      expect(stored.map(({ key, response }) => [key, response])).to.deep.equal([['k', reply.text]])
    },
    'The same key, operation and parameters again': async ({ open, countOpenings }) => {
      const first = await open('k')
      expectReplay(await open('k'), first)
      expectReplay(await open('"k"'), first)
      expect(await countOpenings()).to.equal(1)
    },
    'The same with parameters in another order, or with extra blank or unknown ones': async (world) => {
      const first = await world.open('k')
      expectReplay(await world.open('k', { more: 1, box_id: world.boxId, player_id: 'p' }), first)
      expect(await world.countOpenings()).to.equal(1)
    },
    'The same key with other parameters': async ({ open, countOpenings, boxId }) => {
      await open('k')
      expectRefusal(await open('k', { player_id: 'q', box_id: boxId }), 422, 'idempotency_key_reused')
      expect(await countOpenings()).to.equal(1)
    },
    'The same key for another operation': async ({ open, cashback }) => {
      await open('k')
      expectRefusal(await cashback('k'), 422, 'idempotency_key_reused')
    },
    'Several copies of a request at the same time': async ({ open, countOpenings }) => {
      const replies = await Promise.all(Array.from({ length: 20 }, () => open('k')))
      expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).to.equal(1)
      const replayed = replies.filter(({ headers }) => headers.get('Idempotency-Replayed') === 'true')
      expect(replayed).to.have.length(19)
      expect(await countOpenings()).to.equal(1)
    },
    'After a refusal or a failure (any status but 200)': async ({ open, countOpenings, boxId }) => {
      expectRefusal(await open('k', { player_id: 'p', box_id: 'none' }), 404, 'box_unknown')
      expectFirst(await open('k', { player_id: 'p', box_id: boxId }))
      expect(await countOpenings()).to.equal(1)
    },
    'No answer, or a 500: the effect is unknown': async ({ open, countOpenings, apiKey, boxId }) => {
      const giveUp = new AbortController()
      const lost = fetch(`${service.url}/box/open`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${apiKey}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': 'k',
        },
        body: JSON.stringify({ player_id: 'p', box_id: boxId }),
        signal: giveUp.signal,
      }).then(
        () => 'answered',
        () => 'lost',
      )
      setImmediate(() => {
        giveUp.abort()
      })
      await lost
      const replies = [await open('k'), await open('k')]
      expect(replies.map(({ status }) => status)).to.deep.equal([200, 200])
      expect(replies[1]?.text).to.equal(replies[0]?.text)
      await eventually('one opening', async () => (await countOpenings()) === 1)
    },
    'The same key in another casino': async ({ open, countOpenings }) => {
      const other = await createWorld()
      expectFirst(await open('k'))
      expectFirst(await other.open('k'))
      expect([await countOpenings(), await other.countOpenings()]).to.deep.equal([1, 1])
    },
    'After the retention': async ({ open, countOpenings, casinoId }) => {
      await open('k')
      await service.database.idempotencyRecord.updateMany({
        where: { casinoId },
        data: { createdAt: new Date(Date.now() - 31 * day) },
      })
      expect(await pruneAnswers(service.deps, service.deps.config.keepIdempotencyMs)).to.equal(1)
      expectFirst(await open('k'))
      expect(await countOpenings()).to.equal(2)
    },
    'An invalid key (empty, spaces, too long)': async ({ open, countOpenings }) => {
      for (const key of ['""', '', 'a b', 'x'.repeat(256)]) {
        expectRefusal(await open(key), 400, 'idempotency_key_invalid')
      }
      expect(await countOpenings()).to.equal(0)
    },
    'An API key in it': async ({ open, countOpenings, casinoId }) => {
      const apiKey = await service.factory.apiKey(casinoId, ['play'])
      for (const key of [apiKey, `"${apiKey}"`, `order-7/${apiKey}`, apiKey.slice(0, -7)]) {
        expectRefusal(await open(key), 400, 'api_key_misplaced')
      }
      expect(await countOpenings()).to.equal(0)
    },
    'No key': async ({ open, countOpenings, casinoId }) => {
      expectFirst(await open())
      expectFirst(await open())
      expect(await countOpenings()).to.equal(2)
      await service.database.apiKey.updateMany({
        where: { casinoId },
        data: { requiresIdempotencyKey: true },
      })
      await eventually('the key is strict', async () => (await open()).status === 400)
      const before = await countOpenings()
      expectRefusal(await open(), 400, 'idempotency_key_required')
      expect(await countOpenings()).to.equal(before)
    },
  }

  const rows = readTable(readDocument('docs/integrate/idempotency.md'), '## What happens').map(
    ([situation = '']) => situation,
  )

  it('has a row for each tested situation, and no others', () => {
    expect(rows).to.have.members(Object.keys(situations))
  })

  for (const [situation, check] of Object.entries(situations)) {
    it(`states the actual answer and effect of the situation: ${situation}`, async () => {
      await check(await createWorld())
    })
  }
})
