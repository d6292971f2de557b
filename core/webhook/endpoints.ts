import { feedHorizon } from '../event/feed-position.ts'
import { RewardsError } from '../errors.ts'
import type { EnvelopeCipher } from '../crypto/envelope.ts'
import { newSigningSecret } from '../partner/signature.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { afterCursor, toPage } from '../page.ts'
import type { Page, PageRequest } from '../page.ts'
import { endpointKeyOf } from './delivery.ts'
import type { DisabledReason } from './delivery.ts'
import { loadSecrets, openSecret, sealSecret } from './endpoint-secrets.ts'
import type { SealedSecret } from './endpoint-secrets.ts'

/** A place where a casino takes events in. */
export interface WebhookEndpoint {
  casinoId: string
  id: string
  url: string
  description: string | null
  /** Exact types or `prefix.*`; none means all. */
  eventTypes: string[]
  state: 'enabled' | 'disabled'
  disabledReason: DisabledReason | null
  /** Since when nothing has got through; null after a success. */
  failingSince: Date | null
  createdAt: Date
  updatedAt: Date
}

export interface EndpointName {
  casinoId: string
  endpointId: string
}

export interface EndpointDefinition {
  url: string
  description: string | null
  eventTypes: readonly string[]
  /** Undefined keeps the one it has, or makes one. */
  secret: string | undefined
}

export interface EndpointDeps {
  database: Database
  clock: Clock
  cipher: EnvelopeCipher
}

/** More than that is a mistake of a script: each gets every event. docs/errors.md names it. */
const endpointsPerCasinoMax = 20
/** Another writer can make or delete the endpoint between our looks; hardly twice. */
const roundsMax = 5

/**
 * Makes an endpoint, which gets the events from now on, or replaces all about it but its place in the feed and its state.
 * `newSecret` is one that was made for it: nobody will be shown it again. Throws `webhook_endpoint_limit`.
 */
export async function putEndpoint(
  deps: EndpointDeps,
  name: EndpointName,
  definition: EndpointDefinition,
): Promise<{ endpoint: WebhookEndpoint; isNew: boolean; newSecret: string | undefined }> {
  for (let round = 0; round < roundsMax; round++) {
    if (await updateEndpoint(deps, name, definition)) {
      const endpoint = await findEndpoint(deps.database, name)
      if (endpoint !== undefined) return { endpoint, isNew: false, newSecret: undefined }
      continue // deleted since: whoever puts it afterwards makes a new one
    }
    const secret = definition.secret ?? newSigningSecret()
    if (await createEndpoint(deps, name, { ...definition, secret })) {
      const newSecret = definition.secret === undefined ? secret : undefined
      const endpoint = await findEndpoint(deps.database, name)
      if (endpoint !== undefined) return { endpoint, isNew: true, newSecret }
    }
  }
  throw new RewardsError('storage_contended')
}

/** False when there is one of this id already. */
async function createEndpoint(
  { database, clock, cipher }: EndpointDeps,
  name: EndpointName,
  definition: EndpointDefinition & { secret: string },
): Promise<boolean> {
  const { casinoId, endpointId } = name
  const now = clock.now()
  const { id: secretId, envelope } = sealSecret(cipher, name, definition.secret)
  const [row] = await database.$queryRaw<{ is_created: boolean; has_room: boolean }[]>`
    WITH room AS (
      SELECT count(*) < ${endpointsPerCasinoMax}::int AS has_room
        FROM webhook_endpoint WHERE casino_id = ${casinoId}::text
    ),
    created AS (
      INSERT INTO webhook_endpoint (casino_id, id, url, description, event_types, state, cursor_txid, cursor_event_id,
                                    created_at, updated_at)
      SELECT ${casinoId}::text, ${endpointId}::text, ${definition.url}::text, ${definition.description}::text,
             ${[...definition.eventTypes]}::text[], 'enabled', ${feedHorizon}, 0, ${now}::timestamptz, ${now}::timestamptz
        FROM room WHERE has_room
          ON CONFLICT DO NOTHING
      RETURNING casino_id, id
    ),
    secret_added AS (
      INSERT INTO webhook_secret (id, casino_id, endpoint_id, sealed_secret, sealed_key, sealed_key_id, created_at)
      SELECT ${secretId}::text, casino_id, id, ${envelope.ciphertext}::bytea, ${envelope.wrappedKey}::bytea,
             ${envelope.keyId}::text, ${now}::timestamptz
        FROM created
    )
    SELECT EXISTS (SELECT FROM created) AS is_created, has_room FROM room`
  if (row?.is_created !== true && row?.has_room !== true) throw new RewardsError('webhook_endpoint_limit')
  return row.is_created
}

