import { causedWork, newOutboxId } from '../outbox/work-steps.ts'
import type { Database } from '../platform/database.ts'
import { batchInput, sql, text } from '../platform/sql.ts'
import type { DueWork } from '../queue/jobs.ts'
import { isNotSetAside, workAroundDamage } from '../set-aside/set-aside.ts'
import type { Found, SetAsideDeps } from '../set-aside/set-aside.ts'
import { toDelivery } from './fan-out.ts'
import type { DeliveryRow } from './fan-out.ts'
import { shareAmongCasinos } from './share-among-casinos.ts'

/** The limit of one statement: a thousand rows at most. */
const endpointsMax = 10
const parkedPerEndpointMax = 100

/** The number of woken deliveries and of candidates; the next run starts with the casinos after the last one. */
export interface Woken {
  works: DueWork[]
  count: number
  lastCasinoId: string
}

/**
 * Creates work for parked deliveries of enabled endpoints: the endpoint was disabled before, or there was a replay.
 * Each casino gets its share of a run, however many parked deliveries another one has. Any number of workers may run it
 * at the same time.
 */
export async function wakeParkedDeliveries(deps: SetAsideDeps, afterCasinoId = ''): Promise<Woken> {
  const found = await findParked(deps)
  const endpoints = shareAmongCasinos(found, afterCasinoId, endpointsMax)
  const works: DueWork[] = []
  const count = await workAroundDamage(deps, 'wake-deliveries', endpoints, async (some) => {
    const woken = await wake(deps.database, some)
    works.push(...woken)
    return woken.length
  })
  return { works, count, lastCasinoId: endpoints.at(-1)?.casinoId ?? afterCasinoId }
}

/** The enabled endpoints with parked deliveries. */
function findParked({ database, clock }: SetAsideDeps): Promise<Found[]> {
  const isWanted = isNotSetAside('wake-deliveries', clock.now(), {
    casinoId: sql`endpoint.casino_id`,
    id: sql`endpoint.id`,
  })
  return database.$queryRaw<Found[]>`
    SELECT endpoint.casino_id AS "casinoId", endpoint.id
      FROM webhook_endpoint AS endpoint
     CROSS JOIN LATERAL (
       SELECT id FROM webhook_delivery AS parked
        WHERE parked.casino_id = endpoint.casino_id AND parked.endpoint_id = endpoint.id
          AND parked.state = 'pending' AND parked.outbox_id IS NULL
        ORDER BY parked.id LIMIT 1
     ) AS first
     WHERE endpoint.state = 'enabled' AND ${isWanted}`
}

async function wake(database: Database, endpoints: readonly Found[]): Promise<DueWork[]> {
  const rows = await database.$queryRaw<DeliveryRow[]>`
    WITH parked AS MATERIALIZED (
      SELECT delivery.id, endpoint.casino_id, ${newOutboxId} AS outbox_id,
             (SELECT event.traceparent FROM every_event AS event WHERE event.id = delivery.event_id LIMIT 1) AS traceparent
        FROM ${batchInput(endpoints, {
          casino_id: text((endpoint) => endpoint.casinoId),
          id: text((endpoint) => endpoint.id),
        })}
        JOIN webhook_endpoint AS endpoint ON endpoint.casino_id = input.casino_id AND endpoint.id = input.id
       CROSS JOIN LATERAL (
         SELECT id, event_id FROM webhook_delivery AS parked
          WHERE parked.casino_id = endpoint.casino_id AND parked.endpoint_id = endpoint.id
            AND parked.state = 'pending' AND parked.outbox_id IS NULL
          ORDER BY parked.id LIMIT ${parkedPerEndpointMax}::int
            FOR UPDATE SKIP LOCKED
       ) AS delivery
       WHERE endpoint.state = 'enabled'
    ),
    delivery_woken AS (
      UPDATE webhook_delivery AS delivery SET outbox_id = parked.outbox_id
        FROM parked WHERE delivery.id = parked.id
    ),
    ${causedWork({
      from: sql`parked ORDER BY outbox_id`,
      jobName: 'deliver-webhook',
      objectId: sql`id`,
      casinoId: sql`casino_id`,
      outboxId: sql`outbox_id`,
      traceparent: sql`traceparent`,
    })}
    SELECT outbox_id, id AS delivery_id, casino_id, traceparent FROM parked`
  return rows.flatMap(toDelivery)
}
