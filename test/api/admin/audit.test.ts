import { expect } from 'chai'
import pg from 'pg'
import { createChainAudit } from '../../../core/audit/chain-audit.ts'
import { createHeadMemory } from '../../../core/audit/head-memory.ts'
import { verifyTrail } from '../../../core/audit/verify-audit.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { adminApiKey } from '../../support/config.ts'
import { untilTransactionsEnd } from '../../support/ended-transactions.ts'
import { delivery, withOtherSecret } from '../../support/factory.ts'
import type { TestCasino } from '../../support/factory.ts'
import { cookieOf, logIn, makeOperator, postLogin, testPassword } from '../../support/ops.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { runTool } from '../../tools/run-tool.ts'
import { at, createOperator, fieldOf, listAt, readAll } from './operator.ts'
import type { TestOperator } from './operator.ts'
import { itInLongForm } from '../../support/runs.ts'

describe('the audit trail', function () {
  this.timeout(120_000)
  let service: TestService
  let casino: TestCasino
  let operator: TestOperator
  let admin: TestOperator

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
  })
  beforeEach(async () => {
    casino = await service.factory.casino()
    operator = createOperator(service.client, casino.apiKey)
    admin = createOperator(service.client, adminApiKey)
  })

  const trailOf = async (casinoId: string) =>
    service.database.auditEntry.findMany({ where: { casinoId }, orderBy: { id: 'asc' } })
  const hashSecret = () => service.deps.config.hashSecret
  /** The log lines about ends of chains. */
  const logged: { casinoId?: string; end?: string }[] = []
  const log = { info: (line: object) => void logged.push(line), error: () => undefined }
  const chain = async () => {
    await untilTransactionsEnd(service.database)
    const memory = createHeadMemory({
      hashSecret: hashSecret(),
      runScript: undefined,
      log: { warn: () => undefined },
    })
    return createChainAudit({ database: service.database, hashSecret: hashSecret(), log, memory })()
  }
  const verify = (casinoId: string) =>
    verifyTrail(
      { database: service.database, hashSecret: hashSecret() },
      casinoId,
      new Date(Date.now() + 60_000),
    )
  const keyId = () => casino.apiKey.split('_')[2] ?? ''

  it('records who did something, when, from where and why before it is done, and its result afterwards', async () => {
    const changed = await operator.put(`/${casino.id}/items/mug`, {
      name: 'Mug',
      kind: 'physical',
      reason: 'a new one',
    })
    const refused = await operator.post(`/${casino.id}/orders/ord_none/confirm`)
    await operator.get(`/${casino.id}/orders`)
    const entries = await trailOf(casino.id)
    expect(entries.map(({ action, outcome }) => `${action} → ${outcome}`)).to.deep.equal([
      'PUT /admin/casinos/:casino_id/items/:item_id → requested',
      'PUT /admin/casinos/:casino_id/items/:item_id → 200',
      'POST /admin/casinos/:casino_id/orders/:order_id/confirm → requested',
      'POST /admin/casinos/:casino_id/orders/:order_id/confirm → 404 order_unknown',
      'GET /admin/casinos/:casino_id/orders → 200',
    ])
    expect(entries[0]).to.deep.include({
      actor: `key:${keyId()}`,
      address: '127.0.0.1',
      params: JSON.stringify({ casino_id: casino.id, item_id: 'mug' }),
      reason: 'a new one',
      requestId: changed.headers.get('X-Request-Id'),
    })
    expect(entries[3]?.requestId).to.equal(refused.headers.get('X-Request-Id'))
  })

  it('records every use of a key except the three operations', async () => {
    const { prizeId } = await service.factory.prize(casino.id, { playerId: 'ann' })
    const body = { player_id: 'ann', prize_id: prizeId, ...delivery }
    await service.client.post('/prize/order', casino.apiKey, body)
    const headers = { Authorization: `Bearer ${casino.apiKey}` }
    await service.client.send('GET', '/boxes', { headers })
    await service.client.send('GET', '/fairness/seeds', { headers })
    const entries = await trailOf(casino.id)
    expect(entries.map(({ action }) => action)).to.deep.equal(['GET /boxes', 'GET /fairness/seeds'])
  })

  it('keeps the admin’s actions on a casino in that casino’s trail, and all others in the service’s trail', async () => {
    await admin.put(`/${casino.id}/items/mug`, { name: 'Mug', kind: 'physical' })
    await admin.get('/no-such-casino/items')
    await admin.get('/%00/items')
    await postLogin(service.client, { username: 'nobody', password: 'not the password' })
    await logIn(service)
    expect(new Set((await trailOf(casino.id)).map(({ actor }) => actor))).to.deep.equal(new Set(['admin']))
    const reply = await service.client.send('GET', '/admin/audit', {
      headers: { Authorization: `Bearer ${adminApiKey}` },
    })
    const seen = listAt(reply).map((entry) => {
      const { action, outcome } = entry as { action: string; outcome: string }
      return `${action} → ${outcome}`
    })
    expect(seen).to.include.members([
      'GET /admin/casinos/:casino_id/items → 404 casino_unknown',
      'GET /admin/casinos/:casino_id/items → 400 parameters_invalid',
      'POST /ops/login → 401 sign_in_refused',
      'POST /ops/login → 303',
    ])
    const foreign = await service.client.send('GET', '/admin/audit', {
      headers: { Authorization: `Bearer ${casino.apiKey}` },
    })
    expect(foreign.status).to.equal(403)
  })

  it('shows one entry of either trail, with the entries before and after it in the chain', async () => {
    for (const name of ['first', 'second', 'third']) {
      await operator.put(`/${casino.id}/items/${name}`, { name, kind: 'none' })
    }
    const readEntry = (path: string, key = casino.apiKey) =>
      service.client.send('GET', `/admin${path}`, { headers: { Authorization: `Bearer ${key}` } })
    const [first, second] = await trailOf(casino.id)
    const path = (id = '') => `/casinos/${casino.id}/audit/${id}`
    const waiting = await readEntry(path(first?.id))
    expect(at(waiting, 'data')).to.include({
      id: first?.id,
      sequence: null,
      hash: null,
      previous: null,
      next: null,
    })
    await chain()
    const links = await service.database.auditLink.findMany({
      where: { casinoId: casino.id },
      orderBy: { sequence: 'asc' },
    })
    const shown = links.map(({ entryId, sequence, hash }) => ({
      id: entryId,
      sequence: Number(sequence),
      hash: Buffer.from(hash).toString('hex'),
    }))
    expect((await readEntry(path(first?.id))).json).to.deep.nested.include({
      'data.id': first?.id,
      'data.sequence': 1,
      'data.hash': shown[0]?.hash,
      'data.previous': null,
      'data.next': shown[1],
    })
    expect((await readEntry(path(second?.id))).json).to.deep.nested.include({
      'data.previous': shown[0],
      'data.next': shown[2],
    })
    expect(at(await readEntry(path(shown.at(-1)?.id)), 'data.next')).to.equal(null)

    await postLogin(service.client, { username: 'nobody', password: 'not the password' })
    const ofService = (await trailOf('')).at(-1)
    const read = await readEntry(`/audit/${ofService?.id ?? ''}`, adminApiKey)
    expect(at(read, 'data.action')).to.equal('POST /ops/login')
    const other = await service.factory.casino()
    const refusals = [
      await readEntry(path(ofService?.id)),
      await readEntry(`/casinos/${other.id}/audit/${first?.id ?? ''}`, other.apiKey),
      await readEntry(`/audit/${first?.id ?? ''}`, adminApiKey),
      await readEntry(path('aud_none')),
    ]
    for (const { status, headers } of refusals) {
      expect([status, headers.get('X-Error-Code')]).to.deep.equal([404, 'audit_entry_unknown'])
    }
    expect((await readEntry(`/audit/${ofService?.id ?? ''}`)).status).to.equal(403)
  })

  it('records the refusals of keys that the service has issued, in the trail of the key’s casino', async () => {
    const other = await service.factory.casino()
    const play = await service.factory.apiKey(casino.id, ['play'])
    const manage = await service.factory.apiKey(casino.id, ['manage'])
    const elsewhere = await service.factory.apiKey(casino.id, ['play'])
    const keyIdOf = (key: string) => key.split('_')[2] ?? ''
    await service.database.apiKey.update({
      where: { id: keyIdOf(elsewhere) },
      data: { allowedAddresses: ['192.0.2.0/24'] },
    })
    const send = (method: string, path: string, key: string, body?: string) =>
      service.client.send(method, path, {
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body }),
      })
    const refused = [
      await send('PUT', `/admin/casinos/${casino.id}/items/mug`, play, '{}'),
      await send('GET', '/boxes', manage),
      await send('GET', '/boxes', elsewhere),
      await send('GET', `/admin/casinos/${other.id}/orders`, manage),
      await send('GET', '/admin/casinos', manage),
      await send('POST', `/admin/casinos/${casino.id}/grants`, manage, 'x'.repeat(1_100_000)),
      await send('POST', `/admin/casinos/${casino.id}/grants`, adminApiKey, 'x'.repeat(1_100_000)),
    ]
    const entries = await trailOf(casino.id)
    const admin = '/admin/casinos/:casino_id'
    expect(entries.map(({ actor, action, outcome }) => `${actor} ${action} → ${outcome}`)).to.deep.equal([
      `key:${keyIdOf(play)} PUT ${admin}/items/:item_id → 403 api_key_scope_missing`,
      `key:${keyIdOf(manage)} GET /boxes → 403 api_key_scope_missing`,
      `key:${keyIdOf(elsewhere)} GET /boxes → 401 api_key_address_refused`,
      `key:${keyIdOf(manage)} GET ${admin}/orders → 404 casino_unknown`,
      // The refusal of GET /admin/casinos is not recorded: an earlier one has the same key and code.
      `key:${keyIdOf(manage)} POST ${admin}/grants → 413 body_too_large`,
      `admin POST ${admin}/grants → 413 body_too_large`,
    ])
    expect(entries[3]?.params).to.equal(JSON.stringify({ casino_id: other.id }))
    expect(entries[3]?.requestId).to.equal(refused[3]?.headers.get('X-Request-Id'))
    expect(await trailOf(other.id), 'the other has nothing to do with it').to.deep.equal([])
  })

  it('records neither requests without a valid key nor the three operations', async () => {
    const before = await service.database.auditEntry.count()
    const unknown = withOtherSecret(casino.apiKey)
    for (const key of [unknown, `${casino.apiKey}x`, 'nonsense', adminApiKey.slice(1)]) {
      const headers = { Authorization: `Bearer ${key}` }
      for (const path of [`/admin/casinos/${casino.id}`, '/boxes', '/ops/queues/api/queues']) {
        expect((await service.client.send('GET', path, { headers })).status).to.equal(401)
      }
    }
    const manage = await service.factory.apiKey(casino.id, ['manage'])
    expect((await service.client.post('/box/open', manage, {})).status).to.equal(401)
    expect(await service.database.auditEntry.count()).to.equal(before)
  })

  it('has one entry for a key that is refused many times in a row', async () => {
    let nowMs = Date.now()
    const limited = await startService({
      nowMs: () => nowMs,
      clock: { now: () => new Date(nowMs) },
      env: { ...service.env, RATE_LIMITS: 'reads=0.02/2,management=0.02/1' },
    })
    try {
      const send = (path: string, key: string) =>
        limited.client.send('GET', path, { headers: { Authorization: `Bearer ${key}` } })
      const play = await service.factory.apiKey(casino.id, ['play'])
      for (let count = 0; count < 20; count++) await send('/boxes', play)
      for (let count = 0; count < 20; count++) await send('/admin/casinos', play)
      const outcomes = async () => (await trailOf(casino.id)).map(({ outcome }) => outcome)
      const once = ['200', '429 rate_limited', '403 api_key_scope_missing']
      expect(await outcomes()).to.deep.equal(once)
      nowMs += 60_000
      for (let count = 0; count < 20; count++) await send('/boxes', play)
      expect(await outcomes()).to.deep.equal([...once, '429 rate_limited'])
    } finally {
      await limited.stop()
    }
  })

  it('records a key’s reads of a route once a minute for all objects, but every read of an address', async () => {
    let nowMs = Date.now()
    const { prizeId } = await service.factory.prize(casino.id, { playerId: 'ann' })
    const body = { player_id: 'ann', prize_id: prizeId, ...delivery }
    expect((await service.client.post('/prize/order', casino.apiKey, body)).status).to.equal(200)
    const { id: orderId } = await service.database.prizeOrder.findFirstOrThrow({ where: { prizeId } })
    const clocked = await startService({ nowMs: () => nowMs, env: service.env })
    try {
      const get = (path: string) =>
        clocked.client.send('GET', path, { headers: { Authorization: `Bearer ${casino.apiKey}` } })
      const readAll = async () => {
        for (const path of ['/boxes', '/boxes', '/fairness/openings/a', '/fairness/openings/b'])
          await get(path)
        for (const item of ['mug', 'mug', 'cup']) await get(`/admin/casinos/${casino.id}/items/${item}`)
        for (const order of ['ord_none', 'ord_nobody', orderId, orderId])
          await get(`/admin/casinos/${casino.id}/orders/${order}`)
      }
      const minute = [
        'GET /boxes 200',
        'GET /fairness/openings/:opening_id 404 opening_unknown',
        'GET /admin/casinos/:casino_id/items/:item_id 404 item_unknown',
        'GET /admin/casinos/:casino_id/orders/:order_id 404 order_unknown',
        'GET /admin/casinos/:casino_id/orders/:order_id 200',
        'GET /admin/casinos/:casino_id/orders/:order_id 200',
      ]
      const seen = async () => (await trailOf(casino.id)).map(({ action, outcome }) => `${action} ${outcome}`)
      await readAll()
      expect(await seen()).to.deep.equal(minute)
      nowMs += 60_000
      await readAll()
      expect(await seen()).to.deep.equal([...minute, ...minute])
    } finally {
      await clocked.stop()
    }
  })

  it('records a person’s reads of a route once a quarter of an hour, and those of a timeline for each prize', async () => {
    let nowMs = Date.now()
    const clocked = await startService({ nowMs: () => nowMs, env: service.env })
    try {
      const own = await clocked.factory.casino()
      const first = await clocked.factory.prize(own.id, { playerId: 'ann' })
      const second = await clocked.factory.prize(own.id, { playerId: 'bob' })
      const body = { player_id: 'ann', prize_id: first.prizeId, ...delivery }
      expect((await clocked.client.post('/prize/order', own.apiKey, body)).status).to.equal(200)
      const { id: orderId } = await clocked.database.prizeOrder.findFirstOrThrow({
        where: { casinoId: own.id },
      })
      const [ann, bob] = [await logIn(clocked), await logIn(clocked)]
      const readAll = async (person: { Cookie: string }) => {
        for (let count = 0; count < 2; count++) {
          for (const path of [
            'players/ann/balance',
            'players/bob/balance',
            `orders/${orderId}`,
            'orders/ord_none',
            `prizes/${first.prizeId}/timeline`,
            `prizes/${second.prizeId}/timeline`,
          ])
            await clocked.client.send('GET', `/admin/casinos/${own.id}/${path}`, { headers: person })
        }
      }
      const seen = async () =>
        (await trailOf(own.id))
          .filter(({ actor }) => actor.startsWith('operator:'))
          .map(({ action, outcome }) => `${action.replace('GET /admin/casinos/:casino_id', '')} ${outcome}`)
      const each = [
        '/players/:player_id/balance 200',
        '/orders/:order_id 200',
        '/prizes/:prize_id/timeline 200',
        '/prizes/:prize_id/timeline 200',
      ]
      await readAll(ann)
      expect(await seen()).to.deep.equal(each)
      nowMs += 14 * 60_000
      await readAll(ann)
      await readAll(bob)
      expect(await seen(), 'another person').to.deep.equal([...each, ...each])
      nowMs += 60_000
      await readAll(ann)
      expect(await seen()).to.deep.equal([...each, ...each, ...each])
    } finally {
      await clocked.stop()
    }
  })

  it('records each visit to the dashboard and each logout', async () => {
    const { username } = await makeOperator(service)
    const session = cookieOf(await postLogin(service.client, { username, password: testPassword }))
    const bearer = { Authorization: `Bearer ${adminApiKey}` }
    const before = new Set((await trailOf('')).map(({ id }) => id))
    const get = (path: string, headers: Record<string, string>) =>
      service.client.send('GET', path, { headers })
    expect((await get('/ops/queues', session)).status).to.equal(200)
    for (let count = 0; count < 3; count++) {
      for (const headers of [session, bearer]) {
        expect((await get('/ops/queues/api/queues', headers)).status).to.equal(200)
      }
    }
    expect((await get('/ops/queues/queue/credit-cashback', session)).status).to.equal(200)
    await get('/ops/queues', {})
    await service.client.send('POST', '/ops/logout', { headers: session })
    await service.client.send('POST', '/ops/logout')
    const entries = (await trailOf('')).filter(({ id }) => !before.has(id))
    expect(
      entries.map(({ actor, action, params, outcome }) => `${actor} ${action} ${params} → ${outcome}`),
    ).to.deep.equal([
      `operator:${username} GET /ops/queues {"path":""} → 200`,
      `operator:${username} GET /ops/queues/api {"path":"/api/queues"} → 200`,
      'admin GET /ops/queues/api {"path":"/api/queues"} → 200',
      `operator:${username} GET /ops/queues {"path":"/queue/credit-cashback"} → 200`,
      `operator:${username} POST /ops/logout {} → 303`,
    ])
    expect(entries.every(({ address }) => address === '127.0.0.1')).to.equal(true)
  })

  it('refuses a request that it cannot record', async () => {
    const blocker = new pg.Client({ connectionString: service.env['DATABASE_URL'] })
    await blocker.connect()
    try {
      await blocker.query('ALTER TABLE audit_entry ADD CONSTRAINT full_disk CHECK (false) NOT VALID')
      const reply = await operator.put(`/${casino.id}/items/mug`, { name: 'Mug', kind: 'physical' })
      expect(reply.status).to.equal(500)
      expect(await service.database.item.count({ where: { casinoId: casino.id } })).to.equal(0)
      expect((await operator.get(`/${casino.id}/orders`)).status).to.equal(500)
    } finally {
      await blocker.query('ALTER TABLE audit_entry DROP CONSTRAINT IF EXISTS full_disk')
      await blocker.end()
    }
  })

  it('shows the entries of one request, without those of another casino under the same request id', async () => {
    const requestId = `sought-${casino.id}`
    const other = await service.factory.casino()
    for (const { id, apiKey } of [casino, other]) {
      for (const sent of [requestId, `${requestId}-2`, requestId]) {
        await service.client.send('PUT', `/admin/casinos/${id}/items/mug`, {
          headers: {
            Authorization: `Bearer ${apiKey}`,
            'Content-Type': 'application/json',
            'X-Request-Id': sent,
          },
          body: JSON.stringify({ name: 'Mug', kind: 'physical' }),
        })
      }
    }
    const path = `/${casino.id}/audit?request_id=${requestId}`
    const all = (await trailOf(casino.id)).filter((entry) => entry.requestId === requestId)
    expect(all).to.have.length(4)
    const ids = all.map(({ id }) => id)
    expect(await readAll(operator, path, 3, 'id')).to.deep.equal(ids)
    expect(await readAll(operator, `${path}&order=desc`, 3, 'id')).to.deep.equal(ids.toReversed())
    expect(await readAll(operator, `/${casino.id}/audit?request_id=none`, 3, 'id')).to.deep.equal([])
    expect((await operator.get(`/${casino.id}/audit?request_id=a%00b`)).status).to.equal(400)
    const ofService = await service.client.send('GET', `/admin/audit?request_id=${requestId}`, {
      headers: { Authorization: `Bearer ${adminApiKey}` },
    })
    expect(listAt(ofService)).to.deep.equal([])
  })

  it('stores unusual values unchanged, and shortens those that are too long', async () => {
    const reasons = ['\ud800', '\0', 'x'.repeat(100_000), 5, { a: 1 }, null]
    for (const reason of reasons) {
      await operator.post(`/${casino.id}/orders/ord_none/confirm`, { reason })
    }
    const entries = await trailOf(casino.id)
    expect(entries).to.have.length(12)
    for (const { reason } of entries) expect(reason?.length ?? 0).to.be.at.most(500)
  })

  it('chains every entry once while many processes write and chain at the same time', async () => {
    const writes = Promise.all(
      Array.from({ length: 60 }, () =>
        operator.put(`/${casino.id}/items/mug`, { name: 'Mug', kind: 'cash' }),
      ),
    )
    const chains = Promise.all(Array.from({ length: 20 }, chain))
    const verdicts = Promise.all(Array.from({ length: 20 }, () => verify(casino.id)))
    await writes
    await chains
    const seen = (await verdicts).flatMap(({ problems }) => problems.map(({ problem }) => problem))
    expect(
      seen.filter((problem) => problem !== 'entry_not_chained'),
      'by who verifies meanwhile',
    ).to.deep.equal([])
    await chain()
    const verified = await verify(casino.id)
    expect(verified).to.deep.include({ entries: 120n, problems: [] })
    const page = await operator.get(`/${casino.id}/audit?limit=200`)
    const sequences = fieldOf(listAt(page), 'sequence').slice(0, 120)
    expect(new Set(sequences).size).to.equal(120)
    expect(at(page, 'data.0.hash')).to.match(/^[0-9a-f]{64}$/)
  })

  it('shows where an entry was altered, removed, moved or inserted, and the database refuses each of these', async () => {
    for (const list of ['items', 'boxes', 'orders', 'events', 'cashbacks'])
      await operator.get(`/${casino.id}/${list}`)
    await chain()
    const before = await verify(casino.id)
    expect(before).to.deep.include({ entries: 5n, problems: [] })
    const [first, second] = await service.database.auditLink.findMany({
      where: { casinoId: casino.id },
      orderBy: { sequence: 'asc' },
    })
    const hand = new pg.Client({ connectionString: service.env['DATABASE_URL'] })
    await hand.connect()
    /** Tampers with the trail, which the triggers refuse until they are switched off. Returns the problems found. */
    const problemsAfter = async (tampering: string, values: unknown[]) => {
      let refusal: unknown
      await hand.query(tampering, values).catch((error: unknown) => (refusal = error))
      expect(String(refusal)).to.include('append-only')
      await hand.query('BEGIN')
      await hand.query("SET LOCAL session_replication_role = 'replica'")
      await hand.query(tampering, values)
      await hand.query('COMMIT')
      const { problems } = await verify(casino.id)
      return problems.map(({ problem, sequence }) => `${problem} ${sequence ?? ''}`.trim())
    }
    try {
      const entry = second?.entryId
      expect(
        await problemsAfter(`UPDATE audit_entry SET actor = 'nobody' WHERE id = $1`, [entry]),
      ).to.deep.equal(['entry_altered 2'])
      expect(await problemsAfter('DELETE FROM audit_entry WHERE id = $1', [entry])).to.deep.equal([
        'entry_missing 2',
      ])
      expect(
        await problemsAfter('DELETE FROM audit_link WHERE entry_id = $1', [first?.entryId]),
      ).to.include.members(['link_missing 1', 'entry_not_chained'])
      expect(
        await problemsAfter('DELETE FROM audit_link WHERE casino_id = $1 AND sequence = 5', [casino.id]),
      ).to.include('link_missing 5')
      const run = await runTool('tools/verify-audit.ts', ['--casino', casino.id], service.env)
      expect(run.code).to.equal(1)
      expect(run.stdout).to.match(/entry missing at 2/)
    } finally {
      await hand.end()
    }
  })

  itInLongForm('can be compared with an end that was noted earlier', async () => {
    await operator.get(`/${casino.id}/orders/ord_none`)
    await chain()
    const verifyByHand = (...args: string[]) =>
      runTool('tools/verify-audit.ts', ['--casino', casino.id, ...args], service.env)
    const first = await verifyByHand()
    expect(first.code, first.stdout + first.stderr).to.equal(0)
    const [, end = ''] = /: (1:[0-9a-f]{64})/.exec(first.stdout) ?? []
    await operator.get(`/${casino.id}/orders/ord_none`)
    await chain()
    expect((await verifyByHand('--expect', end)).code).to.equal(0)
    expect(
      (
        await verifyByHand(
          '--expect',
          end.replace(/.$/, (c) => (c === '0' ? '1' : '0')),
        )
      ).code,
    ).to.equal(1)
    expect((await verifyByHand('--expect', 'nonsense')).code).to.equal(2)
  })

  it('logs the ends of its chains, so that a chain which was rolled back completely is noticed', async () => {
    const endAfter = async (list: string) => {
      await operator.get(`/${casino.id}/${list}`)
      await chain()
      return logged.filter(({ casinoId }) => casinoId === casino.id).at(-1)?.end ?? ''
    }
    const verifyByHand = (expected: string) =>
      runTool('tools/verify-audit.ts', ['--casino', casino.id, '--expect', expected], service.env)
    const [first, second] = [await endAfter('items'), await endAfter('boxes')]
    const earlier = await service.database.auditLink.findFirstOrThrow({
      where: { casinoId: casino.id, sequence: 1 },
    })
    expect((await verifyByHand(second)).code).to.equal(0)
    const hand = new pg.Client({ connectionString: service.env['DATABASE_URL'] })
    await hand.connect()
    try {
      await hand.query("SET session_replication_role = 'replica'")
      await hand.query('DELETE FROM audit_link WHERE casino_id = $1 AND sequence > 1', [casino.id])
      await hand.query('DELETE FROM audit_entry WHERE casino_id = $1 AND id > $2', [
        casino.id,
        earlier.entryId,
      ])
      await hand.query('UPDATE audit_chain SET sequence = 1, hash = $2 WHERE casino_id = $1', [
        casino.id,
        earlier.hash,
      ])
    } finally {
      await hand.end()
    }
    // By itself it fits.
    expect((await verifyByHand(first)).code).to.equal(0)
    const run = await verifyByHand(second)
    expect([run.code, run.stdout]).to.deep.equal([
      1,
      `${casino.id}: ${first}\n${casino.id}: entry 2 is not the one that was expected\n1 trails, 1 problems\n`,
    ])
  })
})
