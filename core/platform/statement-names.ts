import { createHash } from 'node:crypto'
import { findSqlState } from './database-error.ts'
import type { Logger } from './logger.ts'
import { singleRow } from './single-row.ts'

export interface StatementNames {
  /** The name under which the server keeps the plan of a statement; empty if it keeps none. */
  of(sql: string): string
  /** Finds out, on a new connection to a pooler, whether statements may have names. */
  learn(client: Session): Promise<void>
}

/** The part of a connection that is needed here. */
interface Session {
  query(statement: { name: string; text: string }): Promise<{ rows: { is_passed_on: boolean }[] }>
}

/** The SQL texts are few and constant, so their names (and the server's plans for them) are too. */
const namesMax = 1_000

export function createStatementNames(log: Logger): StatementNames {
  const names = new Map<string, string>()
  let areKept = true
  return {
    of: (sql) => {
      if (!areKept) return ''
      const known = names.get(sql)
      if (known !== undefined) return known
      const name = createHash('sha256').update(sql).digest('hex').slice(0, 32)
      if (names.size < namesMax) names.set(sql, name)
      return name
    },
    learn: async (client) => {
      if (!areKept || (await areKeptBy(client))) return
      // From now on, also on connections that are open: they may all be the same pooler's.
      areKept = false
      log.warn(
        'the pooler keeps no prepared statements, so each statement is planned again: PgBouncer 1.21 keeps them, with max_prepared_statements',
      )
    },
  }
}

const probeName = 'rewards_probe'

/**
 * A pooler that keeps prepared statements for its clients gives them names of its own in each of its sessions. One that
 * knows nothing of them passes on ours: then a later transaction may run in a session that has never seen the name, and
 * this one leaves it behind for others, at most once in each session.
 */
async function areKeptBy(client: Session): Promise<boolean> {
  try {
    const { rows } = await client.query({
      name: probeName,
      text: `SELECT EXISTS (SELECT FROM pg_prepared_statements WHERE name = '${probeName}') AS is_passed_on`,
    })
    return !singleRow(rows).is_passed_on
  } catch (error) {
    if (findSqlState(error) === duplicateName) return false
    throw error
  }
}

const duplicateName = '42P05'
