import type { Database } from '../platform/database.ts'
import { foundMax } from './found-object.ts'
import type { FoundObject } from './found-object.ts'

/** A result that belongs to the service as a whole instead of to a casino. */
export type FoundOfService = Omit<FoundObject, 'casinoId'> & { casinoId: null }

/**
 * Operators, by their ids or those of their sessions, and requests in the audit trail of the service, by their ids or
 * those of its entries: for callers with the right to see operators.
 */
export async function findForAdmins(database: Database, text: string): Promise<FoundOfService[]> {
  const operator = await findOperator(database, text)
  const select = { id: true, requestId: true, action: true } as const
  const entries = [
    ...(await database.auditEntry.findMany({ where: { id: text, casinoId: '' }, select, take: 1 })),
    ...(await database.auditEntry.findMany({
      where: { requestId: text, casinoId: '', outcome: { not: 'requested' } },
      select,
      take: foundMax + 1,
    })),
  ]
  return [
    ...(operator === null
      ? []
      : [
          ofService('operator', operator.id, operator.name, operator.disabledAt === null ? null : 'disabled'),
        ]),
    ...entries.map(({ id, requestId, action }) => ({
      ...ofService('request', requestId, action, null),
      entryId: id,
      matched: id === text ? ('id' as const) : ('request_id' as const),
    })),
  ]
}

async function findOperator(database: Database, id: string) {
  const select = { id: true, name: true, disabledAt: true } as const
  const session = await database.operatorSession.findUnique({
    where: { id },
    select: { operator: { select } },
  })
  return session?.operator ?? database.operator.findUnique({ where: { id }, select })
}

/** A result that is found by its id. */
export function ofService(
  type: FoundObject['type'],
  id: string,
  label: string,
  state: string | null,
): FoundOfService {
  return { type, id, casinoId: null, matched: 'id', prizeId: null, entryId: null, label, state }
}
