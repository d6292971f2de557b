import { expect } from 'chai'
import { atEndOfSuite } from '../../support/at-end.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { exportPages, readSigningKey } from '../../support/evidence.ts'
import type { TestCasino } from '../../support/factory.ts'
import { rotateSeed } from '../../../core/fairness/rotate-seed.ts'

describe('GET /fairness/openings', () => {
  let service: TestService
  let casino: TestCasino
  let seedIds: string[]
  /** In the order in which they were opened. */
  const opened: { id: string; playerId: string; seedId: string }[] = []

  const createBox = async (entryCount: number) => {
    const itemIds: string[] = []
    for (let i = 0; i < Math.min(entryCount, 2); i++) itemIds.push(await service.factory.item(casino.id))
    return service.factory.box(casino.id, {
      entries: Array.from({ length: entryCount }, (_, i) => ({
        itemId: itemIds[i % 2] ?? '',
        weight: i + 1,
      })),
      limit: { count: 1000, period: 'lifetime' },
    })
  }
  const open = async (playerId: string, boxId: string) => {
    const body = { player_id: playerId, box_id: boxId }
    const reply = await service.client.post('/box/open', casino.apiKey, body)
    expect(reply.status).to.equal(200)
    const { opening } = reply.json as { opening: { id: string; seed_id: string } }
    return { id: opening.id, playerId, seedId: opening.seed_id }
  }
  const get = (query: string, apiKey = casino.apiKey) =>
    service.client.send('GET', `/fairness/openings${query}`, {
      headers: { Authorization: `Bearer ${apiKey}` },
    })
  const idsOf = async (query: string) =>
    (await exportPages(service.client, casino.apiKey, query)).flatMap((page) =>
      page.data.map((row) => row.id),
    )

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    casino = await service.factory.casino()
    const boxId = await createBox(3)
    for (let round = 0; round < 2; round++) {
      for (let turn = 0; turn < 9; turn++) opened.push(await open(turn % 3 === 0 ? 'ann' : 'bob', boxId))
      await rotateSeed(service.deps, casino.id, opened.at(-1)?.seedId ?? '')
    }
    seedIds = [...new Set(opened.map(({ seedId }) => seedId))]
    expect(seedIds).to.have.length(2)
  })

  const expected = (playerId?: string, seedId?: string) =>
    opened
      .filter((of) => (playerId ?? of.playerId) === of.playerId && (seedId ?? of.seedId) === of.seedId)
      .map(({ id }) => id)

  it('lists the openings under a seed, of a player, of both, or all, with pages of any size', async () => {
    const [, seedId = ''] = seedIds
    for (const limit of [1, 4, 9, 1000]) {
      expect(await idsOf(`limit=${limit}`)).to.deep.equal(
        [...seedIds].sort().flatMap((id) => expected(undefined, id)),
      )
      expect(await idsOf(`limit=${limit}&seed_id=${seedId}`)).to.deep.equal(expected(undefined, seedId))
      expect(await idsOf(`limit=${limit}&player_id=ann`)).to.deep.equal(expected('ann'))
      expect(await idsOf(`limit=${limit}&player_id=ann&seed_id=${seedId}`)).to.deep.equal(
        expected('ann', seedId),
      )
    }
    expect(await idsOf('player_id=nobody')).to.deep.equal([])
    expect(await idsOf(`seed_id=sed_${'0'.repeat(32)}`)).to.deep.equal([])
  })

  it('has the same rows as the single openings', async () => {
    const [page] = await exportPages(service.client, casino.apiKey, 'player_id=bob')
    for (const row of page?.data ?? []) {
      const single = await service.client.send('GET', `/fairness/openings/${row.id}`, {
        headers: { Authorization: `Bearer ${casino.apiKey}` },
      })
      expect(single.json).to.deep.equal({ status: 'success', data: row })
      expect(row['signing_key']).to.equal(await readSigningKey(service.client))
      expect(row['casino_id']).to.equal(casino.id)
    }
    expect(page?.data).to.have.length(12)
  })

  it('keeps casinos apart', async () => {
    const other = await service.factory.casino()
    for (const query of ['', '?player_id=ann', `?seed_id=${seedIds[0] ?? ''}`]) {
      expect((await get(query, other.apiKey)).json).to.deep.equal({ status: 'success', data: [] })
    }
    expect((await get('', 'no-key')).status).to.equal(401)
  })

  it('makes shorter pages when the odds tables are long', async () => {
    const boxId = await createBox(3_000)
    const ids: string[] = []
    for (let turn = 0; turn < 30; turn++) ids.push((await open('whale', boxId)).id)
    const pages = await exportPages(service.client, casino.apiKey, 'player_id=whale&limit=1000')
    expect(pages.flatMap((page) => page.data.map((row) => row.id))).to.deep.equal(ids)
    expect(pages.length).to.be.greaterThan(1)
    for (const page of pages) expect(JSON.stringify(page).length).to.be.lessThan(6_000_000)
  })

  it('refuses invalid parameters by name', async () => {
    const refused: [string, string][] = [
      ['limit=0', 'limit'],
      ['limit=1001', 'limit'],
      ['limit=1e9', 'limit'],
      ['limit=x', 'limit'],
      ['limit=1.5', 'limit'],
      ['seed_id=%00', 'seed_id'],
      ['seed_id=sed_1', 'seed_id'],
      [`seed_id=${'x'.repeat(500)}`, 'seed_id'],
      ['player_id=%00', 'player_id'],
      [`player_id=${'x'.repeat(129)}`, 'player_id'],
      ['cursor=x', 'cursor'],
      ['cursor=%00', 'cursor'],
      [`cursor=${Buffer.from(`sed_1 opn_1 1`).toString('base64url')}`, 'cursor'],
      [`cursor=${Buffer.from(` opn_${'0'.repeat(32)} ${'9'.repeat(19)}`).toString('base64url')}`, 'cursor'],
    ]
    for (const [query, name] of refused) {
      const reply = await get(`?${query}`)
      expect(reply.status, query).to.equal(400)
      expect(Object.keys((reply.json as { errors: object }).errors), query).to.deep.equal([name])
    }
    expect((await get('?__proto__=1&constructor=2&player_id=ann&player_id=%00')).status).to.equal(200)
    const reply = await service.client.send('POST', '/fairness/openings')
    expect([reply.status, reply.headers.get('allow')]).to.deep.equal([405, 'HEAD, GET'])
  })
})
