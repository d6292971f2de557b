import { monotonicMs } from '../../core/platform/clock.ts'
import type { Database } from '../../core/platform/database.ts'

const timed = new Set<string | symbol>(['$queryRaw', '$executeRaw', '$inTransaction'])

/** The same database, that tells how long each raw statement took, or each transaction of them. Milliseconds. */
export function timeStatements(database: Database, onStatement: (tookMs: number) => void): Database {
  return new Proxy(database, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function' || !timed.has(name)) return value
      return (...values: unknown[]) =>
        timePromise(Reflect.apply(value, target, values) as Promise<unknown>, onStatement)
    },
  })
}

/** A statement is sent when it is awaited, and stays usable as a part of a transaction. */
function timePromise(statement: Promise<unknown>, onEnd: (tookMs: number) => void): Promise<unknown> {
  const wait = async () => {
    const beganMs = monotonicMs()
    try {
      return await statement
    } finally {
      onEnd(monotonicMs() - beganMs)
    }
  }
  return new Proxy(statement, {
    get: (target, name) => {
      if (name === 'then') {
        return (...handlers: Parameters<Promise<unknown>['then']>) => wait().then(...handlers)
      }
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}
