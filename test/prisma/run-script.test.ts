import { expect } from 'chai'
import pg from 'pg'
import { serviceSettings } from '../../core/platform/session-settings.ts'
import { runScript } from '../../prisma/run-script.ts'
import { atEndOfTest } from '../support/at-end.ts'
import { createTestDatabase } from '../support/environment.ts'
import { eventually } from '../support/eventually.ts'

/** Here its first attempts are over. */
const briefAttempts = 0

describe('a migration that has not got its lock for half a minute', () => {
  const atEnd = atEndOfTest()
  const start = async (lock: string) => {
    const connectionString = await createTestDatabase()
    const pool = new pg.Pool({ connectionString, max: 3 })
    atEnd(() => pool.end())
    const [holder, service] = [await pool.connect(), await pool.connect()]
    atEnd(() => {
      holder.release()
      service.release()
    })
    await holder.query('BEGIN')
    await holder.query(lock)
    const running = runScript(pool, 'ALTER TABLE prize_order ADD COLUMN more text', briefAttempts)
    running.catch(() => undefined) // awaited by the test, unless it fails before
    const itWaits = (forMs: number) =>
      eventually('the migration waits for its lock', async () => {
        const { rowCount } = await service.query(
          `SELECT FROM pg_stat_activity
            WHERE datname = current_database() AND query LIKE 'ALTER TABLE prize_order%' AND wait_event_type = 'Lock'
              AND clock_timestamp() - query_start > $1 * interval '1 millisecond'`,
          [forMs],
        )
        return rowCount === 1
      })
    return { holder, service, running, itWaits }
  }

  it('waits as long as an autovacuum takes to be ended, if a table is being vacuumed', async () => {
    const { holder, running, itWaits } = await start('LOCK TABLE prize_order IN SHARE UPDATE EXCLUSIVE MODE')
    await itWaits(1_000)
    await holder.query('COMMIT')
    await running
  })

  it('still gives way before the service’s statements do, if anything else holds the lock', async () => {
    const { holder, service, running, itWaits } = await start(
      'LOCK TABLE prize_order IN ROW EXCLUSIVE MODE; LOCK TABLE prize IN SHARE UPDATE EXCLUSIVE MODE',
    )
    await service.query(`SET lock_timeout = '${serviceSettings['lock_timeout']}'`)
    await itWaits(0)
    expect((await service.query('SELECT FROM prize_order')).rowCount).to.equal(0)
    await holder.query('COMMIT')
    await running
  })
})
