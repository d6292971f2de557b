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
 * Returns the secret, which is never shown again. Throws `webhook_endpoint_unknown`.
 */
export async function rotateSecret(
  { database, clock, cipher }: EndpointDeps,
  name: EndpointName,
  {
    overlapMs,
    claim,
    secret = newSigningSecret(),
  }: { overlapMs: number; claim: HeldClaim | undefined; secret?: string },
): Promise<{ secret: string; createdAt: Date; othersExpireAt: Date }> {
  const now = clock.now()
  const othersExpireAt = new Date(now.getTime() + overlapMs)
  const sealed = sealSecret(cipher, name, secret)
  const statement = database.$queryRaw<{ id: string }[]>`
    WITH ${heldClaim(claim)},
    endpoint AS (
      SELECT casino_id, id FROM webhook_endpoint CROSS JOIN claim_held
       WHERE casino_id = ${name.casinoId}::text AND id = ${name.endpointId}::text
         AND disabled_reason IS DISTINCT FROM 'deleting'
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
    SELECT id FROM added`
  const rows = await changeInTurn(database, name, statement)
  if (rows.length === 0) throw new RewardsError('webhook_endpoint_unknown')
  return { secret, createdAt: now, othersExpireAt }
}
