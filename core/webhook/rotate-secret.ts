import { RewardsError } from '../errors.ts'
import { heldClaim, markedClaim } from '../idempotency/claim-steps.ts'
import type { HeldClaim } from '../idempotency/claim-steps.ts'
import { newSigningSecret } from '../partner/signature.ts'
import { instant, sql } from '../platform/sql.ts'
import { changeInTurn } from './in-turn.ts'
import { addedSecret, sealSecret } from './endpoint-secrets.ts'
import type { EndpointDeps, EndpointName } from './endpoints.ts'

/** Every event is signed with each of them. Rotating more often than the overlap lasts ends the oldest early. */
const secretsMax = 5

/**
 * Gives the endpoint a new secret. The existing ones stay valid for the overlap, so that the receiver can change over.
 * Returns the secret, which is never shown again. Throws `webhook_endpoint_unknown`, or `revision_changed` if the endpoint
 * has another revision than the expected one.
 */
export async function rotateSecret(
  { database, clock, cipher }: EndpointDeps,
  name: EndpointName,
  {
    overlapMs,
    claim,
    expectedRevision,
    secret = newSigningSecret(),
  }: {
    overlapMs: number
    claim: HeldClaim | undefined
    /** The revision that the caller has seen; undefined for a change of any revision. */
    expectedRevision?: number | undefined
    secret?: string
  },
): Promise<{ secret: string; createdAt: Date; othersExpireAt: Date }> {
  const now = clock.now()
  const othersExpireAt = new Date(now.getTime() + overlapMs)
  const sealed = sealSecret(cipher, name, secret)
  const statement = database.$queryRaw<{ hasChanged: boolean }[]>`
    WITH ${heldClaim(claim)},
    seen AS (
      SELECT casino_id, id, (revision <> ${expectedRevision ?? null}::int) IS TRUE AS has_changed
        FROM webhook_endpoint CROSS JOIN claim_held
       WHERE casino_id = ${name.casinoId}::text AND id = ${name.endpointId}::text
         AND disabled_reason IS DISTINCT FROM 'deleting'
    ),
    endpoint AS (
      UPDATE webhook_endpoint AS changed SET revision = changed.revision + 1, updated_at = ${instant(now)}
        FROM seen
       WHERE changed.casino_id = seen.casino_id AND changed.id = seen.id AND NOT seen.has_changed
      RETURNING changed.casino_id, changed.id
    ),
    others AS (
      SELECT secret.id, secret.expires_at, row_number() OVER (ORDER BY secret.created_at DESC, secret.id DESC) AS age
        FROM webhook_secret AS secret JOIN endpoint
          ON secret.casino_id = endpoint.casino_id AND secret.endpoint_id = endpoint.id
       WHERE secret.expires_at IS NULL OR secret.expires_at > ${instant(now)}
    ),
    others_limited AS (
      UPDATE webhook_secret AS secret
         SET expires_at = CASE WHEN others.age < ${secretsMax}::int
                               THEN least(others.expires_at, ${instant(othersExpireAt)})
                               ELSE ${instant(now)} END
        FROM others WHERE secret.id = others.id
    ),
    added AS (
      ${addedSecret(sql`endpoint`, sealed, now)}
      RETURNING id
    ),
    ${markedClaim(claim, 'added')}
    SELECT has_changed AS "hasChanged" FROM seen`
  const [seen] = await changeInTurn(database, name, statement)
  if (seen?.hasChanged === true) throw new RewardsError('revision_changed')
  if (seen === undefined) throw new RewardsError('webhook_endpoint_unknown')
  return { secret, createdAt: now, othersExpireAt }
}
