import { expect } from 'chai'
import { createChainAudit } from '../../core/audit/chain-audit.ts'
import { checkHeads } from '../../core/audit/check-heads.ts'
import { countRefusedEntries } from '../../core/audit/find-chains.ts'
import { createHeadMemory } from '../../core/audit/head-memory.ts'
import type { HeadMemory } from '../../core/audit/head-memory.ts'
import { createRecordAudit } from '../../core/audit/record-audit.ts'
import { verifyTrail } from '../../core/audit/verify-audit.ts'
import { readConfig } from '../../core/platform/config.ts'
import { openDatabase } from '../../core/platform/database.ts'
import type { Database, Prisma } from '../../core/platform/database.ts'
import { newId } from '../../core/platform/ids.ts'
import { createLogger } from '../../core/platform/logger.ts'
import { sql } from '../../core/platform/sql.ts'
import { openQueueBackend } from '../../core/queue/queue-backend.ts'
import { atEndOfTest } from '../support/at-end.ts'
import { createTestConfig, createTestEnv } from '../support/config.ts'
import { untilTransactionsEnd } from '../support/ended-transactions.ts'
import { queueBackends } from '../support/environment.ts'
import { changeAsOwner } from '../support/owner.ts'

const casinoId = 'acme'
const hashSecret = 'a secret of the service that no database knows'

