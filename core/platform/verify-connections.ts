import type { Logger } from './logger.ts'
import { NotMigratedError } from './migrations.ts'

/** For a pool's `verify`: checks each new connection before it is used. `check` rejects unusable ones. */
export function createVerify<Session>(
  check: (session: Session) => Promise<void>,
): (session: Session, done: (error?: Error) => void) => void {
  return (session, done) => {
    check(session).then(
      () => {
        done()
      },
      (error: unknown) => {
        done(error instanceof Error ? error : new Error('a connection cannot be verified', { cause: error }))
      },
    )
  }
}

/**
 * A database that lacks migrations of this version gets none of our statements. It is checked once per connection, so
 * that requests and probes cost nothing more, and a database that is replaced while the service runs is noticed. `what`
 * describes the missing parts if `findMissing` finds any, and `more` adds to the remedy.
 */
export function createMigrationCheck<Session>(options: {
  findMissing: (session: Session) => Promise<readonly string[]>
  what: string
  more?: string
  log: Logger
}): (session: Session) => Promise<void> {
  const { findMissing, what, more, log } = options
  let isBehind = false
  return async (session) => {
    const missing = await findMissing(session)
    if (missing.length > 0) {
      const error = new NotMigratedError(what, more)
      // Logged once, not with every connection.
      if (!isBehind) log.error({ missing: missing.length, first: missing[0] }, error.message)
      isBehind = true
      throw error
    }
    if (isBehind) log.info('the database has been migrated')
    isBehind = false
  }
}
