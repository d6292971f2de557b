import { mock } from 'node:test'
import { expect } from 'chai'
import { openDatabase } from '../../../core/platform/database.ts'
import type { Database } from '../../../core/platform/database.ts'
import { createLogger } from '../../../core/platform/logger.ts'
import { freeSessionLock, hasSessionLock, takeSessionLock } from '../../../core/platform/session-lock.ts'
import { atEndOfTest } from '../../support/at-end.ts'
import { createTestEnv } from '../../support/config.ts'
import { eventually } from '../../support/eventually.ts'
import { usualBackend } from '../../support/environment.ts'

const id = 7_236_201_999

describe('a lock of a session', () => {
  const atEnd = atEndOfTest()
  const open = (url: string): Database => {
    const log = createLogger('test', 'silent')
    const { database, close } = openDatabase({ url, poolMax: 1, log, isForScans: true })
    atEnd(close)
    return database
  }
  const urlOf = async () => (await createTestEnv(usualBackend))['DATABASE_URL'] ?? ''

  it('is that of one session, until it ends', async () => {
    const url = await urlOf()
    const [one, other] = [open(url), open(url)]
    expect(await takeSessionLock(one, id)).to.equal(true)
    expect(await takeSessionLock(other, id)).to.equal(false)
    expect([await hasSessionLock(one, id), await hasSessionLock(other, id)]).to.deep.equal([true, false])
    await one.$queryRaw`SELECT pg_terminate_backend(pg_backend_pid())`.catch(() => undefined)
    expect(await hasSessionLock(one, id)).to.equal(false)
    await eventually('the lock is free', () => takeSessionLock(other, id))
  })

  it('is freed by its session only', async () => {
    const url = await urlOf()
    const [one, other] = [open(url), open(url)]
    expect(await takeSessionLock(one, id)).to.equal(true)
    await freeSessionLock(other, id)
    expect(await takeSessionLock(other, id)).to.equal(false)
    await freeSessionLock(one, id)
    expect(await takeSessionLock(other, id)).to.equal(true)
  })

  it('is kept while the program works elsewhere for minutes', async () => {
    const database = open(await urlOf())
    mock.timers.enable({ apis: ['setTimeout'] })
    try {
      expect(await takeSessionLock(database, id)).to.equal(true)
      mock.timers.tick(10 * 60_000)
      expect(await hasSessionLock(database, id)).to.equal(true)
    } finally {
      mock.timers.reset()
    }
  })
})
