import { expect } from 'chai'
import { createLoadActiveSeeds } from '../../../core/fairness/seeds.ts'
import { rotateSeed } from '../../../core/fairness/rotate-seed.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'

describe('loading active seeds', () => {
  let service: TestService
  let queries = 0
  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
  })

  /** As a process that has just started; counts its queries. */
  const createLoad = () => {
    queries = 0
    const database = new Proxy(service.database, {
      get: (target, name) => {
        if (name === '$queryRaw' || name === '$executeRaw') queries++
        return Reflect.get(target, name) as unknown
      },
    })
    return createLoadActiveSeeds({ ...service.deps, database })
  }

  it('sends no query for a seed that is already decrypted in memory and that the caller has seen active', async () => {
    const [one, other] = [await service.factory.casino(), await service.factory.casino()]
    const load = createLoad()
    const seeds = await load([one.id, other.id, one.id])
    const seen = new Map([...seeds].map(([casinoId, seed]) => [casinoId, seed.id]))
    const before = queries
    expect(await load([one.id, other.id, one.id], seen)).to.deep.equal(seeds)
    expect(queries).to.equal(before)
    expect(await load([])).to.deep.equal(new Map())
    expect(queries).to.equal(before)
  })

  it('looks up unknown seeds, and creates the first seeds of a casino without any', async () => {
    const casino = await service.factory.casino()
    const made = (await createLoad()([casino.id], new Map())).get(casino.id)
    const load = createLoad()
    const found = (await load([casino.id], new Map([[casino.id, made?.id ?? '']]))).get(casino.id)
    expect(found?.id).to.equal(made?.id)
    expect(queries).to.equal(1)
    const input = { playerId: 'p', nonce: 1n, clientSeed: null }
    expect(found?.createDrawSource(input)()).to.equal(made?.createDrawSource(input)())
  })

  it('gives the seed that was seen, or a newer one, never an older one', async () => {
    const casino = await service.factory.casino()
    const load = createLoad()
    const old = (await load([casino.id])).get(casino.id)
    await rotateSeed(service.deps, casino.id, old?.id ?? '')
    const { id } = await service.database.serverSeed.findFirstOrThrow({
      where: { casinoId: casino.id, state: 'active' },
    })
    expect((await load([casino.id], new Map([[casino.id, id]]))).get(casino.id)?.id).to.equal(id)
    expect((await load([casino.id])).get(casino.id)?.id).to.equal(id)
  })
})
