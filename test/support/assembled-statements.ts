import type { Database } from '../../core/platform/database.ts'
import { sql } from '../../core/platform/sql.ts'

interface Deps {
  database: Database
  clock: { now: () => Date }
  handOver: () => undefined
}

/** The lines of the one statement that `store` sends, with all its fragments, to a database that stores nothing. */
export async function linesOfStatement(store: (deps: Deps) => Promise<unknown>): Promise<string[]> {
  const texts: string[] = []
  const $queryRaw = (...given: Parameters<typeof sql>) => {
    texts.push(sql(...given).sql.trim())
    return Promise.resolve([])
  }
  const database = { $queryRaw } as unknown as Database
  await store({ database, clock: { now: () => new Date() }, handOver: () => undefined })
  if (texts.length !== 1) throw new Error(`${texts.length} statements were sent`)
  return texts.flatMap((text) => text.split('\n'))
}
