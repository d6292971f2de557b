import { expect } from 'chai'
import { takeFromLines } from '../../../core/outbox/line.ts'
import { lineOf } from '../../../core/outbound/call-line.ts'
import { createCallSlots } from '../../../core/outbound/slots.ts'
import type { Database } from '../../../core/platform/database.ts'
import { createLineServer } from '../../../core/outbound/serve-lines.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { watchDatabase } from '../../support/watched-database.ts'

const line = lineOf('webhook', 'lucky', 'crm')

describe('a worker that serves lines', () => {
  let service: TestService

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
  })
  beforeEach(async () => {
    await service.database.$executeRaw`DELETE FROM outbox`
    await service.database.$executeRaw`
      INSERT INTO outbox (job_name, object_id, due_at, line)
      SELECT 'deliver-webhook', 'd' || n, now() + interval '1 hour', ${line.key} FROM generate_series(1, 3) AS n`
  })

  const serve = (database: Database, run: () => Promise<unknown>) => {
    const createSlots = () => createCallSlots({ totalMax: 64, perLineMax: 8, nowMs: () => 0 })
    const slots = { wallet: createSlots(), provider: createSlots(), webhook: createSlots() }
    return { slots, lines: createLineServer({ ...service.deps, database, slots, run }) }
  }

  it('begins nothing after it has stopped, and releases the work that it was just taking immediately', async () => {
    let letTake: () => void = () => undefined
    let tellTaking: () => void = () => undefined
    const mayTake = new Promise<void>((resolve) => (letTake = resolve))
    const isTaking = new Promise<void>((resolve) => (tellTaking = resolve))
    const watched = watchDatabase(service.database, {
      before: (statement) => {
        if (!statement.includes('taken AS')) return undefined
        tellTaking()
        return mayTake
      },
    })
    let begun = 0
    const { lines, slots } = serve(watched, () => Promise.resolve((begun += 1)))
    await lines.lookOnce()
    await isTaking
    let hasStopped = false
    const stopping = lines.stop().then(() => (hasStopped = true))
    await service.database.$queryRaw`SELECT 1`
    expect(hasStopped, 'it waits for what it takes').to.equal(false)
    letTake()
    await stopping
    expect(begun).to.equal(0)
    // The column has whole milliseconds: a time is up to half of one later than it was.
    const due = await service.database.$queryRaw<unknown[]>`
      SELECT FROM outbox WHERE due_at < now() + interval '1 millisecond'`
    expect(due.length).to.equal(3)
    slots.webhook.noteWaiting(line)
    expect(slots.webhook.reserve().map(({ holders }) => holders.length)).to.deep.equal([8])
  })

  it('waits for the work that it has begun when it stops', async () => {
    let letEnd: () => void = () => undefined
    let tellBegun: () => void = () => undefined
    const mayEnd = new Promise<void>((resolve) => (letEnd = resolve))
    const hasBegun = new Promise<void>((resolve) => (tellBegun = resolve))
    const { lines } = serve(service.database, () => {
      tellBegun()
      return mayEnd
    })
    await lines.lookOnce()
    await hasBegun
    let hasStopped = false
    const stopping = lines.stop().then(() => (hasStopped = true))
    await service.database.$queryRaw`SELECT 1`
    expect(hasStopped).to.equal(false)
    letEnd()
    await stopping
    expect(await takeFromLines(service.deps, [{ line: line.key, count: 8 }])).to.deep.equal([])
  })

  it('reaches every line in the end, however many there are and even if some calls hang', async () => {
    await service.database.$executeRaw`
      INSERT INTO outbox (job_name, object_id, due_at, line)
      SELECT 'deliver-webhook', 'm' || n, now() + interval '1 hour', 'webhook' || chr(10) || 'casino' || n
        FROM generate_series(1, 2500) AS n`
    const { lines, slots } = serve(service.database, () => new Promise(() => undefined))
    const noted = new Set<string>()
    slots.webhook.noteWaiting = ({ key }) => void noted.add(key)
    while ((await lines.lookOnce()) > 0);
    expect(noted.size).to.equal(2_501)
    noted.clear()
    await lines.lookOnce()
    expect(noted.size, 'and begins again').to.equal(1_000)
  })
})
