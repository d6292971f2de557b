import { loadDecideStore } from '../batch/load-decide-store.ts'
import type { Change } from '../batch/load-decide-store.ts'
import { EnvelopeError } from '../crypto/envelope.ts'
import type { EnvelopeCipher } from '../crypto/envelope.ts'
import { RewardsError } from '../errors.ts'
import type { Database } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { sql } from '../platform/sql.ts'
import { insertInto } from '../platform/sql-insert.ts'
import type { HeldClaim } from './claim-steps.ts'

/** A request of the management API under an `Idempotency-Key`. */
export interface KeyedRequest {
  casinoId: string
  key: string
  /** Method and route, such as `POST /admin/casinos/:casino_id/prizes`. */
  operation: string
  fingerprint: Uint8Array
}

/** The answer of such a request. */
export interface KeyedAnswer {
  status: number
  response: string
}

interface Deps {
  database: Database
  cipher: EnvelopeCipher
}

/**
 * Longer than any request of the management API, so that a retry after a crash waits briefly, and a running request
 * keeps its key. A slower request finds that it has lost the key.
 */
const leaseMs = 60_000

/**
 * Claims a key for one attempt of a request, or finds the answer stored under it. Throws `idempotency_key_reused` if
 * the key belongs to another request, `idempotency_key_in_progress` while another attempt is running, and
 * `idempotency_answer_lost` if the request took effect and its answer was not stored.
 */
export async function claimKey(
  deps: Deps,
  request: KeyedRequest,
): Promise<{ claim: HeldClaim } | { answer: KeyedAnswer }> {
  const wanted: HeldClaim = { casinoId: request.casinoId, key: request.key, attemptId: newId('idk') }
  const change: Change<
    KeyedRequest,
    Stored | undefined,
    HeldClaim,
    { claim: HeldClaim } | { sealed: Stored }
  > = {
    load: () => loadStored(deps.database, request),
    decide: (_, stored) => {
      const sealed = decideClaim(request, stored)
      return sealed === undefined ? { write: wanted } : { answer: { sealed } }
    },
    store: async ([claim]) => {
      const isHeld = claim !== undefined && (await storeClaim(deps.database, request, claim))
      return isHeld ? new Map([[claim, { claim }]]) : new Map()
    },
  }
  const [result] = await loadDecideStore(change, [request])
  if (result === undefined) throw new Error('a request got no result')
  if ('error' in result) throw result.error
  const { value } = result
  return 'sealed' in value ? { answer: openAnswer(deps.cipher, request, value.sealed) } : value
}

/**
 * - `answered`: the answer is there, of one of the three operations or of the management API.
 * - `under_way`: an attempt holds the key, or has stopped less than a lease ago.
 * - `carried_out`: it has stopped between its effect and storing its answer.
 * - `abandoned`: it has stopped before its effect.
 */
type Progress = 'answered' | 'under_way' | 'carried_out' | 'abandoned'

interface Stored {
  operation: string
  fingerprint: Uint8Array
  progress: Progress
  status: number | null
  sealedResponse: Uint8Array | null
  sealedKey: Uint8Array | null
  sealedKeyId: string | null
}

async function loadStored(database: Database, { casinoId, key }: KeyedRequest): Promise<Stored | undefined> {
  const [stored] = await database.$queryRaw<Stored[]>`
    SELECT operation, fingerprint, status, sealed_response AS "sealedResponse", sealed_key AS "sealedKey",
           sealed_key_id AS "sealedKeyId",
           CASE WHEN attempt_id IS NULL THEN 'answered'
                WHEN attempt_until > now() THEN 'under_way'
                WHEN carried_out_at IS NOT NULL THEN 'carried_out'
                ELSE 'abandoned' END AS progress
      FROM idempotency_record WHERE casino_id = ${casinoId}::text AND key = ${key}::text`
  return stored
}

