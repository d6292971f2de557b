import { expect } from 'chai'
import pg from 'pg'
import type { ChainAudit } from '../../../core/audit/chain-audit.ts'
import { createChainAudit } from '../../../core/audit/chain-audit.ts'
import { findNewEntries } from '../../../core/audit/find-chains.ts'
import { createHeadMemory } from '../../../core/audit/head-memory.ts'
import { createKeepTrails } from '../../../core/audit/keep-trails.ts'
import { createRecordAudit } from '../../../core/audit/record-audit.ts'
import { newId } from '../../../core/platform/ids.ts'
import { sql } from '../../../core/platform/sql.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { untilTransactionsEnd } from '../../support/ended-transactions.ts'
import { changeAsOwner } from '../../support/owner.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { watchDatabase } from '../../support/watched-database.ts'

const hashSecret = 'a-secret-of-this-test-that-is-long-enough'

describe('keeping the audit trails', () => {
  let service: TestService

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
  })

  const log = { info: () => undefined, error: () => undefined, warn: () => undefined }
  const createMemory = () => createHeadMemory({ hashSecret, runScript: undefined, log })
  const record = (casinoId: string, at = new Date()) =>
    createRecordAudit({ database: service.database, hashSecret })({
      id: newId('aud', new Date()),
      casinoId,
      at,
      actor: 'admin',
      address: null,
      action: 'PUT /',
      params: '{}',
      reason: null,
      requestId: 'r',
      outcome: '200',
    })
  const write = async (casinoId: string) => {
    await record(casinoId)
    await untilTransactionsEnd(service.database)
  }
  const entryByHand = (casinoId: string) => sql`
    INSERT INTO audit_entry (id, casino_id, at, actor, action, params, request_id, outcome, txid)
    VALUES ('aud_0' || ${casinoId}::text, ${casinoId}::text, '2026-01-01', 'admin', 'GET /', '{}', 'r', '200', 1)`
  const countLinks = (casinoId: string) => service.database.auditLink.count({ where: { casinoId } })

  it('chains the new entries of each trail without reading the others', async () => {
    const { database } = service
    const [one, other] = [await service.factory.casino(), await service.factory.casino()]
    let reads = 0
    const watched = watchDatabase(database, { before: () => (reads += 1) })
    const chain = createChainAudit({ database: watched, hashSecret, log, memory: createMemory() })
    await write(one.id)
    await chain('new')
    expect(await countLinks(one.id)).to.equal(1)
    await write(one.id)
    await write(other.id)
    await chain('new')
    expect([await countLinks(one.id), await countLinks(other.id)]).to.deep.equal([2, 1])

    // With the number of a transaction that was looked at long ago, as only the owner of the database can write.
    await changeAsOwner(database, entryByHand(one.id))
    reads = 0
    expect((await chain('new')).moved).to.equal(0)
    expect(reads, 'it asks what is new').to.equal(1)
  })

  it('knows since when entries wait for an older transaction that is still open', async () => {
    const { database } = service
    const { id: casinoId } = await service.factory.casino()
    const chain = createChainAudit({ database, hashSecret, log, memory: createMemory() })
    await untilTransactionsEnd(database)
    expect(await chain()).to.include({ waitingSince: null })
    const other = new pg.Client(service.env['DATABASE_URL'])
    await other.connect()
    try {
      await other.query('BEGIN')
      await other.query('SELECT pg_current_xact_id()')
      const at = new Date('2026-01-01T08:00:00Z')
      await record(casinoId, at)
      await record(casinoId)
      const later = createChainAudit({ database, hashSecret, log, memory: createMemory() })
      for (const turn of [() => chain('new'), chain, later])
        expect(await turn()).to.deep.equal({ moved: 0, broken: 0, waitingSince: at })
      const { horizon, heldUpSince } = await findNewEntries(database, undefined)
      expect(heldUpSince).to.deep.equal(at)
      // A process that has seen a later horizon has examined these entries.
      expect(await findNewEntries(database, horizon + 1_000n)).to.include({ heldUpSince: null })
      await other.query('ROLLBACK')
    } finally {
      await other.end()
    }
    await untilTransactionsEnd(database)
    expect(await chain('new')).to.deep.equal({ moved: 2, broken: 0, waitingSince: null })
  })

  it('begins without reading all entries', async () => {
    const { id: casinoId } = await service.factory.casino()
    await write(casinoId)
    const statements: string[] = []
    const watched = watchDatabase(service.database, {
      before: (statement, { values }) => {
        // No entry is at or after a null.
        const isOfLater = statement.includes('AS "casinoIds"') && values.every((value) => value === null)
        if (!isOfLater) statements.push(statement)
      },
    })
    const chain = createChainAudit({ database: watched, hashSecret, log, memory: createMemory() })
    await chain()
    expect(await countLinks(casinoId)).to.equal(1)
    const isBounded = (statement: string) => /casino_id = |audit_chain/.test(statement)
    expect(statements.filter((statement) => !isBounded(statement))).to.deep.equal([])
  })

  it('tries again in each round entries that it could not chain', async () => {
    const { id: casinoId } = await service.factory.casino()
    const chain = createChainAudit({
      database: service.database,
      hashSecret,
      log,
      memory: createMemory(),
    })
    await chain('new')
    for (let count = 0; count < 3; count++) await write(casinoId)
    await service.database.$executeRaw`
      INSERT INTO audit_link (casino_id, sequence, entry_id, hash)
      SELECT ${casinoId}, 1, id, 'none' FROM audit_entry WHERE casino_id = ${casinoId} LIMIT 1`
    for (let turn = 0; turn < 2; turn++) expect((await chain('new')).broken).to.equal(1)
  })

  it('notices with the next full check every entry that was inserted, removed or rolled back', async () => {
    const { database } = service
    let nowMs = 0
    const deps = { database, hashSecret, log, memory: createMemory(), nowMs: () => (nowMs += 1) }
    const keep = createKeepTrails({ ...deps, chainAudit: createChainAudit(deps) })
    const [written, removed, takenBack] = [
      await service.factory.casino(),
      await service.factory.casino(),
      await service.factory.casino(),
    ]
    for (const { id } of [written, removed, takenBack, takenBack]) await write(id)
    const { refused } = await keep()
    await database.$executeRaw(entryByHand(written.id))
    for (const table of [sql`audit_link`, sql`audit_entry`, sql`audit_chain`])
      await changeAsOwner(database, sql`DELETE FROM ${table} WHERE casino_id = ${removed.id}::text`)
    await changeAsOwner(
      database,
      sql`DELETE FROM audit_link WHERE casino_id = ${takenBack.id}::text AND sequence = 2`,
    )
    await changeAsOwner(
      database,
      sql`DELETE FROM audit_entry WHERE casino_id = ${takenBack.id}::text
             AND id NOT IN (SELECT entry_id FROM audit_link WHERE casino_id = ${takenBack.id}::text)`,
    )
    await untilTransactionsEnd(database)
    expect(await keep(), 'a look at what is new').to.include({ moved: 1, lostHeads: 0, refused })
    nowMs += 60_000
    expect(await keep()).to.include({ moved: 0, lostHeads: 2, refused: refused + 1 })
  })

  it('checks all trails right after a turn that failed, as if it had chained some', async () => {
    let nowMs = 0
    let isFailing = false
    const scopes: string[] = []
    const chainAudit: ChainAudit = (scope = 'all') => {
      scopes.push(scope)
      if (isFailing) return Promise.reject(new Error('away'))
      return Promise.resolve({ moved: 0, broken: 0, waitingSince: null })
    }
    const keep = createKeepTrails({
      database: service.database,
      memory: createMemory(),
      log,
      nowMs: () => nowMs,
      chainAudit,
    })
    await keep()
    nowMs += 2_000
    await keep()
    isFailing = true
    nowMs += 2_000
    const [turn] = await Promise.allSettled([keep()])
    expect(turn).to.include({ status: 'rejected' })
    isFailing = false
    nowMs += 2_000
    await keep()
    nowMs += 2_000
    await keep()
    expect(scopes).to.deep.equal(['all', 'new', 'new', 'all', 'new'])
  })

  it('checks all trails every ten seconds or after new entries, and the less often the longer that takes', async () => {
    let nowMs = 0
    let takesMs = 1
    let moved = 0
    const scopes: string[] = []
    const chainAudit: ChainAudit = (scope = 'all') => {
      scopes.push(scope)
      if (scope === 'all') nowMs += takesMs
      return Promise.resolve({ moved: scope === 'all' ? 0 : moved, broken: 0, waitingSince: null })
    }
    const keep = createKeepTrails({
      database: service.database,
      memory: createMemory(),
      log,
      nowMs: () => nowMs,
      chainAudit,
    })
    const looksIn = async (seconds: number) => {
      scopes.length = 0
      for (const endMs = nowMs + seconds * 1_000; nowMs < endMs; nowMs += 2_000) await keep()
      return scopes.filter((scope) => scope === 'all').length
    }
    expect(await looksIn(60)).to.equal(6)
    moved = 1
    expect(await looksIn(60), 'one of two turns chains, and the next one looks').to.equal(15)
    takesMs = 500
    moved = 0
    expect(await looksIn(600)).to.be.within(30, 40)
    takesMs = 10_000
    expect(await looksIn(600)).to.be.within(7, 10)
  })
})
