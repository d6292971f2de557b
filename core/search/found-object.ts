import type { CasinoScope } from '../operator/rights.ts'
import type { Prisma } from '../platform/database.ts'
import { sql, textArray } from '../platform/sql.ts'

export const foundTypes = [
  'prize',
  'order',
  'cashback',
  'player',
  'box',
  'item',
  'opening',
  'seed',
  'event',
  'grant',
  'endpoint',
  'api_key',
  'casino',
  'act',
  'operator',
  'request',
  'process',
] as const

export const matches = [
  'id',
  'player_id',
  'tracking_number',
  'provider_reference',
  'wallet_reference',
  'request_id',
] as const

/** An object that a search has found, and the field that matched. */
export interface FoundObject {
  type: (typeof foundTypes)[number]
  id: string
  casinoId: string
  matched: (typeof matches)[number]
  prizeId: string | null
  /** Of a request: its entry in the audit trail. */
  entryId: string | null
  label: string
  state: string | null
}

/** A page of results; one more says that there are more. */
export const foundMax = 20

/** SQL: whether a casino is in the scope, or the sandbox of one that is. */
export function isInScope(scope: CasinoScope): Prisma.Sql {
  if (scope === 'all') return sql`true`
  return sql`(casino.id = ANY(${textArray(scope)}) OR casino.sandbox_of = ANY(${textArray(scope)}))`
}
