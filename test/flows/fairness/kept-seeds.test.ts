import { expect } from 'chai'
import { rotateSeed } from '../../../core/fairness/rotate-seed.ts'
import { revealRetiredSeeds } from '../../../core/fairness/reveal-seeds.ts'
import type { UnopenedSeed } from '../../../core/fairness/unopened-seeds.ts'
import { findSqlState } from '../../../core/platform/database-error.ts'
import { sql } from '../../../core/platform/sql.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { eventually } from '../../support/eventually.ts'
import { changeAsOwner } from '../../support/owner.ts'
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

  let unopened: readonly UnopenedSeed[] = []
  const reveal = () =>
    revealRetiredSeeds({
      ...service.deps,
      reportUnopened: (seeds) => {
        unopened = seeds
      },
    })
  const sqlStateOf = (change: PromiseLike<unknown>) =>
    change.then(
      () => undefined,
      (error: unknown) => findSqlState(error),
    )

  it('cannot be replaced, changed or deleted', async () => {
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
    expect(await reveal()).to.equal(1)
    const revealed = { id: active?.id ?? '' }
    for (const data of [
      { state: 'active', revealedSeed: null },
      { state: 'retired', revealedSeed: null },
      { revealedSeed: 'ab'.repeat(32) },
    ]) {
      expect(await sqlStateOf(database.serverSeed.updateMany({ where: revealed, data }))).to.equal('23001')
    }
  })

  it('are sealed once, and change state one step at a time', async () => {
    const { database, deps } = service
    const casino = await service.factory.casino()
    const active = (await deps.loadActiveSeeds([casino.id])).get(casino.id)?.id ?? ''
    const refuses = async (where: object, data: object) => {
      expect(
        await sqlStateOf(database.serverSeed.updateMany({ where: { casinoId: casino.id, ...where }, data })),
        JSON.stringify(data),
      ).to.equal('23001')
    }
    const at = new Date()
    await refuses({}, { sealedSeed: new Uint8Array([1]) })
    await refuses({ state: 'active' }, { activatedAt: at })
    await refuses({ state: 'active' }, { retiredAt: at })
    await refuses({ state: 'next' }, { state: 'retired', retiredAt: at, activatedAt: at })
    await refuses({ state: 'next' }, { revealedAt: at })
    const revealed = await database.serverSeed.findFirstOrThrow({ where: { state: 'revealed' } })
    const seed = { revealedSeed: revealed.revealedSeed, revealedAt: at }
    await refuses({ state: 'active' }, { state: 'revealed', retiredAt: at, ...seed })
    expect(await rotateSeed(deps, casino.id, active)).to.equal(true)
    await refuses({ id: active }, { retiredAt: at })
    later += 31_000
    // A refused statement's locks are released just after its error is sent, and a locked seed is left for the next time.
    await eventually('the seed is revealed', async () => (await reveal()) > 0)
    await refuses({ id: active }, { revealedAt: at })
  })

  it('are created as the next one, or as the first of a casino', async () => {
    const { database, deps, factory } = service
    const [casino, other] = [await factory.casino(), await factory.casino()]
    const active = (await deps.loadActiveSeeds([casino.id])).get(casino.id)?.id ?? ''
    const row = await database.serverSeed.findUniqueOrThrow({ where: { id: active } })
    const copy = { ...row, id: 'sed_later', commitment: 'e'.repeat(64) }
    const insert = (data: object) => sqlStateOf(database.serverSeed.create({ data: { ...copy, ...data } }))
    await database.serverSeed.updateMany({
      where: { id: active },
      data: { state: 'retired', retiredAt: new Date() },
    })
    expect(await insert({})).to.equal('23001')
    const retired = { state: 'retired', retiredAt: new Date() }
    expect(await insert({ ...retired, casinoId: other.id })).to.equal('23001')
    expect(await insert({ casinoId: other.id })).to.equal(undefined)
  })

  it('can be encrypted again while they are secret', async () => {
    const { database, deps } = service
    const casino = await service.factory.casino()
    await deps.loadActiveSeeds([casino.id])
    const data = { sealedKey: new Uint8Array([1]), sealedKeyId: 'newer' }
    expect(await database.serverSeed.updateMany({ where: { casinoId: casino.id }, data })).to.include({
      count: 2,
    })
  })

  it('have one commitment each: the same seed is committed to once, in all casinos', async () => {
    const { database, deps, factory } = service
    const casinos = [await factory.casino(), await factory.casino()]
    await deps.loadActiveSeeds(casinos.map(({ id }) => id))
    const [one] = await database.serverSeed.findMany({ where: { casinoId: casinos[0]?.id ?? '' } })
    if (one === undefined) throw new Error('a casino without a seed')
    const copy = { ...one, id: 'sed_copy', state: 'retired', activatedAt: new Date(), retiredAt: new Date() }
    expect(await errorOf(database.serverSeed.create({ data: copy }))).to.include('commitment')
  })

  it('are neither drawn from nor revealed when the sealed seed does not match its commitment; others are', async () => {
    const { database, deps, factory } = service
    const [casino, other] = [await factory.casino(), await factory.casino()]
    await deps.loadActiveSeeds([other.id])
    const bad = await deps.loadActiveSeeds([casino.id]).then((seeds) => seeds.get(casino.id)?.id ?? '')
    const sealed = deps.cipher.seal('ab'.repeat(32), bad)
    await changeAsOwner(
      database,
      sql`UPDATE server_seed SET sealed_seed = ${sealed.ciphertext}::bytea, sealed_key = ${sealed.wrappedKey}::bytea
           WHERE id = ${bad}::text`,
    )
    const fresh = await startService({ env: service.env, clock })
    try {
      const seeds = await fresh.deps.loadActiveSeeds([casino.id, other.id])
      expect([...seeds.keys()]).to.deep.equal([other.id])
    } finally {
      await fresh.stop()
    }
    const good = await deps.loadActiveSeeds([other.id]).then((seeds) => seeds.get(other.id)?.id ?? '')
    for (const [casinoId, id] of [
      [casino.id, bad],
      [other.id, good],
    ] as const)
      expect(await rotateSeed(deps, casinoId, id)).to.equal(true)
    later += 31_000
    expect(await reveal()).to.be.greaterThan(0)
    expect(unopened).to.deep.equal([{ id: bad, casinoId: casino.id, state: 'retired', fault: 'damaged' }])
    const states = await database.serverSeed.findMany({ where: { id: { in: [bad, good] } } })
    expect(new Map(states.map(({ id, state }) => [id, state]))).to.deep.equal(
      new Map([
        [bad, 'retired'],
        [good, 'revealed'],
      ]),
    )
  })

  it('have a date by which they are revealed, and are counted when it passes', async () => {
    const { database, deps, factory, client } = service
    const casino = await factory.casino()
    const active = (await deps.loadActiveSeeds([casino.id])).get(casino.id)?.id ?? ''
    const overdue = async () =>
      Number(/^rewards_seeds_overdue (\d+)$/m.exec(await deps.metrics.registry.metrics())?.[1])
    const before = await overdue()
    await database.serverSeed.update({
      where: { id: active },
      data: { state: 'retired', retiredAt: new Date(Date.now() - 4 * 60_000) },
    })
    expect(await overdue()).to.equal(before)
    await changeAsOwner(
      database,
      sql`UPDATE server_seed SET retired_at = retired_at - interval '2 minutes' WHERE id = ${active}::text`,
    )
    expect(await overdue()).to.equal(before + 1)
    const reply = await client.send('GET', '/fairness/seeds', {
      headers: { Authorization: `Bearer ${casino.apiKey}` },
    })
    const { data } = reply.json as { data: Record<string, string>[] }
    const retired = data.find(({ id }) => id === active)
    expect(Date.parse(retired?.['reveal_by'] ?? '') - Date.parse(retired?.['retired_at'] ?? '')).to.equal(
      300_000,
    )
    expect(data.find(({ state }) => state === 'next')?.['reveal_by']).to.equal(null)
  })

  describe('limit the openings under them: the database refuses one', () => {
    let row: Awaited<ReturnType<typeof makeOpening>>

    async function makeOpening() {
      const { factory, client, database } = service
      const casino = await factory.casino()
      const itemId = await factory.item(casino.id)
      const limit = { count: 10, period: 'lifetime' as const }
      const boxId = await factory.box(casino.id, { entries: [{ itemId, weight: 1 }], limit })
      const reply = await client.post('/box/open', casino.apiKey, { player_id: 'p', box_id: boxId })
      expect(reply.status, reply.text).to.equal(200)
      return database.opening.findFirstOrThrow({ where: { casinoId: casino.id } })
    }
    before(async () => {
      row = await makeOpening()
    })

    const insert = (change: Partial<typeof row>) =>
      errorOf(service.database.opening.create({ data: { ...row, ...change } }))
    const next = { id: 'opn_next', prizeId: 'prz_next', sequence: 2n, nonce: 2n }

    const refusals: [string, () => Partial<typeof row> | Promise<Partial<typeof row>>, string][] = [
      ['whose nonce leaves one out', () => ({ ...next, nonce: 3n }), 'does not follow'],
      ['whose nonce is 0', () => ({ ...next, nonce: 0n }), 'does not follow'],
      ['whose sequence leaves one out', () => ({ ...next, sequence: 3n }), 'does not follow'],
      ['whose odds are not those of its version', () => ({ ...next, oddsHash: 'f'.repeat(64) }), 'odds'],
      ['of a version that does not exist', () => ({ ...next, version: 2 }), 'odds'],
      ['without a seed', () => ({ ...next, seedId: null, nonce: null }), 'it has no seed'],
      ['under a seed that does not exist', () => ({ ...next, seedId: 'sed_none' }), 'seed'],
      [
        'under the seed of another casino',
        async () => ({ ...next, nonce: 1n, seedId: (await makeOpening()).seedId }),
        'seed',
      ],
      [
        'under a seed that is not in use yet',
        async () => {
          const { id } = await service.database.serverSeed.findFirstOrThrow({
            where: { casinoId: row.casinoId, state: 'next' },
          })
          return { ...next, nonce: 1n, seedId: id }
        },
        'seed is not in use',
      ],
      [
        'under a seed that is revealed',
        async () => {
          expect(await rotateSeed(service.deps, row.casinoId, row.seedId ?? '')).to.equal(true)
          later += 31_000
          expect(await reveal()).to.be.greaterThan(0)
          const where = { id: row.seedId ?? '' }
          expect((await service.database.serverSeed.findUniqueOrThrow({ where })).state).to.equal('revealed')
          return next
        },
        'seed is not in use',
      ],
    ]
    for (const [what, makeChange, reason] of refusals) {
      it(what, async () => {
        const message = await insert(await makeChange())
        expect(message).to.include('an opening is refused').and.to.include(reason)
      })
    }
  })

  async function errorOf(change: PromiseLike<unknown>): Promise<string> {
    return change.then(
      () => 'nothing was refused',
      (error: unknown) => String(error),
    )
  }
})
