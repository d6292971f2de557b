import { expect } from 'chai'
// @ts-expect-error -- the verifier is plain JavaScript on purpose: an auditor runs it as it is
import { findProblem as problemOf } from '../../../tools/verify.mjs'
import { createOpenBoxes } from '../../../core/box/open-boxes.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { adminApiKey } from '../../support/config.ts'
import type { TestCasino } from '../../support/factory.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { runVerify, toLines } from '../../support/verify.ts'
import { createSeedTurns } from '../../../worker/loops.ts'
import { itInLongForm } from '../../support/runs.ts'

const findProblem = problemOf as (opening: Record<string, unknown>, key?: string) => string | undefined

interface Evidence extends Record<string, unknown> {
  player_id: string
  nonce: number
  seed: string | null
  seed_id: string
}

/** Values that are nearly the given one. */
function alterationsOf(value: unknown): unknown[] {
  switch (typeof value) {
    case 'string':
      return [`${value} `, value.slice(1), value.replace(/[0-9a-z]/, (c) => (c === '1' ? '2' : '1'))]
    case 'number':
      return [value + 1, value - 1, String(value)]
    case 'boolean':
      return [!value, String(value)]
    default: {
      const [[name, digest] = ['', '']] = Object.entries(value as Record<string, string>)
      return [{ ...(value as object), [name]: digest.replace(/^./, (c) => (c === '1' ? '2' : '1')) }, {}, []]
    }
  }
}

