import { expect } from 'chai'
import { pino } from 'pino'
import { atEndOfTest } from '../../support/at-end.ts'
import { adminApiKey } from '../../support/config.ts'
import { damageSeeds } from '../../support/owner.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { createSeedTurns } from '../../../worker/loops.ts'

describe('a casino whose seeds cannot be opened', () => {
  let service: TestService
  let bad: Awaited<ReturnType<typeof createCasino>>
  let good: Awaited<ReturnType<typeof createCasino>>
  let later = 0
  const clock = { now: () => new Date(Date.now() + later) }
  const lines: Record<string, unknown>[] = []
  const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>) })

  const atTestEnd = atEndOfTest()
  beforeEach(async () => {
    later = 0
    lines.length = 0
    service = await startService({ clock, log })
    atTestEnd(() => service.stop())
    ;[bad, good] = [await createCasino(), await createCasino()]
  })

  /** Of another process, which has not opened any seed before. */
  const startFresh = async () => {
    const fresh = await startService({ env: service.env, clock })
    atTestEnd(() => fresh.stop())
    return fresh
  }
  async function createCasino() {
    const { id, apiKey } = await service.factory.casino()
    const itemId = await service.factory.item(id)
    const limit = { count: 100, period: 'lifetime' as const }
    const boxId = await service.factory.box(id, { entries: [{ itemId, weight: 1 }], limit })
    const open = async ({ client }: TestService) =>
      (await client.post('/box/open', apiKey, { player_id: 'p', box_id: boxId })).status
    expect(await open(service)).to.equal(200)
    const seeds = async () => {
      const rows = await service.database.serverSeed.findMany({
        where: { casinoId: id },
        orderBy: { id: 'asc' },
      })
      return rows.map((row) => ({ id: row.id, state: row.state, isUsed: row.activatedAt !== null }))
    }
    const seedIn = async (state: string) => (await seeds()).find((seed) => seed.state === state)?.id ?? ''
    return { id, open, seeds, seedIn }
  }
  const rotate = async ({ client }: TestService, casinoId: string) => {
    const headers = { Authorization: `Bearer ${adminApiKey}` }
    const reply = await client.send('POST', `/admin/casinos/${casinoId}/fairness/rotate`, { headers })
    expect(reply.status, reply.text).to.equal(200)
    return (reply.json as { data: { rotated: boolean; retired_seed_id: string | null } }).data
  }

  it('opens boxes again after a rotation on request, under a new seed', async () => {
    const [active, next] = [await bad.seedIn('active'), await bad.seedIn('next')]
    const others = await good.seeds()
    expect(await damageSeeds(service.database, bad.id, ['active', 'next'])).to.equal(2)
    const fresh = await startFresh()
    expect(await bad.open(fresh)).to.equal(500)
    expect(await rotate(fresh, bad.id)).to.deep.equal({ rotated: true, retired_seed_id: active })
    expect(await bad.open(fresh)).to.equal(200)
    const seeds = await bad.seeds()
    expect(seeds.map(({ state }) => state).sort()).to.deep.equal(['active', 'next', 'retired', 'retired'])
    expect(seeds.find(({ id }) => id === next)).to.deep.equal({ id: next, state: 'retired', isUsed: false })
    expect(await good.seeds()).to.deep.equal(others)
    expect(await good.open(fresh)).to.equal(200)
  })

  it('opens boxes again without a request, once a worker has looked', async () => {
    const others = await good.seeds()
    await damageSeeds(service.database, bad.id, ['active', 'next'])
    const fresh = await startFresh()
    expect(await bad.open(fresh)).to.equal(500)
    expect(await createSeedTurns(service.startWorker().deps).rotate()).to.equal(1)
    expect(await bad.open(fresh)).to.equal(200)
    const seeds = await bad.seeds()
    expect(seeds.map(({ state }) => state).sort()).to.deep.equal(['active', 'next', 'retired', 'retired'])
    expect(await good.seeds()).to.deep.equal(others)
    expect(await createSeedTurns(service.startWorker().deps).rotate()).to.equal(0)
  })

  it('keeps its seed when only the next one is damaged, which is replaced and never used', async () => {
    const [active, next] = [await bad.seedIn('active'), await bad.seedIn('next')]
    await damageSeeds(service.database, bad.id, ['next'])
    const { deps } = service.startWorker()
    const workers = await Promise.all([
      createSeedTurns(deps).rotate(),
      createSeedTurns(service.startWorker().deps).rotate(),
    ])
    expect(workers.reduce((sum, count) => sum + count)).to.equal(1)
    const seeds = await bad.seeds()
    expect(seeds.map(({ state }) => state).sort()).to.deep.equal(['active', 'next', 'retired'])
    expect(await bad.seedIn('active')).to.equal(active)
    expect(seeds.find(({ id }) => id === next)).to.deep.equal({ id: next, state: 'retired', isUsed: false })
    expect(await bad.open(await startFresh())).to.equal(200)
  })

  it('is left to its operator when an encryption key is missing, because other processes may have the key', async () => {
    await service.database.serverSeed.updateMany({
      where: { casinoId: bad.id },
      data: { sealedKeyId: 'gone' },
    })
    expect(await createSeedTurns(service.startWorker().deps).rotate()).to.equal(0)
    const fresh = await startFresh()
    expect(await bad.open(fresh)).to.equal(500)
    expect((await rotate(fresh, bad.id)).rotated).to.equal(true)
    expect(await bad.open(fresh)).to.equal(200)
  })

  it('is counted by the state of its seeds, and each seed is logged once', async () => {
    const gauge = async () => {
      const text = await deps.metrics.registry.metrics()
      const counts: Record<string, number> = {}
      for (const [, state = '', count] of text.matchAll(/^rewards_seeds_unopened\{state="(\w+)"\} (\d+)$/gm))
        counts[state] = Number(count)
      return counts
    }
    const { deps } = service.startWorker()
    const seeds = createSeedTurns(deps)
    await service.database.serverSeed.updateMany({
      where: { casinoId: bad.id },
      data: { sealedKeyId: 'gone' },
    })
    const [active, next] = [await bad.seedIn('active'), await bad.seedIn('next')]
    for (let run = 0; run < 3; run++) expect(await seeds.rotate()).to.equal(0)
    expect(await gauge()).to.deep.equal({ active: 1, next: 1 })
    expect(named()).to.have.members([`${active} active key_missing`, `${next} next key_missing`])

    const retired = await good.seedIn('active')
    await rotate(service, good.id)
    await damageSeeds(service.database, good.id, ['retired'])
    later = 31_000
    for (let run = 0; run < 3; run++) expect(await seeds.reveal()).to.equal(0)
    expect(await gauge()).to.deep.equal({ active: 1, next: 1, retired: 1 })
    expect(named()).to.have.lengthOf(3).and.to.include(`${retired} retired damaged`)

    await rotate(service, bad.id)
    later = 62_000
    await seeds.rotate()
    expect(await gauge()).to.deep.equal({ active: 0, next: 0, retired: 1 })
  })
  const named = () =>
    lines
      .filter(({ msg }) => msg === 'seed not opened')
      .map(({ seedId, state, fault }) => `${String(seedId)} ${String(state)} ${String(fault)}`)
})
