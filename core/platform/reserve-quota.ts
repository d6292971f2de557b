import type { Prisma } from './database.ts'
import type { QuotaName } from './quotas.ts'
import type { Statement } from './raw-statements.ts'

/** The number that a change adds to a casino's total. */
export interface Growth {
  quota: QuotaName
  added: number
  /** `SELECT count(*) …` of the existing rows besides it. */
  used: Prisma.Sql
}

/** Executes the statement of a change. It must not have been awaited. */
export type RunStatement = <Result>(statement: Statement<Result>) => Promise<Result>

/**
 * Checks that a casino has room for a change, and returns how to execute its statement. Throws `quota_exceeded`; so
 * does the statement, or `storage_contended` if its turn does not come.
 */
export type ReserveQuota = (casinoId: string, growths: readonly Growth[]) => Promise<RunStatement>

/** For changes that need no quota. */
export const runAtOnce: RunStatement = (statement) => statement
