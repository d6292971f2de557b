import type { RoleOfValue } from '../platform/single-sign-on.ts'
import type { CasinoScope, OperatorRole } from './rights.ts'

/**
 * The role and casinos for a claim with these values; undefined for none. The first entry that fits gives the role.
 * Entries with the same role that fit too add their casinos: one person may look after several.
 */
export function roleOfClaim(
  roles: readonly RoleOfValue[],
  values: readonly string[],
): { role: OperatorRole; casinos: CasinoScope } | undefined {
  const fitting = roles.filter(({ value }) => values.includes(value))
  const role = fitting[0]?.role
  if (role === undefined) return undefined
  const scopes = fitting.filter((entry) => entry.role === role).map(({ casinos }) => casinos)
  const isForAll = scopes.includes('all')
  return { role, casinos: isForAll ? 'all' : [...new Set(scopes.flat())] }
}