describe('the audit trail, against those who can write to the database', () => {
  const atEnd = atEndOfTest()
  let database: Database
  let errors: object[]
  let memory: HeadMemory

  beforeEach(async () => {
    const opened = openDatabase({
      url: readConfig(await createTestEnv('postgres')).databaseUrl,
      poolMax: 3,
      log: createLogger('test', 'silent'),
    })
    atEnd(opened.close)
    ;({ database } = opened)
    await database.casino.create({ data: { id: casinoId, name: casinoId } })
    errors = []
    memory = createHeadMemory({ hashSecret, runScript: undefined, log: { warn: () => undefined } })
  })

  const log = { info: () => undefined, error: (line: object) => void errors.push(line) }
  /** As a worker does that has just started. */
  const chain = async () => {
    await untilTransactionsEnd(database)
    return createChainAudit({ database, hashSecret, log, memory })()
  }
  const check = (by = memory) => checkHeads({ database, memory: by, log })
  const write = async (count: number, trail = casinoId) => {
    const record = createRecordAudit({ database, hashSecret })
    const entry = {
      casinoId: trail,
      at: new Date(),
      actor: 'admin',
      address: null,
      action: 'PUT /',
      params: '{}',
      reason: null,
      requestId: 'req',
      outcome: '200',
    }
    for (let n = 0; n < count; n++) await record({ ...entry, id: newId('aud', new Date()) })
  }
  const insertByHand = (id: string, at: Date) =>
    database.auditEntry.create({
      data: {
        id,
        casinoId,
        at,
        actor: 'admin',
        action: 'GET /',
        params: '{}',
        requestId: 'r',
        outcome: '200',
      },
    })
  const verify = async () => {
    const { entries, unsigned, problems } = await verifyTrail(
      { database, hashSecret },
      casinoId,
      new Date(Date.now() + 60_000),
    )
    return { entries, unsigned, problems: problems.map(({ problem }) => problem) }
  }
  const byHand = (change: Prisma.Sql) => changeAsOwner(database, change)
  /** Cuts all links and has the worker begin again. */
  const cutLinks = async () => {
    await byHand(sql`DELETE FROM audit_link`)
    await byHand(sql`UPDATE audit_chain SET sequence = 0, hash = '', cursor_txid = 0, cursor_id = ''`)
  }

  it('does not chain an entry that an attacker inserts back-dated, and still chains all others', async () => {
    await write(2)
    await chain()
    await insertByHand('aud_0', new Date('2026-01-01'))
    await write(1)
    await chain()
    expect(errors).to.deep.equal([{ casinoId, entryId: 'aud_0', problem: 'not signed' }])
    expect(await countRefusedEntries(database)).to.equal(1)
    expect(await verify()).to.deep.equal({ entries: 3n, unsigned: 0n, problems: ['entry_not_chained'] })
  })

  it('does not chain an entry that an attacker inserts with the number of an older transaction', async () => {
    await write(2)
    await chain()
    await database.$executeRaw`
      INSERT INTO audit_entry (id, casino_id, at, actor, action, params, request_id, outcome, txid)
      VALUES ('aud_0', ${casinoId}, now(), 'admin', 'GET /', '{}', 'r', '200', 1)`
    await chain()
    expect(errors).to.deep.equal([{ casinoId, entryId: 'aud_0', problem: 'not signed' }])
    expect(await countRefusedEntries(database)).to.equal(1)
    await byHand(sql`UPDATE audit_entry SET txid = 1 WHERE id = 'aud_0'`)
    expect((await verify()).problems, 'wherever the owner puts it').to.deep.equal(['entry_not_chained'])
  })

  it('does not chain an entry again that was changed and cut from its links', async () => {
    await write(3)
    await chain()
    expect(await verify()).to.deep.equal({ entries: 3n, unsigned: 0n, problems: [] })
    const { id } = await database.auditEntry.findFirstOrThrow({ orderBy: { id: 'asc' } })
    for (const change of [sql`actor = 'nobody'`, sql`at = at - interval '1 day'`, sql`signature = NULL`]) {
      await byHand(sql`UPDATE audit_entry SET ${change} WHERE id = ${id}::text`)
      await cutLinks()
      errors.length = 0
      await chain()
      expect(errors, change.sql).to.have.lengthOf(1)
      expect(errors[0]).to.include({ entryId: id })
      const { entries, problems } = await verify()
      expect([entries, problems]).to.deep.equal([2n, ['entry_not_chained']])
    }
  })

  it('reports a trail that was rolled back, in every round, until an operator has looked', async () => {
    await write(3)
    await chain()
    expect(await check()).to.deep.equal([])
    await byHand(sql`DELETE FROM audit_link WHERE sequence = 3`)
    await byHand(sql`DELETE FROM audit_entry WHERE id = (SELECT max(id) FROM audit_entry)`)
    await byHand(sql`
      UPDATE audit_chain SET sequence = 2, hash = link.hash FROM audit_link AS link WHERE link.sequence = 2`)
    expect(await check()).to.deep.equal([casinoId])
    await write(4)
    await chain()
    expect(await check(), 'at any length').to.deep.equal([casinoId])
    expect(errors).to.have.lengthOf(2)
  })

  it('reports a trail that was removed completely', async () => {
    await write(2)
    await chain()
    expect(await check()).to.deep.equal([])
    for (const table of [sql`audit_link`, sql`audit_entry`, sql`audit_chain`])
      await byHand(sql`DELETE FROM ${table}`)
    expect(await check()).to.deep.equal([casinoId])
    expect(await check(), 'in every turn').to.deep.equal([casinoId])
  })

  it('ignores a forged end, which keeps no entry out of the chain', async () => {
    await write(1)
    await chain()
    await database.$executeRaw`
      UPDATE audit_chain SET cursor_txid = 9000000000000000000, sequence = 1000, hash = '\\x00'`
    expect(await check()).to.deep.equal([])
    await write(2)
    await chain()
    expect(await check()).to.deep.equal([])
    expect(await verify()).to.deep.equal({ entries: 3n, unsigned: 0n, problems: [] })
  })

  it('continues a chain whose end was removed after its last link', async () => {
    await write(2)
    await chain()
    await byHand(sql`DELETE FROM audit_chain`)
    await chain()
    expect(await verify()).to.deep.equal({ entries: 2n, unsigned: 0n, problems: [] })
    expect(errors).to.deep.equal([{ casinoId }])
    await write(1)
    expect(await chain()).to.include({ moved: 1, broken: 0, waitingSince: null })
    expect(await verify()).to.deep.equal({ entries: 3n, unsigned: 0n, problems: [] })
  })

  it('names a chain in each round whose last link has lost its place or its entry', async () => {
    await write(1)
    await chain()
    for (const change of [
      sql`UPDATE audit_entry SET txid = 9000000000000000000`,
      sql`UPDATE audit_link SET entry_id = 'gone'`,
      sql`DELETE FROM audit_entry`,
    ]) {
      await byHand(change)
      for (let turn = 0; turn < 2; turn++) expect((await chain()).broken, change.sql).to.equal(1)
    }
  })

  it('names a chain with a forged link in each round, and continues all others', async () => {
    await write(2)
    await chain()
    const [, second] = await database.auditEntry.findMany({ orderBy: { id: 'asc' } })
    await byHand(sql`DELETE FROM audit_link WHERE sequence = 2`)
    await database.auditLink.create({
      data: { casinoId, sequence: 2, entryId: second?.id ?? '', hash: Buffer.alloc(32) },
    })
    await write(1)
    await write(1, '')
    for (const turn of ['first', 'second']) {
      errors.length = 0
      const { broken, waitingSince } = await chain()
      expect([broken, waitingSince instanceof Date], turn).to.deep.equal([1, true])
      expect(errors, turn).to.have.lengthOf(1)
      expect(errors[0], turn).to.include({ casinoId })
    }
    expect(await database.auditLink.count({ where: { casinoId: '' } })).to.equal(1)
    expect(await database.auditLink.count({ where: { casinoId } })).to.equal(2)
  })

  it('chains entries from before there were signatures until the first one with a signature is chained', async () => {
    for (const id of ['aud_1', 'aud_2']) await insertByHand(id, new Date())
    await database.auditChain.create({ data: { casinoId } })
    await chain()
    await write(1)
    await chain()
    await insertByHand('aud_3', new Date())
    await chain()
    expect(await verify()).to.deep.equal({ entries: 3n, unsigned: 2n, problems: ['entry_not_chained'] })
    expect(errors).to.deep.equal([{ casinoId, entryId: 'aud_3', problem: 'not signed' }])
  })

  if (queueBackends.includes('redis')) {
    it('keeps the ends of trails in Redis beyond the life of a process, where they cannot be forged', async () => {
      const config = await createTestConfig('redis')
      const backend = openQueueBackend(config.queue, createLogger('test', 'silent'))
      atEnd(() => backend.close())
      const { runScript } = backend
      const remembering = () => createHeadMemory({ hashSecret, runScript, log: { warn: () => undefined } })
      await write(2)
      await chain()
      expect(await check(remembering())).to.deep.equal([])
      await cutLinks()
      expect(await check(remembering()), 'a process that has just started').to.deep.equal([casinoId])
      const other = createHeadMemory({ hashSecret: 'another', runScript, log: { warn: () => undefined } })
      expect([...(await other.recall([casinoId])).keys()]).to.deep.equal([])
    })
  }
})
