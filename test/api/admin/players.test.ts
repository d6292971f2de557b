import { expect } from 'chai'
import { atEndOfSuite } from '../../support/at-end.ts'
import { delivery } from '../../support/factory.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { at, createOperator } from './operator.ts'

describe('GET /admin/casinos/{casino_id}/players/{player_id}', () => {
  let service: TestService

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
  })

  it('shows prizes, orders and cashbacks by state, and the remaining openings of each open box', async () => {
    const { factory, client } = service
    const casino = await factory.casino()
    const operator = createOperator(client, casino.apiKey)
    const itemId = await factory.item(casino.id)
    const entries = [{ itemId, weight: 1 }]
    const granted = await factory.box(casino.id, { boxId: 'a-granted', entries })
    const limited = await factory.box(casino.id, {
      boxId: 'b-limited',
      entries,
      limit: { count: 3, period: 'lifetime' },
    })
    await factory.box(casino.id, { boxId: 'c-over', entries, activeUntil: new Date(0) })
    await factory.grant(casino.id, 'ann', granted, 5)
    const opened = await client.post('/box/open', casino.apiKey, { player_id: 'ann', box_id: limited })
    expect(opened.status, opened.text).to.equal(200)
    const ordered = await factory.prize(casino.id, { playerId: 'ann' })
    const body = { player_id: 'ann', prize_id: ordered.prizeId, ...delivery }
    expect((await client.post('/prize/order', casino.apiKey, body)).status).to.equal(200)
    await factory.prize(casino.id, { playerId: 'bob' })

    const ann = await operator.get(`/${casino.id}/players/ann`)
    expect(ann.status, ann.text).to.equal(200)
    expect(at(ann, 'data')).to.deep.include({
      player_id: 'ann',
      openings: 1,
      prizes: {
        states: [
          { state: 'ordered', count: 1 },
          { state: 'won', count: 1 },
        ],
        is_partial: false,
      },
      orders: { states: [{ state: 'pending_confirmation', count: 1 }], is_partial: false },
      cashbacks: { states: [], is_partial: false },
      balances: [],
      boxes: [
        { box_id: granted, access: 'granted', openings_left: 5, resets_at: null, expires_at: null },
        { box_id: limited, access: 'limited', openings_left: 2, resets_at: null, expires_at: null },
      ],
      has_more_boxes: false,
      erase_requested_at: null,
      erased_at: null,
    })
    expect(at(ann, 'data.first_seen_at')).to.be.a('string')
  })

  it('shows when a player was erased, or that the erasure waits for an open order', async () => {
    const { factory, client } = service
    const casino = await factory.casino()
    const operator = createOperator(client, casino.apiKey)
    const { prizeId } = await factory.prize(casino.id, { playerId: 'ann' })
    await client.post('/prize/order', casino.apiKey, { player_id: 'ann', prize_id: prizeId, ...delivery })
    for (const playerId of ['ann', 'bob']) {
      await operator.post(`/${casino.id}/players/${playerId}/erase`, { reason: 'asked for' })
    }
    const ann = await operator.get(`/${casino.id}/players/ann`)
    expect(at(ann, 'data.erase_requested_at')).to.be.a('string')
    expect(at(ann, 'data.erased_at')).to.equal(null)
    const bob = await operator.get(`/${casino.id}/players/bob`)
    expect(at(bob, 'data.erased_at')).to.be.a('string')
  })

  it('shows nothing of a player of the same name in another casino', async () => {
    const [casino, other] = [await service.factory.casino(), await service.factory.casino()]
    await service.factory.prize(other.id, { playerId: 'ann' })
    const reply = await createOperator(service.client, casino.apiKey).get(`/${casino.id}/players/ann`)
    expect(at(reply, 'data.prizes.states')).to.deep.equal([])
    expect(at(reply, 'data.first_seen_at')).to.equal(null)
  })

  it('counts the newest 1,000 objects, and says that there are more', async () => {
    const casino = await service.factory.casino()
    const created = new Date()
    await service.database.prize.createMany({
      data: Array.from({ length: 1_001 }, (_, index) => ({
        casinoId: casino.id,
        id: `prize-${String(index)}`,
        playerId: 'ann',
        itemId: 'mug',
        itemName: 'Mug',
        kind: 'physical',
        state: 'won',
        createdAt: created,
        updatedAt: created,
      })),
    })
    const reply = await createOperator(service.client, casino.apiKey).get(`/${casino.id}/players/ann`)
    expect(at(reply, 'data.prizes')).to.deep.equal({
      states: [{ state: 'won', count: 1_000 }],
      is_partial: true,
    })
  })
})