/** The answer to replay, sealed; undefined if the key can be claimed. */
function decideClaim(request: KeyedRequest, stored: Stored | undefined): Stored | undefined {
  if (stored === undefined || stored.progress === 'abandoned') return undefined
  const isSame =
    stored.operation === request.operation && Buffer.compare(stored.fingerprint, request.fingerprint) === 0
  if (!isSame) throw new RewardsError('idempotency_key_reused')
  switch (stored.progress) {
    case 'under_way':
      throw new RewardsError('idempotency_key_in_progress')
    case 'carried_out':
      throw new RewardsError('idempotency_answer_lost')
    case 'answered':
      return stored
    default:
      return stored.progress satisfies never
  }
}

function openAnswer(cipher: EnvelopeCipher, request: KeyedRequest, stored: Stored): KeyedAnswer {
  const { status, sealedResponse: ciphertext, sealedKey: wrappedKey, sealedKeyId: keyId } = stored
  if (status === null || ciphertext === null || wrappedKey === null || keyId === null) {
    throw new Error('an answer of the management API is not sealed')
  }
  try {
    return { status, response: cipher.open({ ciphertext, wrappedKey, keyId }, boundTo(request)) }
  } catch (error) {
    if (!(error instanceof EnvelopeError)) throw error
    throw new RewardsError('idempotency_answer_lost', undefined, { cause: error })
  }
}

/** Claims a new key, or one whose attempt was abandoned. Returns false if another attempt was faster. */
async function storeClaim(
  database: Database,
  { operation, fingerprint }: KeyedRequest,
  { casinoId, key, attemptId }: HeldClaim,
): Promise<boolean> {
  const count = await database.$executeRaw`
    ${insertInto('idempotency_record AS record', {
      columns: {
        casino_id: sql`${casinoId}::text`,
        key: sql`${key}::text`,
        operation: sql`${operation}::text`,
        fingerprint: sql`${fingerprint}::bytea`,
        attempt_id: sql`${attemptId}::text`,
        attempt_until: sql`now() + ${leaseMs}::float8 * interval '1 millisecond'`,
      },
    })}
        ON CONFLICT (casino_id, key) DO UPDATE
       SET operation = EXCLUDED.operation, fingerprint = EXCLUDED.fingerprint, attempt_id = EXCLUDED.attempt_id,
           attempt_until = EXCLUDED.attempt_until
     WHERE record.attempt_until <= now() AND record.carried_out_at IS NULL`
  return count > 0
}

/** Stores the answer under the key, and starts its retention. Changes nothing if the key was lost meanwhile. */
export async function keepAnswer(
  { database, cipher }: Deps,
  claim: HeldClaim,
  { status, response }: KeyedAnswer,
): Promise<void> {
  const { casinoId, key, attemptId } = claim
  const { ciphertext, wrappedKey, keyId } = cipher.seal(response, boundTo(claim))
  await database.$executeRaw`
    UPDATE idempotency_record
       SET status = ${status}::smallint, sealed_response = ${ciphertext}::bytea, sealed_key = ${wrappedKey}::bytea,
           sealed_key_id = ${keyId}::text, attempt_id = NULL, attempt_until = NULL, created_at = now()
     WHERE casino_id = ${casinoId}::text AND key = ${key}::text AND attempt_id = ${attemptId}::text`
}

/**
 * Releases the key after a failure, without an answer. If the request took effect nevertheless, the key is kept, and a
 * retry is told so from now on. The column has milliseconds: a rounded time could lie ahead.
 */
export async function releaseClaim(
  database: Database,
  { casinoId, key, attemptId }: HeldClaim,
): Promise<void> {
  await database.$executeRaw`
    WITH given_back AS (
      DELETE FROM idempotency_record
       WHERE casino_id = ${casinoId}::text AND key = ${key}::text AND attempt_id = ${attemptId}::text
         AND carried_out_at IS NULL
    )
    UPDATE idempotency_record SET attempt_until = date_trunc('milliseconds', now())
     WHERE casino_id = ${casinoId}::text AND key = ${key}::text AND attempt_id = ${attemptId}::text
       AND carried_out_at IS NOT NULL`
}

/** The row that the envelope of an answer is bound to. */
export function boundTo({ casinoId, key }: { casinoId: string; key: string }): string {
  return JSON.stringify(['idempotency', casinoId, key])
}
