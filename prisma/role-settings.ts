import { translateDriverError } from '../core/platform/database-error.ts'
import { Pool } from '../core/platform/pool.ts'
import { ownSession, serviceSettings, unlimitedSettings } from '../core/platform/session-settings.ts'
import { createVerify } from '../core/platform/verify-connections.ts'
import { roleLockId } from './runtime-role.ts'

/**
 * Makes the settings of the service's sessions those of its role in this database, so that a session has them however
 * it is opened: a pooler passes nothing on. The role itself does it, which every role may. Sessions that are open keep
 * what they have. `directUrl` is the role's, without a pooler.
 */
export async function setRoleSettings(directUrl: string): Promise<void> {
  // A lost idle connection shows again, with its reason, in the next query.
  const pool = new Pool(
    {
      connectionString: directUrl,
      max: 1,
      connectionTimeoutMillis: 10_000,
      // The role may have the settings already, and another deployment may hold the lock for longer than they allow.
      verify: createVerify(ownSession(unlimitedSettings, 'migrations need')),
    },
    () => undefined,
  )
  try {
    const client = await pool.connect().catch((error: unknown) => {
      throw translateDriverError(error)
    })
    try {
      const { rows } = await client.query<{ database: string }>('SELECT current_database() AS database')
      const database = client.escapeIdentifier(rows[0]?.database ?? '')
      const statements = Object.entries(serviceSettings).map(
        ([name, value]) =>
          `ALTER ROLE CURRENT_USER IN DATABASE ${database} SET ${name} TO ${client.escapeLiteral(value)}`,
      )
      // One transaction, in turn: two that write the same row at a time fail.
      await client.query([`SELECT pg_advisory_xact_lock(${roleLockId})`, ...statements].join(';'))
    } finally {
      client.release(true)
    }
  } finally {
    await pool.end()
  }
}
