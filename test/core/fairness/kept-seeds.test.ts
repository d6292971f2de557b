import { expect } from 'chai'
import { rotateSeed } from '../../../core/fairness/rotate-seed.ts'
import { revealRetiredSeeds } from '../../../core/fairness/reveal-seeds.ts'
import { findSqlState } from '../../../core/platform/database-error.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'

describe('server seeds in the database', () => {
  let service: TestService
  let later = 0
  const clock = { now: () => new Date(Date.now() + later) }

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService({ clock })
    atEnd(() => service.stop())
  })

  const sqlStateOf = (change: PromiseLike<unknown>) =>
    change.then(
      () => undefined,
      (error: unknown) => findSqlState(error),
    )

  it('keep their promise: nobody exchanges, takes back or deletes one', async () => {
    const { database, deps } = service
    const casino = await service.factory.casino()
    const active = (await deps.loadActiveSeeds([casino.id])).get(casino.id)
    const where = { casinoId: casino.id }
    for (const data of [
      { commitment: 'f'.repeat(64) },
      { casinoId: 'other' },
      { createdAt: new Date(0) },
      { id: 'sed_other' },
    ]) {
      expect(
        await sqlStateOf(database.serverSeed.updateMany({ where, data })),
        Object.keys(data)[0],
      ).to.equal('23001')
    }
    expect(await sqlStateOf(database.serverSeed.deleteMany({ where }))).to.equal('23001')
    expect(await sqlStateOf(database.$executeRaw`TRUNCATE server_seed`)).to.equal('23001')

    expect(await rotateSeed(deps, casino.id, active?.id ?? '')).to.equal(true)
    later += 31_000
    expect(await revealRetiredSeeds(deps)).to.equal(1)
    const revealed = { id: active?.id ?? '' }
    for (const data of [
      { state: 'active', revealedSeed: null },
      { state: 'retired', revealedSeed: null },
      { revealedSeed: 'ab'.repeat(32) },
    ]) {
      expect(await sqlStateOf(database.serverSeed.updateMany({ where: revealed, data }))).to.equal('23001')
    }
  })

  it('can be encrypted anew while they are secret', async () => {
    const { database, deps } = service
    const casino = await service.factory.casino()
    await deps.loadActiveSeeds([casino.id])
    const data = { sealedKey: new Uint8Array([1]), sealedKeyId: 'newer' }
    expect(await database.serverSeed.updateMany({ where: { casinoId: casino.id }, data })).to.include({
      count: 2,
    })
  })
})
