import { RewardsError } from '../errors.ts'
import type { Database } from '../platform/database.ts'
import type { CasinoScope, OperatorRole } from './rights.ts'

/** A user of the console, without secrets. */
export interface OperatorRecord {
  id: string
  username: string
  name: string
  role: OperatorRole
  casinos: CasinoScope
  /** `invited` until a password is set. */
  state: 'invited' | 'active' | 'disabled'
  isSecondFactorRequired: boolean
  hasSecondFactor: boolean
  createdAt: Date
  /** `admin`, or `operator:<username>`. */
  createdBy: string
  updatedAt: Date
}

type Row = NonNullable<Awaited<ReturnType<Database['operator']['findFirst']>>>

export function toOperator(row: Row): OperatorRecord {
  return {
    id: row.id,
    username: row.username,
    name: row.name,
    role: row.role as OperatorRole,
    casinos: row.hasAllCasinos ? 'all' : row.casinoIds,
    state: row.disabledAt !== null ? 'disabled' : row.passwordHash === null ? 'invited' : 'active',
    isSecondFactorRequired: row.isSecondFactorRequired,
    hasSecondFactor: row.secondFactorConfirmedAt !== null,
    createdAt: row.createdAt,
    createdBy: row.createdBy,
    updatedAt: row.updatedAt,
  }
}

/** The columns of a table that hold a scope. */
export function scopeColumns(casinos: CasinoScope): { hasAllCasinos: boolean; casinoIds: string[] } {
  return casinos === 'all'
    ? { hasAllCasinos: true, casinoIds: [] }
    : { hasAllCasinos: false, casinoIds: [...casinos] }
}

/** Throws `operator_unknown`. */
export async function getOperator(database: Database, operatorId: string): Promise<OperatorRecord> {
  const row = await database.operator.findUnique({ where: { id: operatorId } })
  if (row === null) throw new RewardsError('operator_unknown')
  return toOperator(row)
}
