import { monotonicMs } from '../../core/platform/clock.ts'
import { withSession } from '../servers.ts'
import type { Run } from '../with-run.ts'
import { withLoops } from './loops.ts'
import { environmentOf } from './sized.ts'
import type { Sized } from './sized.ts'

/** Several times as many as the largest size needs. */
const turnsMax = 100_000

/**
 * Lets the loops of a worker do all that is due, as they would have while the rows came: the audit trail is chained. Then
 * it vacuums. Otherwise a worker and autovacuum would do it beside the measured operations.
 */
export async function keepUp(run: Run, sized: Sized): Promise<void> {
  await withLoops(environmentOf(run, sized), {}, async (loops) => {
    for (const { name, runOnce } of loops) {
      let turns = 0
      while ((await runOnce()) > 0) {
        if (++turns === turnsMax) throw new Error(`the loop ${name} does not come to an end`)
      }
    }
  })
  await vacuumChanged(run, sized)
}

/**
 * Vacuums and analyzes the tables that have changed, and gives the seconds that it took. Autovacuum would do it while
 * another size is measured, in the same server.
 */
export function vacuumChanged({ servers }: Run, { databaseUrl }: Sized): Promise<number> {
  return withSession(servers, databaseUrl, async (session) => {
    const { rows } = await session.query<{ name: string }>(
      `SELECT quote_ident(relname) AS name FROM pg_stat_user_tables
        WHERE schemaname = 'public' AND n_mod_since_analyze + n_dead_tup + n_ins_since_vacuum > 0`,
    )
    const beganMs = monotonicMs()
    for (const { name } of rows) await session.query(`VACUUM (ANALYZE) ${name}`)
    return (monotonicMs() - beganMs) / 1_000
  })
}
