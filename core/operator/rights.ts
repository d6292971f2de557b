import { shareHolderOf } from '../casino/sandbox.ts'

/** An operator's role. */
export const operatorRoles = ['viewer', 'support', 'finance', 'admin'] as const
export type OperatorRole = (typeof operatorRoles)[number]

/** The rights that a request may need: reading, helping players, deciding about money, or administration. */
export type Right = 'view' | 'support' | 'finance' | 'admin'

const rightsOfRoles: Record<OperatorRole, readonly Right[]> = {
  viewer: ['view'],
  support: ['view', 'support'],
  finance: ['view', 'finance'],
  admin: ['view', 'support', 'finance', 'admin'],
}

export function rightsOf(role: OperatorRole): readonly Right[] {
  return rightsOfRoles[role]
}

/** The casinos in an operator's scope, each with its sandbox. */
export type CasinoScope = 'all' | readonly string[]

export function reachesCasino(scope: CasinoScope, casinoId: string): boolean {
  return scope === 'all' || scope.includes(casinoId) || scope.includes(shareHolderOf(casinoId))
}
