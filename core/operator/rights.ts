import { shareHolderOf } from '../casino/sandbox.ts'

/** Who an operator is to the service. */
export const operatorRoles = ['viewer', 'support', 'finance', 'admin'] as const
export type OperatorRole = (typeof operatorRoles)[number]

/** What a request may need: to look, to help players, to decide about money, or to set things up. */
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

/** The casinos that an operator works for, each with its sandbox. */
export type CasinoScope = 'all' | readonly string[]

export function reachesCasino(scope: CasinoScope, casinoId: string): boolean {
  return scope === 'all' || scope.includes(casinoId) || scope.includes(shareHolderOf(casinoId))
}
