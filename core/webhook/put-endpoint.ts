import { feedHorizon } from '../event/feed-position.ts'
import { RewardsError } from '../errors.ts'
import { newSigningSecret } from '../partner/signature.ts'
import { instant, sql, textArray } from '../platform/sql.ts'
import { insertInto } from '../platform/sql-insert.ts'
import { endpointKeyOf } from './delivery.ts'
import { addedSecret, loadSecrets, openSecret, sealSecret } from './endpoint-secrets.ts'
import { toEndpoint } from './endpoints.ts'
import type { EndpointDeps, EndpointName, EndpointRow, WebhookEndpoint } from './endpoints.ts'
import { firstEndpointRevision } from './endpoint-revisions.ts'
import { changeInTurn } from './in-turn.ts'

export interface EndpointDefinition {
  url: string
  description: string | null
  eventTypes: readonly string[]
  /** Undefined keeps the existing secret, or generates one. */
  secret: string | undefined
  /** The revision that the caller has seen, 0 if there was none; undefined for a change of any revision. */
  expectedRevision?: number | undefined
}

/**
 * Creates an endpoint, which gets the events from now on, or replaces its definition; position and state stay. A given
 * secret replaces all others immediately. `newSecret` is a generated one: it is never shown again. A casino has at most
 * `endpointsMax`: each gets every event. Throws `webhook_endpoint_limit`, `webhook_endpoint_deleting` while the endpoint is
 * being deleted, or `revision_changed` if it has another revision than the expected one.
 */
export async function putEndpoint(
  deps: EndpointDeps,
  name: EndpointName,
  definition: EndpointDefinition,
  endpointsMax: number,
): Promise<{ endpoint: WebhookEndpoint; isNew: boolean; newSecret: string | undefined }> {
  const made = definition.secret ?? newSigningSecret()
  const sameId = await findSameSecret(deps, name, definition.secret)
  const [row] = await changeInTurn(
    deps.database,
    name,
    storeEndpoint(deps, name, definition, { made, sameId, endpointsMax }),
  )
  if (row === undefined) throw new Error('a statement returned no row')
  const { isNew, hasRoom, isDeleting, hasChanged, ...endpoint } = row
  if (isDeleting) throw new RewardsError('webhook_endpoint_deleting')
  if (hasChanged) throw new RewardsError('revision_changed')
  if (!hasRoom) throw new RewardsError('webhook_endpoint_limit')
  const newSecret = isNew && definition.secret === undefined ? made : undefined
  return { endpoint: toEndpoint(endpoint), isNew, newSecret }
}

/** The stored secret that equals the given one, so that repeating the same definition changes nothing. */
async function findSameSecret(
  { database, clock, cipher }: EndpointDeps,
  name: EndpointName,
  secret: string | undefined,
): Promise<string | null> {
  if (secret === undefined) return null
  const sealed = (await loadSecrets(database, clock.now(), [name])).get(endpointKeyOf(name)) ?? []
  return sealed.find((one) => openSecret(cipher, one) === secret)?.id ?? null
}

type PutRow = EndpointRow & { isNew: boolean; hasRoom: boolean; isDeleting: boolean; hasChanged: boolean }

/** `sameId` is the stored secret that equals the given one; if it was deleted meanwhile, it is stored again. */
function storeEndpoint(
  { database, clock, cipher }: EndpointDeps,
  name: EndpointName,
  { url, description, eventTypes, secret, expectedRevision }: EndpointDefinition,
  { made, sameId, endpointsMax }: { made: string; sameId: string | null; endpointsMax: number },
) {
  const { casinoId, endpointId } = name
  const now = clock.now()
  return database.$queryRaw<PutRow[]>`
    WITH found AS (
      SELECT disabled_reason IS NOT DISTINCT FROM 'deleting' AS is_deleting, revision
        FROM webhook_endpoint WHERE casino_id = ${casinoId}::text AND id = ${endpointId}::text
    ),
    leave AS (
      SELECT NOT EXISTS (SELECT FROM found) AS is_new, EXISTS (SELECT FROM found WHERE is_deleting) AS is_deleting,
             (coalesce((SELECT revision FROM found), 0) <> ${expectedRevision ?? null}::int) IS TRUE AS has_changed,
             EXISTS (SELECT FROM found)
             OR count(*) < ${endpointsMax}::int AS has_room
        FROM webhook_endpoint WHERE casino_id = ${casinoId}::text
    ),
    put AS (
      ${insertInto('webhook_endpoint AS endpoint', {
        from: sql`leave WHERE has_room AND NOT is_deleting AND NOT has_changed`,
        columns: {
          casino_id: sql`${casinoId}::text`,
          id: sql`${endpointId}::text`,
          url: sql`${url}::text`,
          description: sql`${description}::text`,
          event_types: textArray(eventTypes),
          state: 'enabled',
          cursor_txid: feedHorizon,
          cursor_event_id: sql`0`,
          revision: firstEndpointRevision(casinoId),
          created_at: instant(now),
          updated_at: instant(now),
        },
      })}
          ON CONFLICT (casino_id, id) DO UPDATE
         SET url = EXCLUDED.url, description = EXCLUDED.description, event_types = EXCLUDED.event_types,
             failing_since = CASE WHEN endpoint.url = EXCLUDED.url THEN endpoint.failing_since END,
             resting_until = CASE WHEN endpoint.url = EXCLUDED.url THEN endpoint.resting_until END,
             revision = endpoint.revision + 1, updated_at = EXCLUDED.updated_at
      RETURNING *
    ),
    others_removed AS (
      DELETE FROM webhook_secret AS secret USING put
       WHERE secret.casino_id = put.casino_id AND secret.endpoint_id = put.id
         AND ${secret !== undefined}::boolean AND secret.id IS DISTINCT FROM ${sameId}::text
    ),
    same_kept AS (
      UPDATE webhook_secret AS secret SET expires_at = NULL
        FROM put
       WHERE secret.casino_id = put.casino_id AND secret.endpoint_id = put.id AND secret.id = ${sameId}::text
      RETURNING secret.id
    ),
    secret_added AS (
      ${addedSecret(
        sql`put AS endpoint CROSS JOIN leave
       WHERE is_new OR (${secret !== undefined}::boolean AND NOT EXISTS (SELECT FROM same_kept))`,
        sealSecret(cipher, name, made),
        now,
      )}
    )
    SELECT leave.is_new AS "isNew", leave.has_room AS "hasRoom", leave.is_deleting AS "isDeleting",
           leave.has_changed AS "hasChanged",
           put.casino_id AS "casinoId", put.id, put.url, put.description, put.event_types AS "eventTypes", put.state,
           put.disabled_reason AS "disabledReason", put.failing_since AS "failingSince",
           put.resting_until AS "restingUntil", put.revision,
           put.created_at AS "createdAt", put.updated_at AS "updatedAt"
      FROM leave LEFT JOIN put ON true`
}
