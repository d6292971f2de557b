import { expect } from 'chai'
import { atEndOfSuite } from '../../support/at-end.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { at, createOperator, listAt } from './operator.ts'

describe('GET /admin/casinos/{casino_id}/fairness/seeds/{seed_id}', () => {
  let service: TestService

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
  })

  it('shows each seed of the casino as players see it, and no seed of another one', async () => {
    const casino = await service.factory.casino()
    const operator = createOperator(service.client, casino.apiKey)
    const rotated = await operator.post(`/${casino.id}/fairness/rotate`)
    expect(rotated.status, rotated.text).to.equal(200)
    const seeds = listAt(
      await service.client.send('GET', '/fairness/seeds', {
        headers: { Authorization: `Bearer ${casino.apiKey}` },
      }),
    ) as { id: string; state: string; seed: string | null }[]
    expect(seeds.map(({ state }) => state)).to.have.members(['next', 'active', 'retired'])
    const other = await service.factory.casino()
    const stranger = createOperator(service.client, other.apiKey)
    for (const seed of seeds) {
      const read = await operator.get(`/${casino.id}/fairness/seeds/${seed.id}`)
      expect(at(read, 'data')).to.deep.equal(seed)
      expect(at(read, 'data.seed')).to.equal(null)
      const foreign = await stranger.get(`/${other.id}/fairness/seeds/${seed.id}`)
      expect([foreign.status, foreign.headers.get('X-Error-Code')]).to.deep.equal([404, 'seed_unknown'])
    }
    expect((await operator.get(`/${casino.id}/fairness/seeds/sed_none`)).status).to.equal(404)
  })
})
