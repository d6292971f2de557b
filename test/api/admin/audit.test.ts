import { expect } from 'chai'
import pg from 'pg'
import { chainAudit } from '../../../core/audit/chain-audit.ts'
import { verifyTrail } from '../../../core/audit/verify-audit.ts'
import { adminApiKey } from '../../support/config.ts'
import { delivery } from '../../support/factory.ts'
import type { TestCasino } from '../../support/factory.ts'
import { logIn, postLogin } from '../../support/ops.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { runTool } from '../../tools/run-tool.ts'
import { at, createOperator, fieldOf, listAt } from './operator.ts'
import type { TestOperator } from './operator.ts'

describe('the audit trail', function () {
  this.timeout(30_000)
  let service: TestService
  let casino: TestCasino
  let operator: TestOperator
  let admin: TestOperator

  before(async () => {
    service = await startService()
  })
  after(() => service.stop())
  beforeEach(async () => {
    casino = await service.factory.casino()
    operator = createOperator(service.client, casino.apiKey)
    admin = createOperator(service.client, adminApiKey)
  })

  const trailOf = async (casinoId: string) =>
    service.database.auditEntry.findMany({ where: { casinoId }, orderBy: { id: 'asc' } })
  const hashSecret = () => service.deps.config.hashSecret
  /** What the log was told of ends of chains. */
  const logged: { casinoId?: string; end?: string }[] = []
  const log = { info: (line: object) => void logged.push(line) }
  const chain = () => chainAudit({ database: service.database, hashSecret: hashSecret(), log })
  const verify = (casinoId: string) =>
    verifyTrail(
      { database: service.database, hashSecret: hashSecret() },
      casinoId,
      new Date(Date.now() + 60_000),
    )
  const keyId = () => casino.apiKey.split('_')[2] ?? ''

  it('has who did what, when, from where and why, before it was done and what came of it', async () => {
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

  it('has every use of a key beside the three operations, and nothing of those', async () => {
    const { prizeId } = await service.factory.prize(casino.id, { playerId: 'ann' })
    const body = { player_id: 'ann', prize_id: prizeId, ...delivery }
    await service.client.post('/prize/order', casino.apiKey, body)
    const headers = { Authorization: `Bearer ${casino.apiKey}` }
    await service.client.send('GET', '/boxes', { headers })
    await service.client.send('GET', '/fairness/seeds', { headers })
    const entries = await trailOf(casino.id)
    expect(entries.map(({ action }) => action)).to.deep.equal(['GET /boxes', 'GET /fairness/seeds'])
  })

  it('keeps what the admin does with a casino in that casino’s trail, and everything else in the service’s', async () => {
    await admin.put(`/${casino.id}/items/mug`, { name: 'Mug', kind: 'physical' })
    await admin.get('/no-such-casino/items')
    await admin.get('/%00/items')
    await postLogin(service.client, 'not the key')
    await logIn(service.client)
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
      'POST /ops/login → 401 api_key_invalid',
      'POST /ops/login → 303',
    ])
    const foreign = await service.client.send('GET', '/admin/audit', {
      headers: { Authorization: `Bearer ${casino.apiKey}` },
    })
    expect(foreign.status).to.equal(403)
  })

  it('does nothing that it cannot write down', async () => {
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

  it('takes what is odd as it is, and keeps no more of it than fits', async () => {
    const reasons = ['\ud800', '\0', 'x'.repeat(100_000), 5, { a: 1 }, null]
    for (const reason of reasons) {
      await operator.post(`/${casino.id}/orders/ord_none/confirm`, { reason })
    }
    const entries = await trailOf(casino.id)
    expect(entries).to.have.length(12)
    for (const { reason } of entries) expect(reason?.length ?? 0).to.be.at.most(500)
  })

  it('chains every entry once, however many chain at the same time and write meanwhile', async () => {
    const writes = Promise.all(
      Array.from({ length: 60 }, () =>
        operator.put(`/${casino.id}/items/mug`, { name: 'Mug', kind: 'cash' }),
      ),
    )
    const chains = Promise.all(Array.from({ length: 20 }, chain))
    await writes
    await chains
    await chain()
    const verified = await verify(casino.id)
    expect(verified).to.deep.include({ entries: 120n, problems: [] })
    const page = await operator.get(`/${casino.id}/audit?limit=200`)
    const sequences = fieldOf(listAt(page), 'sequence').slice(0, 120)
    expect(new Set(sequences).size).to.equal(120)
    expect(at(page, 'data.0.hash')).to.match(/^[0-9a-f]{64}$/)
  })

  it('shows where an entry was altered, removed, moved or slipped in, and refuses that in the first place', async () => {
    for (let count = 0; count < 5; count++) await operator.get(`/${casino.id}/orders`)
    await chain()
    const before = await verify(casino.id)
    expect(before).to.deep.include({ entries: 5n, problems: [] })
    const [first, second] = await service.database.auditLink.findMany({
      where: { casinoId: casino.id },
      orderBy: { sequence: 'asc' },
    })
    const hand = new pg.Client({ connectionString: service.env['DATABASE_URL'] })
    await hand.connect()
    /** What nobody is allowed to do, done by somebody who can switch triggers off; and undone. */
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

  it('can be compared with what it ended with before', async () => {
    await operator.get(`/${casino.id}/orders`)
    await chain()
    const verifyByHand = (...args: string[]) =>
      runTool('tools/verify-audit.ts', ['--casino', casino.id, ...args], service.env)
    const first = await verifyByHand()
    expect(first.code, first.stdout + first.stderr).to.equal(0)
    const [, end = ''] = /: (1:[0-9a-f]{64})/.exec(first.stdout) ?? []
    await operator.get(`/${casino.id}/orders`)
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

  it('has its ends in the log too, so that a chain that was taken back whole is found', async () => {
    const end = async () => {
      await operator.get(`/${casino.id}/orders`)
      await chain()
      return logged.filter(({ casinoId }) => casinoId === casino.id).at(-1)?.end ?? ''
    }
    const verifyByHand = (expected: string) =>
      runTool('tools/verify-audit.ts', ['--casino', casino.id, '--expect', expected], service.env)
    const [first, second] = [await end(), await end()]
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
