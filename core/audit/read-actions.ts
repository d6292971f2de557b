import type { Database } from '../platform/database.ts'
import { batchInput, sql, text } from '../platform/sql.ts'

/** An action that an operator took on an object, or tried to take. */
export interface ActionRecord {
  objectType: string
  objectId: string
  at: Date
  actor: string
  /** Method and route. */
  action: string
  reason: string | null
  requestId: string
  /** `requested` if it was interrupted or is under way; otherwise the answer's status and error code. */
  outcome: string
}

/** The path parameter that names an object of each type. */
const parameterOf = { prize: 'prize_id', prize_order: 'order_id', cashback: 'cashback_id' } as const

/** An object that actions are about. */
interface ActionObject {
  type: keyof typeof parameterOf
  id: string
}

/** The condition of the index `audit_entry_object_idx`, which the database compares word by word. */
const isOnObject = sql`entry.action ~ '^(POST|PUT) /admin/casinos/:casino_id/(prizes|orders|cashbacks)/:'`

/**
 * The latest entries about the objects, at most `max` of each, in the order of the trail. Reads by GET are not among them.
 * An action has one entry: `requested` only if it has no outcome.
 */
export async function readActions(
  database: Database,
  casinoId: string,
  objects: readonly ActionObject[],
  max: number,
): Promise<ActionRecord[]> {
  const rows = await database.$queryRaw<(ActionRecord & { id: string })[]>`
    SELECT entry.id, input.object_type AS "objectType", input.object_id AS "objectId", entry.at, entry.actor,
           entry.action, entry.reason, entry.request_id AS "requestId", entry.outcome
      FROM ${batchInput(objects, {
        object_type: text((object) => object.type),
        object_id: text((object) => object.id),
        params: text((object) => paramsOf(casinoId, object)),
      })}
     CROSS JOIN LATERAL (
       SELECT * FROM audit_entry AS entry
        WHERE entry.casino_id = ${casinoId}::text AND ${isOnObject} AND entry.params = input.params
          AND hashtextextended(entry.params, 0) = hashtextextended(input.params, 0)
        ORDER BY entry.id DESC LIMIT ${max}::int
     ) AS entry
     ORDER BY entry.id`
  const ended = new Set(rows.filter(({ outcome }) => outcome !== 'requested').map(nameOf))
  return rows
    .filter((row) => row.outcome !== 'requested' || !ended.has(nameOf(row)))
    .map(({ id: _, ...action }) => action)
}

function nameOf({ requestId, action }: ActionRecord): string {
  return `${requestId} ${action}`
}

/** The parameters of the path as the trail has them. */
function paramsOf(casinoId: string, { type, id }: ActionObject): string {
  return JSON.stringify({ casino_id: casinoId, [parameterOf[type]]: id })
}
