import { expect } from 'chai'
import { revealRetiredSeeds } from '../../../core/fairness/reveal-seeds.ts'
import { createRotateDueSeeds } from '../../../core/fairness/rotate-due-seeds.ts'
import { readConfig } from '../../../core/platform/config.ts'
import { atEndOfTest } from '../../support/at-end.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { createWorkerDeps } from '../../../worker/deps.ts'
import { createSeedTurns } from '../../../worker/loops.ts'

const hourMs = 3_600_000

describe('rotation of server seeds', () => {
  let service: TestService
  let later = 0
  const clock = { now: () => new Date(Date.now() + later) }
  const limits = { afterDraws: 20, afterMs: 24 * hourMs }

  const atTestEnd = atEndOfTest()
  beforeEach(async () => {
    later = 0
    service = await startService({
      clock,
      env: { SEED_ROTATE_AFTER_DRAWS: String(limits.afterDraws), SEED_ROTATE_AFTER_HOURS: '24' },
    })
    atTestEnd(() => service.stop())
  })

  const createRotate = () =>
    createRotateDueSeeds({ ...service.deps, reportUnopened: () => undefined }, limits)
  const activeOf = (casinoId: string) =>
    service.database.serverSeed.findFirstOrThrow({ where: { casinoId, state: 'active' } })
  const createCasino = async () => {
    const casino = await service.factory.casino()
    const itemId = await service.factory.item(casino.id)
    const limit = { count: 100_000, period: 'lifetime' as const }
    const boxId = await service.factory.box(casino.id, { entries: [{ itemId, weight: 1 }], limit })
    return {
      id: casino.id,
      open: async (count: number) => {
        const replies = await Promise.all(
          Array.from({ length: count }, (_, index) =>
            service.client.post('/box/open', casino.apiKey, { player_id: `p${index % 7}`, box_id: boxId }),
          ),
        )
        expect(replies.every((reply) => reply.status === 200)).to.equal(true)
      },
    }
  }

  it('follows after a number of draws, for each casino separately', async () => {
    const [busy, idle] = [await createCasino(), await createCasino()]
    const rotate = createRotate()
    await Promise.all([busy.open(19), idle.open(5)])
    const [first, other] = [await activeOf(busy.id), await activeOf(idle.id)]
    expect(await rotate()).to.equal(0)
    await busy.open(1)
    expect(await rotate()).to.equal(1)
    const second = await activeOf(busy.id)
    expect(second.id).to.not.equal(first.id)
    expect((await activeOf(idle.id)).id).to.equal(other.id)
    // Counting begins again with the new seed.
    await busy.open(19)
    expect(await rotate()).to.equal(0)
    await busy.open(1)
    expect(await rotate()).to.equal(1)
    const states = await service.database.serverSeed.findMany({ where: { casinoId: busy.id } })
    expect(states.map(({ state }) => state).sort()).to.deep.equal(['active', 'next', 'retired', 'retired'])
  })

  it('follows after a time, but not for a seed that is unused', async () => {
    const [used, unused] = [await createCasino(), await createCasino()]
    await used.open(1)
    await service.deps.loadActiveSeeds([unused.id])
    const [first, other] = [await activeOf(used.id), await activeOf(unused.id)]
    const rotate = createRotate()
    later = 23 * hourMs
    expect(await rotate()).to.equal(0)
    later = 24 * hourMs
    expect(await rotate()).to.equal(1)
    later = 100 * hourMs
    expect(await rotate()).to.equal(0)
    expect((await activeOf(used.id)).id).to.not.equal(first.id)
    expect((await activeOf(unused.id)).id).to.equal(other.id)
  })

  it('happens once, however many workers there are, and without a request', async () => {
    const casino = await createCasino()
    await casino.open(25)
    const workers = Array.from({ length: 6 }, () => createWorkerDeps(readConfig(service.env), { clock }))
    for (const { close } of workers) atTestEnd(close)
    const rotated = await Promise.all(workers.map(({ deps }) => createSeedTurns(deps).rotate()))
    expect(rotated.reduce((sum, count) => sum + count)).to.equal(1)
    const seeds = await service.database.serverSeed.findMany({ where: { casinoId: casino.id } })
    expect(seeds.map(({ state }) => state).sort()).to.deep.equal(['active', 'next', 'retired'])
  })

  it('finds every casino that is due among many, and counts beyond the limit of one statement', async () => {
    const casino = await createCasino()
    await casino.open(1)
    const { id: seedId } = await activeOf(casino.id)
    await service.database.$executeRaw`
      INSERT INTO opening (id, casino_id, player_id, sequence, box_id, version, position, item_id, substituted,
                           prize_id, request_id, odds_hash, seed_id, nonce, opened_at)
      SELECT 'opn_' || lpad(n::text, 32, '0'), casino_id, 'bulk', n, box_id, version, position, item_id, substituted,
             'prz_' || n, request_id, odds_hash, seed_id, n, opened_at
        FROM opening CROSS JOIN generate_series(1, 4999) AS n
       WHERE casino_id = ${casino.id}::text`
    const others = await Promise.all(Array.from({ length: 240 }, () => service.factory.casino()))
    await service.deps.loadActiveSeeds(others.map(({ id }) => id))
    const deps = { ...service.deps, reportUnopened: () => undefined }
    const rotate = (afterDraws: number) => createRotateDueSeeds(deps, { ...limits, afterDraws })()
    expect(await rotate(5001)).to.equal(0)
    expect((await activeOf(casino.id)).id).to.equal(seedId)
    expect(await rotate(5000)).to.equal(1)
    expect((await activeOf(casino.id)).id).to.not.equal(seedId)
  })

  it('reveals seeds that can be opened behind any number of seeds that cannot', async () => {
    const casino = await createCasino()
    await casino.open(20)
    const retiring = await activeOf(casino.id)
    const lost = await Promise.all(Array.from({ length: 230 }, () => service.factory.casino()))
    const lostIds = lost.map(({ id }) => id)
    await service.deps.loadActiveSeeds(lostIds)
    await service.database.serverSeed.updateMany({
      where: { casinoId: { in: lostIds }, state: 'active' },
      data: { state: 'retired', retiredAt: new Date(1_000), sealedKeyId: 'gone' },
    })
    expect(await createRotate()()).to.equal(1)
    const unopened: string[] = []
    const reveal = () =>
      revealRetiredSeeds({
        ...service.deps,
        reportUnopened: (seeds) => {
          unopened.splice(0, unopened.length, ...seeds.map(({ fault, casinoId }) => `${fault} ${casinoId}`))
        },
      })
    const idOf = { where: { id: retiring.id } }
    expect(await reveal()).to.equal(0)
    expect(unopened).to.have.members(lostIds.map((id) => `key_missing ${id}`))
    expect((await service.database.serverSeed.findUniqueOrThrow(idOf)).state).to.equal('retired')
    later = 31_000
    expect(await reveal()).to.equal(1)
    expect(unopened).to.have.lengthOf(230)
    expect((await service.database.serverSeed.findUniqueOrThrow(idOf)).state).to.equal('revealed')
  })
})
