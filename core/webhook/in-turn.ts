import { inCasinoTurn } from '../casino/casino-turn.ts'
import type { Database } from '../platform/database.ts'
import type { Statement } from '../platform/raw-statements.ts'
import type { EndpointName } from './endpoints.ts'

const othersChangeThem = {
  code: 'overloaded',
  message: 'Another request is changing the webhook endpoints of this casino: try again later',
} as const

/**
 * Changes an endpoint in one statement, in its casino's turn: operators' changes of the casino's endpoints follow each
 * other. Workers that record an endpoint's failures take no turn and lock only its own row, so that one is locked too.
 * `statement` must not have been awaited. Throws `overloaded` if its turn does not come.
 */
export function changeInTurn<Result>(
  database: Database,
  { casinoId, endpointId }: EndpointName,
  statement: Statement<Result>,
): Promise<Result> {
  const endpointLocked = database.$executeRaw`
    SELECT id FROM webhook_endpoint
     WHERE casino_id = ${casinoId}::text AND id = ${endpointId}::text FOR UPDATE`
  return inCasinoTurn(database, casinoId, [endpointLocked], statement, othersChangeThem)
}
