import type { Prisma } from './database.ts'
import type { QuotaName } from './quotas.ts'

/** What a change adds to what a casino has. */
export interface Growth {
  quota: QuotaName
  added: number
  /** `SELECT count(*) …` of what there is beside it. */
  used: Prisma.Sql
}

/** Carries out the statement of a change. It must not have been awaited. */
export type RunStatement = <Result>(statement: Prisma.PrismaPromise<Result>) => Promise<Result>

/**
 * Looks whether a casino has room for what a change adds, and gives how its statement is to be carried out. Throws
 * `quota_exceeded`; so does the statement, or `storage_contended` when its turn does not come.
 */
export type ReserveQuota = (casinoId: string, growths: readonly Growth[]) => Promise<RunStatement>

/** For what needs no quota. */
export const runAtOnce: RunStatement = (statement) => statement
