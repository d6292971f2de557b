import { expect } from 'chai'
import pg from 'pg'
import { createOpenBoxes } from '../../../core/box/open-boxes.ts'
import { setClientSeed } from '../../../core/player/client-seeds.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { adminApiKey } from '../../support/config.ts'
import { eventually } from '../../support/eventually.ts'
import type { TestCasino } from '../../support/factory.ts'
import { countLockWaits } from '../../support/lock-waits.ts'
import { isLongForm } from '../../support/runs.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'

interface ClientSeedAnswer {
  player_id: string
  client_seed: string | null
  applies_from: 'active' | 'next'
  in_force: { seed_id: string; client_seed: string | null } | null
}

describe('client seeds', () => {
  let first: TestService
  let second: TestService
  let casino: TestCasino
  let boxId: string

  const atEnd = atEndOfSuite()
  before(async () => {
    first = await startService()
    atEnd(() => first.stop())
    second = await startService({ env: first.env })
    atEnd(() => second.stop())
  })
  beforeEach(async () => {
    casino = await first.factory.casino()
    const itemId = await first.factory.item(casino.id)
    const limit = { count: 1000, period: 'lifetime' as const }
    boxId = await first.factory.box(casino.id, { entries: [{ itemId, weight: 1 }], limit })
  })

  const send = (
    service: TestService,
    method: string,
    playerId: string,
    body?: string,
    apiKey = casino.apiKey,
  ) =>
    service.client.send(method, `/fairness/players/${encodeURIComponent(playerId)}/client-seed`, {
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body }),
    })
  const wish = async (playerId: string, clientSeed: string | null, service = first) => {
    const reply = await send(service, 'PUT', playerId, JSON.stringify({ client_seed: clientSeed }))
    expect(reply.status, reply.text).to.equal(200)
    return (reply.json as { data: ClientSeedAnswer }).data
  }
  const ask = async (playerId: string) =>
    ((await send(first, 'GET', playerId)).json as { data: ClientSeedAnswer }).data
  const open = async (playerId: string, service = first) => {
    const body = { player_id: playerId, box_id: boxId }
    const reply = await service.client.post('/box/open', casino.apiKey, body)
    expect(reply.status, reply.headers.get('x-error-code') ?? '').to.equal(200)
    const { opening } = reply.json as { opening: { id: string } }
    return first.database.opening.findUniqueOrThrow({ where: { id: opening.id } })
  }
  const rotate = async () => {
    const headers = { Authorization: `Bearer ${adminApiKey}` }
    const path = `/admin/casinos/${casino.id}/fairness/rotate`
    expect((await first.client.send('POST', path, { headers })).status).to.equal(200)
  }

  it('apply to the active server seed as long as the player has not used it', async () => {
    expect(await ask('p')).to.deep.equal({
      player_id: 'p',
      client_seed: null,
      applies_from: 'active',
      in_force: null,
    })
    expect(await wish('p', 'first')).to.deep.equal({
      player_id: 'p',
      client_seed: 'first',
      applies_from: 'active',
      in_force: null,
    })
    expect(await wish('p', 'second')).to.include({ client_seed: 'second', applies_from: 'active' })
    const opening = await open('p')
    expect(opening.clientSeed).to.equal('second')
    const inForce = { seed_id: opening.seedId, client_seed: 'second' }
    expect(await ask('p')).to.deep.equal({
      player_id: 'p',
      client_seed: 'second',
      applies_from: 'next',
      in_force: inForce,
    })
  })

  it('wait for the next server seed once the player has used the active one', async () => {
    const { seedId } = await open('p')
    expect(await wish('p', 'late')).to.deep.equal({
      player_id: 'p',
      client_seed: 'late',
      applies_from: 'next',
      in_force: { seed_id: seedId, client_seed: null },
    })
    expect((await open('p')).clientSeed).to.equal(null)
    await rotate()
    expect(await ask('p')).to.include({ client_seed: 'late', applies_from: 'active', in_force: null })
    const [one, two] = [await open('p'), await open('p')]
    expect([one.clientSeed, two.clientSeed]).to.deep.equal(['late', 'late'])
    expect(one.seedId).to.not.equal(seedId)
  })

  it('are taken back with null, and belong to one player of one casino', async () => {
    await wish('p', 'mine')
    expect(await wish('p', null)).to.include({ client_seed: null, applies_from: 'active' })
    await wish('p', 'mine')
    expect(await ask('q')).to.include({ client_seed: null })
    const other = await first.factory.casino()
    const reply = await send(first, 'GET', 'p', undefined, other.apiKey)
    expect(reply.json).to.have.nested.property('data.client_seed', null)
    expect((await open('q')).clientSeed).to.equal(null)
  })

  it('are refused before the commitment of the seed that they are mixed with', async () => {
    await wish('p', 'lucky')
    const seeds = await first.database.serverSeed.findMany({ where: { casinoId: casino.id } })
    expect(seeds.map((seed) => seed.state).sort()).to.deep.equal(['active', 'next'])
    const opening = await open('p')
    expect(seeds.map((seed) => seed.id)).to.include(opening.seedId)
    const fresh = await first.factory.casino()
    const listed = await first.client.send('GET', '/fairness/seeds', {
      headers: { Authorization: `Bearer ${fresh.apiKey}` },
    })
    expect((listed.json as { data: unknown[] }).data).to.have.length(2)
  })

  it('are 1 to 128 characters without control characters, stored unchanged', async () => {
    for (const clientSeed of [' ', ' a ', '😀'.repeat(64), 'x'.repeat(128), '"\\\u2028é', '42']) {
      expect(await wish('odd', clientSeed)).to.include({ client_seed: clientSeed })
    }
    expect(await wish('Jörg/"😀" %', 'a')).to.include({ player_id: 'Jörg/"😀" %' })
    const refused = [
      '""',
      `"${'x'.repeat(129)}"`,
      '"\\u0000"',
      '"\\ud800"',
      '"a\\n"',
      '5',
      '1e999',
      'true',
      '[]',
      '{}',
    ]
    for (const value of refused) {
      const reply = await send(first, 'PUT', 'odd', `{"client_seed":${value}}`)
      expect(reply.status, value).to.equal(400)
      expect(reply.json, value).to.have.nested.property('errors.client_seed').with.length(1)
    }
    expect((await send(first, 'PUT', 'odd', '{}')).json).to.have.nested.property('errors.client_seed')
    for (const body of ['', '[]', '{', 'null', '"x"']) {
      expect((await send(first, 'PUT', 'odd', body)).status, body).to.equal(400)
    }
    for (const path of ['%00', '%20', '%0a', 'x'.repeat(129)]) {
      for (const method of ['GET', 'PUT']) {
        const reply = await first.client.send(method, `/fairness/players/${path}/client-seed`, {
          headers: { Authorization: `Bearer ${casino.apiKey}`, 'Content-Type': 'application/json' },
          ...(method === 'PUT' ? { body: '{"client_seed":"a"}' } : {}),
        })
        expect(reply.status, `${method} ${path.slice(0, 9)}`).to.equal(400)
      }
    }
    expect(await ask('odd')).to.include({ client_seed: '42' })
    const other = await first.client.send('DELETE', '/fairness/players/p/client-seed')
    expect(other.status).to.equal(405)
    expect((await send(first, 'PUT', 'p', '{"client_seed":"a"}', 'no-key')).status).to.equal(401)
    const manager = await first.factory.apiKey(casino.id, ['manage'])
    expect((await send(first, 'PUT', 'p', '{"client_seed":"a"}', manager)).status).to.equal(403)
  })

  it('are used by an opening that is under way, or apply later, as the answer said', async () => {
    let loads = 0
    let answer: Awaited<ReturnType<typeof setClientSeed>> | undefined
    const { processWaiting: openBoxes } = createOpenBoxes({
      database: first.database,
      clock: { now: () => new Date() },
      loadActiveSeeds: async (...args) => {
        const seeds = await first.deps.loadActiveSeeds(...args)
        // The opening has loaded the player without a wish; now comes one.
        if (loads++ === 0) answer = await setClientSeed(first.database, casino.id, 'p', 'just now')
        return seeds
      },
      responseTo: (opening) => String(opening.clientSeed),
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
    expect(answer?.appliesFrom).to.equal('active')
    expect(result).to.deep.equal({ value: { response: 'just now', replayed: false } })
    expect(loads).to.equal(2)
  })

  it('are answered correctly when the active seed comes into use while the request waits for the player', async () => {
    await open('p')
    // Requests wait for locks for half a second. On a busy machine one may end before the other comes: then try again.
    for (let attempt = 1; !(await meetAtPlayer(`wish ${attempt}`)); attempt++) expect(attempt).to.be.below(20)
  })

  /** An opening under a new seed and a wish, both of which wait for the player; false if they did not wait together. */
  const meetAtPlayer = async (clientSeed: string): Promise<boolean> => {
    await rotate()
    // Writes to the player wait for this test: first the opening under the new seed, then the wish.
    const blocker = new pg.Client({ connectionString: first.env['DATABASE_URL'] })
    await blocker.connect()
    try {
      await blocker.query('BEGIN')
      await blocker.query(`SELECT FROM player WHERE casino_id = $1 FOR UPDATE`, [casino.id])
      let isOneOver = false
      const noteEnd = () => {
        isOneOver = true
      }
      const opening = open('p')
      opening.then(noteEnd, noteEnd)
      await eventually('the opening waits', async () => isOneOver || (await countWaiting()) === 1)
      const wished = wish('p', clientSeed, second)
      wished.then(noteEnd, noteEnd)
      await eventually('the wish waits too', async () => isOneOver || (await countWaiting()) === 2)
      await blocker.query('ROLLBACK')
      const [opened, answered] = await Promise.allSettled([opening, wished])
      if (opened.status === 'rejected' || answered.status === 'rejected') return false
      const { seedId, clientSeed: used } = opened.value
      const { applies_from: appliesFrom, in_force: inForce } = answered.value
      const expected =
        used === clientSeed
          ? ['active', null] // the wish was first
          : ['next', { seed_id: seedId, client_seed: used }]
      expect([appliesFrom, inForce]).to.deep.equal(expected)
      return true
    } finally {
      await blocker.end()
    }
  }

  const countWaiting = () => countLockWaits(first.database)

  it('are used in every opening as answered, during concurrent requests, openings and rotations', async () => {
    let isOver = false
    let pause: Promise<void> | undefined
    let underWay = 0
    const play = async (service: TestService) => {
      for (let turn = 0; turn < 200 && !isOver; turn++) {
        while (pause !== undefined) await pause
        underWay++
        await open('busy', service)
        underWay--
      }
    }
    /** Rotates, and calls `then` between openings: its wish is stored before the first opening under the new seed. */
    const rotateQuietly = async <Value>(then: () => Promise<Value>): Promise<Value> => {
      let goOn: () => void = () => undefined
      pause = new Promise((resolve) => {
        goOn = resolve
      })
      await eventually('nobody opens', () => underWay === 0)
      await rotate()
      const value = await then()
      pause = undefined
      goOn()
      return value
    }
    const players = [play(first), play(second), play(second)]
    const promises: { seedId: string; clientSeed: string | null }[] = []
    let appliedAtOnce = 0
    const turns = isLongForm ? 16 : 10
    for (let turn = 0; turn < turns; turn++) {
      const isQuiet = turn % 8 === 0
      if (turn % 2 === 0 && !isQuiet) await rotate()
      const clientSeed = turn % 5 === 4 ? null : `wish ${turn}`
      const make = () => wish('busy', clientSeed, turn % 3 === 0 ? second : first)
      const answer = isQuiet ? await rotateQuietly(make) : await make()
      if (isQuiet) expect(answer.applies_from).to.equal('active')
      expect(answer.client_seed).to.equal(clientSeed)
      const next = await open('busy') // this one has certainly come after the answer
      if (answer.applies_from === 'active') {
        appliedAtOnce++
        expect(answer.in_force).to.equal(null)
        expect(next.clientSeed).to.equal(clientSeed)
        promises.push({ seedId: next.seedId ?? '', clientSeed })
      } else {
        const inForce = answer.in_force
        if (inForce === null) throw new Error('nothing in force, and yet the wish has to wait')
        promises.push({ seedId: inForce.seed_id, clientSeed: inForce.client_seed })
        expect(next.clientSeed).to.equal(next.seedId === inForce.seed_id ? inForce.client_seed : clientSeed)
      }
    }
    isOver = true
    await Promise.all(players)
    expect(appliedAtOnce).to.be.greaterThan(0).and.lessThan(turns)
    const openings = await first.database.opening.findMany({ where: { casinoId: casino.id } })
    const ofSeed = new Map<string, Set<string | null>>()
    for (const { seedId, clientSeed } of openings) {
      ofSeed.set(seedId ?? '', (ofSeed.get(seedId ?? '') ?? new Set()).add(clientSeed))
    }
    for (const { seedId, clientSeed } of promises) {
      expect([...(ofSeed.get(seedId) ?? [])], seedId).to.deep.equal([clientSeed])
    }
  })
})