/** False when there is none of this id. A secret that is given becomes the only one, at once. */
async function updateEndpoint(
  { database, clock, cipher }: EndpointDeps,
  name: EndpointName,
  definition: EndpointDefinition,
): Promise<boolean> {
  const { casinoId, endpointId } = name
  const now = clock.now()
  const sealed = (await loadSecrets(database, now, [name])).get(endpointKeyOf(name)) ?? []
  const replacement = replacementOf(cipher, name, sealed, definition.secret)
  const updated = await database.$queryRaw<{ id: string }[]>`
    WITH endpoint_locked AS (
      SELECT casino_id, id, url FROM webhook_endpoint
       WHERE casino_id = ${casinoId}::text AND id = ${endpointId}::text FOR UPDATE
    ),
    updated AS (
      UPDATE webhook_endpoint AS endpoint
         SET url = ${definition.url}::text, description = ${definition.description}::text,
             event_types = ${[...definition.eventTypes]}::text[],
             failing_since = CASE WHEN locked.url = ${definition.url}::text THEN endpoint.failing_since END,
             updated_at = ${now}::timestamptz
        FROM endpoint_locked AS locked WHERE endpoint.casino_id = locked.casino_id AND endpoint.id = locked.id
      RETURNING endpoint.id
    ),
    secret_removed AS (
      DELETE FROM webhook_secret AS secret USING endpoint_locked AS locked
       WHERE secret.casino_id = locked.casino_id AND secret.endpoint_id = locked.id
         AND ${replacement !== undefined}::boolean
    ),
    secret_added AS (
      INSERT INTO webhook_secret (id, casino_id, endpoint_id, sealed_secret, sealed_key, sealed_key_id, created_at)
      SELECT ${replacement?.id ?? null}::text, casino_id, id, ${replacement?.envelope.ciphertext ?? null}::bytea,
             ${replacement?.envelope.wrappedKey ?? null}::bytea, ${replacement?.envelope.keyId ?? null}::text,
             ${now}::timestamptz
        FROM endpoint_locked WHERE ${replacement !== undefined}::boolean
    )
    SELECT id FROM updated`
  return updated.length > 0
}

/** Undefined when the endpoint is to keep what it has; so sending the same definition again changes nothing. */
function replacementOf(
  cipher: EnvelopeCipher,
  name: EndpointName,
  sealed: readonly SealedSecret[],
  secret: string | undefined,
) {
  if (secret === undefined) return undefined
  const [only, ...others] = sealed
  const isSame = only !== undefined && others.length === 0 && openSecret(cipher, only) === secret
  return isSame ? undefined : sealSecret(cipher, name, secret)
}

/** Throws `webhook_endpoint_unknown`. */
export async function getEndpoint(database: Database, name: EndpointName): Promise<WebhookEndpoint> {
  const endpoint = await findEndpoint(database, name)
  if (endpoint === undefined) throw new RewardsError('webhook_endpoint_unknown')
  return endpoint
}

async function findEndpoint(
  database: Database,
  { casinoId, endpointId: id }: EndpointName,
): Promise<WebhookEndpoint | undefined> {
  const endpoint = await database.webhookEndpoint.findUnique({
    where: { casinoId_id: { casinoId, id } },
    select,
  })
  return endpoint === null ? undefined : toEndpoint(endpoint)
}

/** The casino's endpoints, by their ids. */
export async function listEndpoints(
  database: Database,
  casinoId: string,
  page: PageRequest,
): Promise<Page<WebhookEndpoint>> {
  const rows = await database.webhookEndpoint.findMany({
    where: { casinoId, ...afterCursor(page) },
    orderBy: { id: 'asc' },
    take: page.limit + 1,
    select,
  })
  return toPage(rows.map(toEndpoint), page)
}

const select = {
  ...{ casinoId: true, id: true, url: true, description: true, eventTypes: true, state: true },
  ...{ disabledReason: true, failingSince: true, createdAt: true, updatedAt: true },
} as const

/** A check on the column allows no other states; the reasons are ours alone. */
function toEndpoint<Row extends { state: string; disabledReason: string | null }>(row: Row) {
  return {
    ...row,
    state: row.state as WebhookEndpoint['state'],
    disabledReason: row.disabledReason as DisabledReason | null,
  }
}
