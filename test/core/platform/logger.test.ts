import { expect } from 'chai'
import { openDatabase } from '../../../core/platform/database.ts'
import type { OpenDatabase } from '../../../core/platform/database.ts'
import { createLogger, describeError } from '../../../core/platform/logger.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { createTestDatabase } from '../../support/environment.ts'
import { startTcpProxy } from '../../support/tcp-proxy.ts'
import type { TcpProxy } from '../../support/tcp-proxy.ts'

describe('the log line of an error', () => {
  let opened: OpenDatabase
  let proxy: TcpProxy

  const atEnd = atEndOfSuite()
  before(async () => {
    const url = new URL(await createTestDatabase())
    proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) })
    atEnd(() => proxy.stop())
    url.port = String(proxy.port)
    opened = openDatabase({ url: url.href, poolMax: 2, log: createLogger('test', 'silent') })
    atEnd(() => opened.close())
  })

  const failureOf = async (query: Promise<unknown>) => {
    try {
      await query
    } catch (error) {
      return describeError(error)
    }
    throw new Error('the query succeeded')
  }

  it('has the stack and the SQLSTATE when the database refuses a statement, but not its message', async () => {
    const logged = await failureOf(opened.database.$queryRaw`SELECT 'secret'::integer`)
    expect(logged).to.include({ message: 'the database refuses a value (SQLSTATE 22P02)', sqlState: '22P02' })
    expect(logged['stack']).to.match(/^ {4}at /)
    expect(JSON.stringify(logged)).not.to.contain('secret')
  })

  it('has no stack when the database goes away or is away, for any kind of query', async () => {
    await opened.ping()
    const interrupted = failureOf(opened.database.$queryRaw`SELECT pg_sleep(2)::text`)
    const terminated = failureOf(
      opened.database.$queryRaw`SELECT pg_terminate_backend(pg_backend_pid())::text`,
    )
    const all = [await terminated]
    await proxy.cut()
    all.push(
      await interrupted,
      await failureOf(opened.database.$queryRaw`SELECT 1`),
      await failureOf(opened.database.prize.count()),
    )
    await proxy.restore()
    for (const logged of all) {
      expect(logged, JSON.stringify(logged)).not.to.have.property('stack')
      expect(logged['message']).to.match(/^the database cannot be reached: /)
    }
  })

  it('has the stack of every other error, and of its causes', () => {
    const logged = describeError(new Error('outer', { cause: new TypeError('inner') }))
    expect(logged).to.include({ name: 'Error', message: 'outer' })
    expect(logged['stack']).to.match(/^ {4}at /)
    expect(logged).to.have.nested.property('cause.name', 'TypeError')
  })
})
