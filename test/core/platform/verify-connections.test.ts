import { expect } from 'chai'
import type pg from 'pg'
import { Pool } from '../../../core/platform/pool.ts'
import { createVerify } from '../../../core/platform/verify-connections.ts'
import { createTestDatabase } from '../../support/environment.ts'
import { eventually } from '../../support/eventually.ts'
import { startTcpProxy } from '../../support/tcp-proxy.ts'

describe('the check of a new connection', () => {
  it('only fails, and does not end the process, when the connection is lost during the check', async () => {
    const url = new URL(await createTestDatabase())
    const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) })
    url.port = String(proxy.port)
    let isChecking = false
    const config = {
      connectionString: url.href,
      // The server would not notice before the statement ends.
      options: '-c client_connection_check_interval=100',
      verify: createVerify(async (client: pg.PoolClient) => {
        isChecking = true
        await client.query('SELECT pg_sleep(60)')
      }),
    }
    const pool = new Pool(config, () => undefined)
    try {
      const refused = pool.query('SELECT 1').then(
        () => undefined,
        (error: unknown) => error,
      )
      await eventually('the check runs', () => isChecking)
      await proxy.cut()
      expect(await refused)
        .to.be.an('error')
        .with.property('message')
        .that.matches(/terminated|ECONNRESET/) // by which of the two the loss shows first
    } finally {
      await pool.end()
      await proxy.stop()
    }
  })
})