describe('verifiable draws', () => {
  let first: TestService
  let second: TestService
  let later = 0
  const clock = { now: () => new Date(Date.now() + later) }
  let casino: TestCasino
  let boxId: string
  let emptyBoxId: string

  const atEnd = atEndOfSuite()
  before(async () => {
    first = await startService({ clock })
    atEnd(() => first.stop())
    second = await startService({ env: first.env })
    atEnd(() => second.stop())
  })
  beforeEach(async () => {
    casino = await first.factory.casino()
    const [mug, cap, nothing] = [
      await first.factory.item(casino.id),
      await first.factory.item(casino.id),
      await first.factory.item(casino.id, { kind: 'none', cashback: null }),
    ]
    boxId = await first.factory.box(casino.id, {
      entries: [
        { itemId: mug, weight: 5, stock: 3 },
        { itemId: cap, weight: 7 },
      ],
      fallbackItemId: nothing,
      limit: { count: 1000, period: 'lifetime' },
    })
    emptyBoxId = await first.factory.box(casino.id, {
      entries: [
        { itemId: mug, weight: 5, stock: 0 },
        { itemId: cap, weight: 7, stock: 0 },
      ],
      fallbackItemId: nothing,
      limit: { count: 1000, period: 'lifetime' },
    })
  })

  const open = async (service: TestService, playerId: string, openedBoxId = boxId) => {
    const reply = await service.client.post('/box/open', casino.apiKey, {
      player_id: playerId,
      box_id: openedBoxId,
    })
    expect(reply.status, reply.headers.get('x-error-code') ?? '').to.equal(200)
    return (reply.json as { opening: { id: string; seed_commitment: string; nonce: number } }).opening
  }
  const get = async (path: string) => {
    const headers = { Authorization: `Bearer ${casino.apiKey}` }
    return (await first.client.send('GET', path, { headers })).json as { data: never }
  }
  const signingKey = async () => {
    const reply = await first.client.send('GET', '/fairness/key')
    return (reply.json as { data: { signing_key: string } }).data.signing_key
  }
  const evidence = async (id: string): Promise<Evidence> => (await get(`/fairness/openings/${id}`)).data
  /** Half a minute after the rotation the seed is revealed; a worker does it. */
  const reveal = async () => {
    later += 31_000
    await createSeedTurns(first.startWorker().deps).reveal()
  }
  const rotate = () =>
    first.client.send('POST', `/admin/casinos/${casino.id}/fairness/rotate`, {
      headers: { Authorization: `Bearer ${adminApiKey}` },
    })

  it('publish the commitment before the first use, and the seed only after rotation', async () => {
    const opening = await open(first, 'p')
    const before: { state: string; scheme: string; commitment: string; seed: string | null }[] = (
      await get('/fairness/seeds')
    ).data
    expect(before.map((seed) => seed.state).sort()).to.deep.equal(['active', 'next'])
    for (const { scheme } of before) expect(scheme).to.equal('hmac-sha256-v1')
    expect(before.every((seed) => seed.seed === null)).to.equal(true)
    expect(before.find((seed) => seed.state === 'active')?.commitment).to.equal(opening.seed_commitment)
    expect((await evidence(opening.id)).seed).to.equal(null)

    expect((await rotate()).status).to.equal(200)
    await reveal()
    const after: typeof before = (await get('/fairness/seeds')).data
    expect(after.map((seed) => seed.state).sort()).to.deep.equal(['active', 'next', 'revealed'])
    const promised = before.find((seed) => seed.state === 'next')?.commitment
    expect(after.find((seed) => seed.state === 'active')?.commitment).to.equal(promised)
    expect((await open(first, 'p')).seed_commitment).to.equal(promised)
    expect(findProblem(await evidence(opening.id))).to.equal(undefined)
  })

  it('have a commitment before the first opening', async () => {
    const fresh = await first.factory.casino()
    const itemId = await first.factory.item(fresh.id)
    const published = await first.client.send('PUT', `/admin/casinos/${fresh.id}/boxes/first`, {
      headers: { Authorization: `Bearer ${adminApiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'First', access: 'granted', entries: [{ item_id: itemId, weight: 1 }] }),
    })
    expect(published.status).to.equal(200)
    const seeds = await first.database.serverSeed.findMany({ where: { casinoId: fresh.id } })
    expect(seeds.map((seed) => seed.state).sort()).to.deep.equal(['active', 'next'])
    const { createdAt } = await first.database.boxVersion.findFirstOrThrow({ where: { casinoId: fresh.id } })
    expect(seeds.every((seed) => seed.createdAt <= createdAt)).to.equal(true)
  })

  it('list their seeds page by page, the active ones first', async () => {
    await open(first, 'p')
    for (let turn = 0; turn < 3; turn++) expect((await rotate()).status).to.equal(200)
    const states: string[] = []
    for (let cursor: string | undefined = ''; cursor !== undefined && states.length < 9;) {
      const page = (await get(`/fairness/seeds?limit=2${cursor}`)) as {
        data: { state: string }[]
        next_cursor?: string
      }
      states.push(...page.data.map(({ state }) => state))
      cursor = page.next_cursor === undefined ? undefined : `&cursor=${page.next_cursor}`
    }
    expect(states).to.deep.equal(['next', 'active', 'retired', 'retired', 'retired'])
  })

  it('can be repeated offline, including out-of-stock entries and fallbacks', async () => {
    const openings = []
    for (let i = 0; i < 30; i++) openings.push(await open(first, `player ${i % 3}`))
    await rotate()
    await reveal()
    const exported = await Promise.all(openings.map((opening) => evidence(opening.id)))
    expect(exported.some((opening) => opening['substituted_for'] !== null)).to.equal(true)
    const verdict = await runVerify(toLines(exported), ['--key', await signingKey()])
    expect(verdict).to.deep.equal({ exitCode: 0, stdout: '30 verified, 0 not verified\n', stderr: '' })
  })

  itInLongForm('reveal tampering with any field, by its name', async () => {
    await first.client.send('PUT', '/fairness/players/honest/client-seed', {
      headers: { Authorization: `Bearer ${casino.apiKey}`, 'Content-Type': 'application/json' },
      body: '{"client_seed":"lucky"}',
    })
    const opening = await open(first, 'honest', emptyBoxId)
    await rotate()
    await reveal()
    const honest = await evidence(opening.id)
    const key = await signingKey()
    expect(findProblem(honest, key)).to.equal(undefined)
    expect(Object.keys(honest)).to.have.length.greaterThan(18)
    for (const [name, value] of Object.entries(honest)) {
      expect(value, `${name} is something that can be altered`).to.not.equal(null)
      for (const other of alterationsOf(value)) {
        const text = JSON.stringify({ ...honest, [name]: other })
        const problem = findProblem(JSON.parse(text) as Evidence, key)
        expect(problem, `${name}: ${JSON.stringify(other)}`).to.equal(`${name} does not match`)
      }
      const verdict = await runVerify(JSON.stringify({ ...honest, [name]: null }), ['--key', key])
      expect(verdict.stderr).to.equal(`${name === 'id' ? 'null' : opening.id}: ${name} does not match\n`)
      expect(verdict).to.include({ exitCode: 1, stdout: '0 verified, 1 not verified\n' })
    }
  })

  it('count a player’s openings under a seed without gaps, through two APIs and rotations', async () => {
    const work = Array.from({ length: 60 }, (_, i) => open(i % 2 === 0 ? first : second, 'busy'))
    const rotations = [rotate(), rotate()]
    await Promise.all([...work, ...rotations])
    const openings = await first.database.opening.findMany({
      where: { casinoId: casino.id, playerId: 'busy' },
      orderBy: { sequence: 'asc' },
    })
    expect(openings).to.have.length(60)
    const noncesOf = new Map<string, bigint[]>()
    for (const { seedId, nonce } of openings) {
      const nonces = noncesOf.get(seedId ?? '') ?? []
      noncesOf.set(seedId ?? '', [...nonces, nonce ?? 0n])
    }
    for (const nonces of noncesOf.values()) {
      expect(nonces).to.deep.equal(nonces.map((_, index) => BigInt(index + 1)))
    }
  })

  it('are never made from a seed that has been revealed', async () => {
    const stale = await first.deps.loadActiveSeeds([casino.id]) // loaded, and then everything else happens first
    await rotate()
    await reveal()
    let loads = 0
    const { processWaiting: openBoxes } = createOpenBoxes({
      database: first.database,
      clock,
      loadActiveSeeds: (...args) =>
        loads++ === 0 ? Promise.resolve(stale) : first.deps.loadActiveSeeds(...args),
      responseTo: (opening) => opening.seedId,
    })
    const request = {
      casinoId: casino.id,
      playerId: 'late',
      boxId,
      claim: undefined,
      forcedItemId: undefined,
      actor: 'test',
      requestId: 'r',
    }
    const [result] = await openBoxes([request])
    const fresh = (await first.deps.loadActiveSeeds([casino.id])).get(casino.id)
    expect(loads).to.equal(2)
    expect(result).to.deep.equal({ value: { response: fresh?.id, replayed: false } })
  })

  it('never use a nonce twice when the seed is rotated while an opening is under way', async () => {
    await open(first, 'p')
    let loads = 0
    const { processWaiting: openBoxes } = createOpenBoxes({
      database: first.database,
      clock,
      loadActiveSeeds: async (...args) => {
        const seeds = await first.deps.loadActiveSeeds(...args)
        if (loads++ === 0) {
          await rotate()
          await open(second, 'p')
        }
        return seeds
      },
      responseTo: (opening) => `${opening.seedId} ${opening.nonce}`,
    })
    const request = {
      casinoId: casino.id,
      playerId: 'p',
      boxId,
      claim: undefined,
      forcedItemId: undefined,
      actor: 'test',
      requestId: 'r',
    }
    const [result] = await openBoxes([request])
    const fresh = (await first.deps.loadActiveSeeds([casino.id])).get(casino.id)
    expect(result).to.deep.equal({ value: { response: `${fresh?.id ?? ''} 2`, replayed: false } })
  })

  it('continue for other casinos when one casino’s seed cannot be opened, and so does revealing', async () => {
    const other = casino
    const opening = await open(first, 'p')
    casino = await first.factory.casino()
    await first.deps.loadActiveSeeds([casino.id])
    await first.database.serverSeed.updateMany({
      where: { casinoId: casino.id },
      data: { sealedKeyId: 'gone' },
    })
    expect(
      (
        await first.client.send('POST', `/admin/casinos/${other.id}/fairness/rotate`, {
          headers: { Authorization: `Bearer ${adminApiKey}` },
        })
      ).status,
    ).to.equal(200)
    await first.database.serverSeed.updateMany({
      where: { casinoId: casino.id, state: 'active' },
      data: { state: 'retired', retiredAt: new Date(0) },
    })
    later += 31_000
    const { deps } = first.startWorker()
    expect(await createSeedTurns(deps).reveal()).to.be.greaterThan(0)
    const fresh = await startService({ env: first.env })
    try {
      const seeds = await fresh.deps.loadActiveSeeds([casino.id, other.id])
      expect(seeds.has(other.id)).to.equal(true)
    } finally {
      await fresh.stop()
    }
    casino = other
    expect(findProblem(await evidence(opening.id))).to.equal(undefined)
  })

  it('are hidden from other casinos: another casino’s opening does not exist', async () => {
    const opening = await open(first, 'p')
    const other = await first.factory.casino()
    const headers = { Authorization: `Bearer ${other.apiKey}` }
    const reply = await first.client.send('GET', `/fairness/openings/${opening.id}`, { headers })
    expect(reply.status).to.equal(404)
    expect((await first.client.send('GET', '/fairness/seeds')).status).to.equal(401)
  })

  it('have ids of one form only: with any other id the opening does not exist', async () => {
    const headers = { Authorization: `Bearer ${casino.apiKey}` }
    for (const id of ['%00', 'opn_', `opn_${'f'.repeat(33)}`, '__proto__', 'x'.repeat(5_000)]) {
      const reply = await first.client.send('GET', `/fairness/openings/${id}`, { headers })
      expect(reply.status, id.slice(0, 20)).to.equal(404)
    }
    for (const noText of ['%ed%a0%80', '%ff']) {
      const reply = await first.client.send('GET', `/fairness/openings/${noText}`, { headers })
      expect(reply.status, noText).to.equal(400)
    }
    for (const query of ['cursor=%00', 'cursor=zzz', 'limit=0', 'limit=x']) {
      const odd = await first.client.send('GET', `/fairness/seeds?${query}`, { headers })
      expect(odd.status, query).to.equal(400)
    }
  })
})
