import { expect } from 'chai'
import { atEndOfSuite } from '../../support/at-end.ts'
import type { TestCasino } from '../../support/factory.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { at, complaintsOf, createOperator, fieldOf, listAt, readAll } from './operator.ts'
import type { TestOperator } from './operator.ts'

describe('grants', () => {
  let service: TestService
  let casino: TestCasino
  let operator: TestOperator

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    casino = await service.factory.casino()
    operator = createOperator(service.client, casino.apiKey)
    const itemId = await service.factory.item(casino.id)
    await service.factory.box(casino.id, { boxId: 'gold', entries: [{ itemId, weight: 1 }] })
  })

  const grant = (...grants: object[]) => operator.post(`/${casino.id}/grants`, { grants })
  const countOf = async (playerId: string) => {
    const grants = await service.database.grant.findMany({ where: { casinoId: casino.id, playerId } })
    return grants.reduce((sum, { count }) => sum + count, 0)
  }

  it('gives openings, each of which can be used once', async () => {
    const reply = await grant(
      { player_id: 42, box_id: 'gold', count: 2 },
      { player_id: 'b', box_id: 'gold', count: 1 },
    )
    expect(reply.status).to.equal(200)
    expect(listAt(reply)).to.have.length(2)
    expect(at(reply, 'data.0')).to.include({
      player_id: '42',
      box_id: 'gold',
      count: 2,
      used: 0,
      expires_at: null,
    })
    const open = async () =>
      (await service.client.post('/box/open', casino.apiKey, { player_id: '42', box_id: 'gold' })).status
    expect([await open(), await open(), await open()]).to.deep.equal([200, 200, 404])
  })

  it('creates a grant with an id once, however often it is sent', async () => {
    const body = { player_id: 'once', box_id: 'gold', count: 3, grant_id: 1, expires_at: '2999-01-01' }
    const replies = await Promise.all(Array.from({ length: 20 }, () => grant(body)))
    for (const reply of replies) expect(at(reply, 'data.0.grant_id')).to.equal('1')
    expect((await grant(body, { ...body, grant_id: '1' })).status).to.equal(200)
    expect(await countOf('once')).to.equal(3)
  })

  it('refuses different contents under an id that is taken', async () => {
    const body = { player_id: 'taken', box_id: 'gold', count: 1, grant_id: 'taken' }
    await grant(body)
    for (const other of [{ count: 2 }, { player_id: 'x' }, { expires_at: '2999-01-01' }]) {
      const reply = await grant({ ...body, ...other })
      expect(reply.status).to.equal(409)
      expect(reply.headers.get('X-Error-Code')).to.equal('grant_conflict')
    }
    const twice = await grant({ ...body, grant_id: 'new' }, { ...body, grant_id: 'new', count: 2 })
    expect(twice.status).to.equal(409)
  })

  it('creates all grants of a list or none', async () => {
    const right = { player_id: 'all', box_id: 'gold', count: 1 }
    await grant({ ...right, player_id: 'else', grant_id: 'all-taken' })
    for (const wrong of [{ box_id: 'unknown' }, { grant_id: 'all-taken' }, { count: 0 }]) {
      expect((await grant(right, { ...right, ...wrong })).status).to.be.within(400, 409)
    }
    expect(await countOf('all')).to.equal(0)
    expect((await grant({ ...right, box_id: 'unknown' })).headers.get('X-Error-Code')).to.equal('box_unknown')
  })

  it('creates all or none also when lists race for the same ids', async () => {
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        grant(
          ...Array.from({ length: 20 }, (_, j) => ({
            player_id: `racer-${i}`,
            box_id: 'gold',
            count: 1,
            grant_id: `race-${(i + j) % 20}`,
          })),
        ),
      ),
    )
    const statuses = fieldOf(replies, 'status')
    expect(statuses.filter((status) => status === 200)).to.have.length(1)
    expect(statuses.filter((status) => status === 409)).to.have.length(11)
    const owners = await service.database.grant.findMany({
      where: { casinoId: casino.id, id: { startsWith: 'race-' } },
    })
    expect(owners).to.have.length(20)
    expect(new Set(fieldOf(owners, 'playerId')).size).to.equal(1)
  })

  it('creates up to a thousand grants in one request, and refuses more', async () => {
    const many = (length: number) =>
      Array.from({ length }, (_, i) => ({ player_id: i, box_id: 'gold', count: 1 }))
    expect(listAt(await grant(...many(1_000)))).to.have.length(1_000)
    expect(complaintsOf(await grant(...many(1_001)))).to.deep.equal(['grants'])
  })

  it('shows a player’s grants, page by page', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e'].map((id) => `list-${id}`)
    const body = {
      player_id: 'list/of grants',
      box_id: 'gold',
      count: 2,
      expires_at: '2999-01-01T00:00:00.000Z',
    }
    const given = await grant(...ids.map((grant_id) => ({ ...body, grant_id })), {
      ...body,
      player_id: 'else',
    })
    const elses = String(at(given, `data.${ids.length}.grant_id`))
    const path = `/${casino.id}/players/${encodeURIComponent('list/of grants')}/grants`
    expect(await readAll(operator, path, 2, 'grant_id')).to.deep.equal(ids)
    expect(listAt(await operator.get(path))).to.deep.equal(listAt(given).slice(0, 5))
    await service.client.post('/box/open', casino.apiKey, { player_id: 'list/of grants', box_id: 'gold' })
    const used = fieldOf(listAt(await operator.get(path)), 'used')
    expect(used.filter((count) => count === 1)).to.have.length(1)
    expect(await readAll(operator, `${path}?box_id=gold`, 200, 'grant_id')).to.deep.equal(ids)
    expect(await readAll(operator, `${path}?box_id=silver`, 200, 'grant_id')).to.deep.equal([])
    expect(await readAll(operator, `${path}?grant_id=${ids[1] ?? ''}`, 2, 'grant_id')).to.deep.equal([ids[1]])
    for (const other of [`box_id=silver&grant_id=${ids[1] ?? ''}`, 'grant_id=none', `grant_id=${elses}`]) {
      expect(await readAll(operator, `${path}?${other}`, 2, 'grant_id'), other).to.deep.equal([])
    }
    expect(await readAll(operator, `/${casino.id}/players/unseen/grants`, 5, 'grant_id')).to.deep.equal([])
    for (const wrong of [
      `/${casino.id}/players/a%00b/grants`,
      `${path}?box_id=a%00b`,
      `${path}?cursor=%00`,
    ]) {
      expect((await operator.get(wrong)).status, wrong).to.equal(400)
    }
    const other = await service.factory.casino()
    const theirs = createOperator(service.client, other.apiKey)
    expect(listAt(await theirs.get(path.replace(casino.id, other.id)))).to.deep.equal([])
    expect((await theirs.get(path)).status).to.equal(404)
  })

  it('shows a casino’s grants in the order of time and not of their ids, and those of one box', async () => {
    const { factory, database } = service
    const own = await factory.casino()
    const acting = createOperator(service.client, own.apiKey)
    const made = ['m', 'z', 'a', 'y', 'b'].map((id, index) => ({
      casinoId: own.id,
      id,
      playerId: `player-${index % 2}`,
      boxId: id === 'y' ? 'silver' : 'gold',
      count: 2,
      // The last two at the same time: then by their ids.
      createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, Math.min(index, 3))),
    }))
    await database.grant.createMany({ data: made })
    const path = `/${own.id}/grants`
    const newest = ['y', 'b', 'a', 'z', 'm']
    expect(await readAll(acting, path, 2, 'grant_id')).to.deep.equal(newest)
    expect(await readAll(acting, `${path}?order=asc`, 2, 'grant_id')).to.deep.equal(newest.toReversed())
    expect(await readAll(acting, `${path}?box_id=gold`, 1, 'grant_id')).to.deep.equal(['b', 'a', 'z', 'm'])
    expect(await readAll(acting, `${path}?box_id=bronze`, 1, 'grant_id')).to.deep.equal([])
    expect(await readAll(acting, `${path}?grant_id=a`, 1, 'grant_id')).to.deep.equal(['a'])
    expect(await readAll(acting, `${path}?grant_id=a&box_id=silver`, 1, 'grant_id')).to.deep.equal([])
    expect(at(await acting.get(path), 'data.1')).to.deep.equal({
      grant_id: 'b',
      player_id: 'player-0',
      box_id: 'gold',
      count: 2,
      used: 0,
      expires_at: null,
      created_at: '2026-01-01T00:00:03.000Z',
    })
    const from = await acting.get(
      `${path}?created_from=2026-01-01T00:00:01Z&created_until=2026-01-01T00:00:03Z`,
    )
    expect(fieldOf(listAt(from), 'grant_id')).to.deep.equal(['a', 'z'])
    expect((await acting.get(`${path}?player_id=player-0`)).status, 'of one player elsewhere').to.equal(400)
    const other = await factory.casino()
    const theirs = createOperator(service.client, other.apiKey)
    expect(listAt(await theirs.get(`/${other.id}/grants`))).to.deep.equal([])
    expect((await theirs.get(path)).status).to.equal(404)
  })

  it('names every invalid field of grants', async () => {
    const right = { player_id: 1, box_id: 'gold', count: 1 }
    const cases: [string[], object][] = [
      [['grants'], {}],
      [['grants'], { grants: [] }],
      [['grants'], { grants: {} }],
      [['grants.0'], { grants: [5] }],
      [['grants.0.box_id', 'grants.0.count', 'grants.0.player_id'], { grants: [{}] }],
      [['grants.1.count'], { grants: [right, { ...right, count: 1_000_001 }] }],
      [['grants.0.count'], { grants: [{ ...right, count: '1' }] }],
      [['grants.0.player_id'], { grants: [{ ...right, player_id: 'a\0' }] }],
      [['grants.0.grant_id'], { grants: [{ ...right, grant_id: '' }] }],
      [['grants.0.expires_at'], { grants: [{ ...right, expires_at: 'soon' }] }],
    ]
    for (const [names, body] of cases) {
      const reply = await operator.post(`/${casino.id}/grants`, body)
      expect(reply.status, JSON.stringify(body)).to.equal(400)
      expect(complaintsOf(reply), JSON.stringify(body)).to.deep.equal(names)
    }
  })
})
