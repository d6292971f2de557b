import { reachableWithinMs, withinMs } from './deadline.ts'
import { lacksMigrations, NotMigratedError } from './migrations.ts'

/** A probe's report on the parts that a process needs. */
export interface Readiness {
  database: 'ok' | 'unavailable'
  queue: 'ok' | 'unavailable'
  /** The remedy, if it is known. */
  message?: string
}

/** The message while the database lacks migrations. */
export const notMigratedMessage = asSentence(new NotMigratedError(lacksMigrations).message)

/** Asks both together, and answers soon even if they do not. */
export async function askReadiness(ask: {
  database: () => Promise<void>
  queue: () => Promise<void>
}): Promise<Readiness> {
  const [database, queue] = await Promise.all([outcomeOf(ask.database()), outcomeOf(ask.queue())])
  const notMigrated = [database, queue].find((outcome) => outcome instanceof NotMigratedError)
  return {
    database: database === undefined ? 'ok' : 'unavailable',
    queue: queue === undefined ? 'ok' : 'unavailable',
    ...(notMigrated === undefined ? {} : { message: asSentence(notMigrated.message) }),
  }
}

/** Undefined if all is well. */
async function outcomeOf(ping: Promise<void>): Promise<Error | undefined> {
  try {
    await withinMs(ping, reachableWithinMs)
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error('no answer', { cause: error })
  }
}

function asSentence(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1)
}
