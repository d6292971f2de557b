import { RewardsError } from '../errors.ts'
import { nextInHistory, writtenEvents } from '../event/written-events.ts'
import { finishedLockedWork } from '../outbox/work-steps.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { instant, sql } from '../platform/sql.ts'
import type { DisabledReason } from './delivery.ts'
import type { EndpointName } from './endpoints.ts'
import { keptEndpointRevisions } from './endpoint-revisions.ts'
import { changeInTurn } from './in-turn.ts'

export interface Switching {
  by: { actor: string; reason: string | null; requestId: string }
  to: { state: 'enabled' } | { state: 'disabled'; reason: DisabledReason }
  /** The revision that the caller has seen; undefined for a change of any revision. */
  expectedRevision?: number | undefined
}

interface Deps {
  database: Database
  clock: Clock
}

/**
 * Enables or disables an endpoint; idempotent. While it is disabled, its cursor stays and its pending deliveries are
 * parked. Once enabled, it continues from there, in order. Throws `webhook_endpoint_unknown`, or `revision_changed` if it has
 * another revision than the expected one.
 */
export async function switchEndpoint(
  { database, clock }: Deps,
  name: EndpointName,
  { to, by, expectedRevision }: Switching,
): Promise<void> {
  const { casinoId, endpointId } = name
  const now = clock.now()
  const reason = to.state === 'disabled' ? to.reason : null
  const statement = database.$queryRaw<{ hasChanged: boolean }[]>`
    WITH seen AS (
      SELECT casino_id, id, state, disabled_reason,
             (revision <> ${expectedRevision ?? null}::int) IS TRUE AS has_changed
        FROM webhook_endpoint
       WHERE casino_id = ${casinoId}::text AND id = ${endpointId}::text
         -- An endpoint that is being deleted has lost deliveries already: treat it as gone.
         AND (disabled_reason IS DISTINCT FROM 'deleting' OR ${reason}::text = 'deleting')
    ),
    found AS (
      SELECT * FROM seen WHERE NOT has_changed
    ),
    switched AS (
      UPDATE webhook_endpoint AS endpoint
         SET state = ${to.state}::text, disabled_reason = ${reason}::text, failing_since = NULL,
             resting_until = NULL, revision = endpoint.revision + 1, updated_at = ${instant(now)}
        FROM found
       WHERE endpoint.casino_id = found.casino_id AND endpoint.id = found.id
         AND (found.state <> ${to.state}::text OR ${reason}::text = 'deleting')
    ),
    event_written AS (
      ${writtenEvents(instant(now), {
        from: sql`found WHERE state <> ${to.state}::text`,
        objectType: 'webhook_endpoint',
        objectId: sql`id`,
        sequence: nextInHistory('webhook_endpoint', 'found'),
        type: sql`'webhook_endpoint.' || ${to.state}::text`,
        fromState: sql`state`,
        toState: sql`${to.state}::text`,
        actor: sql`${by.actor}::text`,
        reason: sql`${by.reason}::text`,
        requestId: sql`${by.requestId}::text`,
        data: sql`CASE WHEN ${reason}::text IS NOT NULL THEN jsonb_build_object('reason', ${reason}::text) END`,
      })}
    )
    SELECT has_changed AS "hasChanged" FROM seen`
  const [seen] = await changeInTurn(database, name, statement)
  if (seen === undefined) throw new RewardsError('webhook_endpoint_unknown')
  if (seen.hasChanged) throw new RewardsError('revision_changed')
}

/** The limit of one statement: well under a second. */
const deletedAtOnceMax = 5_000
const slicesMax = 200

/**
 * Deletes an endpoint with its secrets and pending deliveries. Delivered ones stay in the log until it is pruned. The
 * endpoint is disabled first, so that nothing is added. Throws `webhook_endpoint_unknown`, or `overloaded` if it is not
 * finished: a repeated request continues.
 */
export async function deleteEndpoint(deps: Deps, name: EndpointName, by: Switching['by']): Promise<void> {
  await switchEndpoint(deps, name, { to: { state: 'disabled', reason: 'deleting' }, by })
  for (let slice = 0; slice < slicesMax; slice++) {
    const deleted = await deleteUndelivered(deps.database, name)
    if (deleted < deletedAtOnceMax) {
      await deleteRow(deps.database, name)
      return
    }
  }
  throw new RewardsError('overloaded')
}

async function deleteUndelivered(database: Database, name: EndpointName): Promise<number> {
  const { casinoId, endpointId } = name
  const rows = await database.$queryRaw<{ count: number }[]>`
    WITH undelivered AS (
      (SELECT id FROM webhook_delivery
        WHERE casino_id = ${casinoId}::text AND endpoint_id = ${endpointId}::text AND state = 'pending'
        LIMIT ${deletedAtOnceMax}::int)
       UNION ALL
      (SELECT id FROM webhook_delivery
        WHERE casino_id = ${casinoId}::text AND endpoint_id = ${endpointId}::text AND state = 'failed'
        LIMIT ${deletedAtOnceMax}::int)
       LIMIT ${deletedAtOnceMax}::int
    ),
    -- Another request may have finished, and a new endpoint may have this id: its deliveries must stay.
    endpoint_held AS (
      SELECT id FROM webhook_endpoint
       WHERE casino_id = ${casinoId}::text AND id = ${endpointId}::text AND disabled_reason = 'deleting' FOR SHARE
    ),
    delivery_locked AS (
      SELECT id, outbox_id FROM webhook_delivery
       WHERE EXISTS (SELECT FROM endpoint_held) AND id = ANY(ARRAY(SELECT id FROM undelivered))
       ORDER BY id FOR UPDATE
    ),
    ${finishedLockedWork(sql`SELECT outbox_id FROM delivery_locked WHERE outbox_id IS NOT NULL`)},
    deleted AS (
      DELETE FROM webhook_delivery WHERE id = ANY(ARRAY(SELECT id FROM delivery_locked)) RETURNING id
    )
    SELECT count(*)::int AS count FROM deleted`
  return rows[0]?.count ?? 0
}

async function deleteRow(database: Database, name: EndpointName): Promise<void> {
  const { casinoId, endpointId } = name
  const statement = database.$executeRaw`
    WITH found AS (
      SELECT casino_id, id, revision FROM webhook_endpoint
       WHERE casino_id = ${casinoId}::text AND id = ${endpointId}::text AND disabled_reason = 'deleting'
    ),
    revision_kept AS (
      ${keptEndpointRevisions(sql`found`)}
    ),
    secret_deleted AS (
      DELETE FROM webhook_secret AS secret USING found
       WHERE secret.casino_id = found.casino_id AND secret.endpoint_id = found.id
    )
    DELETE FROM webhook_endpoint AS endpoint USING found
     WHERE endpoint.casino_id = found.casino_id AND endpoint.id = found.id`
  await changeInTurn(database, name, statement)
}
