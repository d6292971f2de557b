import { mirrorMissingBoxes } from '../../core/box/mirror-boxes.ts'
import type { ApiKeyMode } from '../../core/casino/api-key.ts'
import { listApiKeys } from '../../core/casino/api-keys.ts'
import { getCasino } from '../../core/casino/casinos.ts'
import { createApiKey } from '../../core/casino/create-api-key.ts'
import { KeyBoundError } from '../../core/casino/new-api-key.ts'
import type { KeyMaker, NewApiKey } from '../../core/casino/new-api-key.ts'
import { revokeApiKey } from '../../core/casino/revoke-api-key.ts'
import { rotateApiKey } from '../../core/casino/rotate-api-key.ts'
import { ensureSandbox, sandboxedIdLengthMax, sandboxIdOf } from '../../core/casino/sandbox.ts'
import { mirrorMissingItems } from '../../core/item/mirror-items.ts'
import type { Database } from '../../core/platform/database.ts'
import type { ApiDeps } from '../deps.ts'
import type { EndpointReply, Operator } from '../endpoint.ts'
import { parseInput } from '../parse-input.ts'
import type { CasinoEndpoint } from './casino-endpoint.ts'
import { listInput, parseListQuery, renderList } from './list-query.ts'
import { inputError, pathId, wholeNumber } from '../inputs.ts'
import { requestOf, withDefault } from '../../core/shape/request-shape.ts'
import { inputsOf } from '../../core/shape/shape.ts'
import { apiKey, newApiKey, revokedApiKey, terms } from './api-key-shapes.ts'
import { success } from './render.ts'

type Deps = Pick<ApiDeps, 'database' | 'clock' | 'config'>

const { name, mode, scopes, require_idempotency_key, expires_at, allowed_addresses } = inputsOf(terms.fields)

export const createInput = requestOf({
  name,
  mode,
  scopes: withDefault(scopes, ['play']),
  require_idempotency_key: withDefault(require_idempotency_key, false),
  expires_at,
  allowed_addresses,
})

/** Long enough for the slowest deployment of a new key; a key that leaked is revoked instead. */
const overlapSecondsMax = 30 * 86_400
const overlapSecondsDefault = 86_400

export const rotateInput = requestOf({
  overlap_seconds: withDefault(wholeNumber(0, overlapSecondsMax), overlapSecondsDefault)
    .description('For how long the old one lives on.')
    .example(86400),
  require_idempotency_key,
  expires_at,
  allowed_addresses,
})

/**
 * `POST …/api-keys`: the answer is the only one that has the key itself. A `manage` key may make keys of both scopes, for
 * there is nothing in them that it does not have.
 */
export function createCreateApiKey({ database, clock, config }: Deps): CasinoEndpoint {
  return async ({ caller, casinoId, claim, body }) => {
    const input = parseInput(createInput, body)
    const now = clock.now()
    const wanted = {
      name: input.name ?? null,
      scopes: input.scopes,
      requiresIdempotencyKey: input.require_idempotency_key,
      expiresAt: futureOf(input.expires_at, now),
      allowedAddresses: input.allowed_addresses ?? null,
      maker: makerOf(caller),
      claim,
    }
    const owner = await ownerOf(database, now, casinoId, input.mode)
    const created = await withinBounds(
      createApiKey({ database, hashSecret: config.hashSecret }, now, { ...owner, ...wanted }),
    )
    return newKeyReply(created)
  }
}

/** `GET …/api-keys` */
export function createListApiKeys({ database }: Deps): CasinoEndpoint {
  return async ({ casinoId, query }) => {
    const { page } = parseListQuery(listInput, query)
    return { body: renderList(await listApiKeys(database, casinoId, page), apiKey.render, page) }
  }
}

/** `DELETE …/api-keys/{key_id}` revokes the key, and those that it made or rotated. */
export function createRevokeApiKey({ database, clock }: Deps): CasinoEndpoint {
  return async (request) => {
    const keyId = pathId(request, 'key_id')
    const { casinoId } = request
    const { record, alsoRevoked } = await revokeApiKey(database, clock.now(), { casinoId, keyId })
    return {
      body: success(revokedApiKey.render({ ...record, alsoRevoked })),
      ...(alsoRevoked.length === 0 ? {} : { auditNote: `also revoked ${alsoRevoked.join(' ')}` }),
    }
  }
}

/** `POST …/api-keys/{key_id}/rotate` */
export function createRotateApiKey({ database, clock, config }: Deps): CasinoEndpoint {
  return async (request) => {
    const keyId = pathId(request, 'key_id')
    const input = parseInput(rotateInput, request.body)
    const now = clock.now()
    const rotating = rotateApiKey({ database, hashSecret: config.hashSecret }, now, {
      casinoId: request.casinoId,
      keyId,
      overlapMs: input.overlap_seconds * 1000,
      expiresAt: futureOf(input.expires_at, now),
      allowedAddresses: input.allowed_addresses ?? null,
      requiresIdempotencyKey: input.require_idempotency_key ?? null,
      maker: makerOf(request.caller),
      claim: request.claim,
    })
    return newKeyReply(await withinBounds(rotating))
  }
}

/** Keys that people make count as made by the service's admin; the audit trail names the people. */
function makerOf(caller: Operator): KeyMaker {
  return caller.kind === 'casino' ? { keyId: caller.keyId } : 'admin'
}

/** The audit trail has the new key's id, for the path has none or another one. */
function newKeyReply(created: NewApiKey): EndpointReply {
  return {
    status: 201,
    body: success(newApiKey.render({ ...created.record, apiKey: created.apiKey })),
    auditNote: `made ${created.record.id}`,
  }
}

async function withinBounds(making: Promise<NewApiKey>): Promise<NewApiKey> {
  try {
    return await making
  } catch (error) {
    if (!(error instanceof KeyBoundError)) throw error
    throw error.parameter === 'expires_at'
      ? inputError('expires_at', 'max', 'expires_at must not be later than that of the key it comes from')
      : inputError(
          'allowed_addresses',
          'in',
          'allowed_addresses must be among those of the key that it comes from',
        )
  }
}

/** The owner of the new key: the casino, or for a test key its sandbox, which is made and filled if need be. */
async function ownerOf(
  database: Database,
  now: Date,
  casinoId: string,
  mode: ApiKeyMode | undefined,
): Promise<{ casinoId: string; mode: ApiKeyMode }> {
  const { sandboxOf } = await getCasino(database, casinoId)
  if (sandboxOf !== null) {
    if (mode === 'live') throw inputError('mode', 'in', 'mode must be test for a sandbox')
    return { casinoId, mode: 'test' }
  }
  if (mode !== 'test') return { casinoId, mode: 'live' }
  const sandboxId = sandboxIdOf(casinoId)
  if (sandboxId === undefined) {
    throw inputError(
      'mode',
      'max',
      `mode test needs a casino_id of at most ${sandboxedIdLengthMax} characters`,
    )
  }
  if (!(await ensureSandbox(database, now, { casinoId, sandboxId }))) {
    throw inputError('mode', 'invalid', `mode test is not possible: another casino has the id ${sandboxId}`)
  }
  // After the sandbox is there: from then on each publication copies it too, so nothing is missed.
  await mirrorMissingItems(database, now, casinoId)
  await mirrorMissingBoxes(database, now, casinoId)
  return { casinoId: sandboxId, mode: 'test' }
}

function futureOf(expiresAt: Date | undefined, now: Date): Date | null {
  if (expiresAt === undefined) return null
  if (expiresAt > now) return expiresAt
  throw inputError('expires_at', 'min', 'expires_at must be in the future')
}
