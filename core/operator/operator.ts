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
  /** `invited` until a password is set; single sign-on needs none. */
  state: 'invited' | 'active' | 'disabled'
  /** The operator's identity at the identity provider; null for one with a password. */
  identity: { issuer: string; subject: string } | null
  isSecondFactorRequired: boolean
  hasSecondFactor: boolean
  /** Counts the changes by an admin. */
  revision: number
  createdAt: Date
  /** `admin`, or `operator:<username>`. */
  createdBy: string
  updatedAt: Date
}

type Row = NonNullable<Awaited<ReturnType<Database['operator']['findFirst']>>>

export function toOperator(row: Row): OperatorRecord {
  const { issuer, subject } = row
  const identity = issuer === null || subject === null ? null : { issuer, subject }
  const isInvited = row.passwordHash === null && identity === null
  return {
    id: row.id,
    username: row.username,
    name: row.name,
    role: row.role as OperatorRole,
    casinos: row.hasAllCasinos ? 'all' : row.casinoIds,
    state: row.disabledAt !== null ? 'disabled' : isInvited ? 'invited' : 'active',
    identity,
    isSecondFactorRequired: row.isSecondFactorRequired,
    hasSecondFactor: row.secondFactorConfirmedAt !== null,
    revision: row.revision,
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

/** Why something that belongs to passwords is refused. */
export const comesBySingleSignOn = 'This operator uses single sign-on: change this at the identity provider'
