import { heldClaim, markedClaim } from '../idempotency/claim-steps.ts'
import type { HeldClaim } from '../idempotency/claim-steps.ts'
import { instant } from '../platform/sql.ts'
import { sealNewSeed } from './sealed-seed.ts'
import type { SeedDeps } from './sealed-seed.ts'

/**
 * Ends the use of a casino's active seed: the next one becomes active, and a new next one is committed to, in one
 * statement. Openings that have loaded the old seed may still be stored with it; it is revealed when none of them can be
 * under way any more (`revealRetiredSeeds`). Returns whether the seed was the active one still.
 */
export async function rotateSeed(
  { database, clock, cipher }: SeedDeps,
  casinoId: string,
  seedId: string,
  claim?: HeldClaim,
): Promise<boolean> {
  const next = sealNewSeed(cipher)
  const now = clock.now()
  const rows = await database.$queryRaw<{ id: string }[]>`
    WITH ${heldClaim(claim)},
    seed_retired AS (
      UPDATE server_seed SET state = 'retired', retired_at = ${instant(now)}
        FROM claim_held
       WHERE id = ${seedId}::text AND casino_id = ${casinoId}::text AND state = 'active'
      RETURNING casino_id
    ),
    seed_activated AS (
      UPDATE server_seed SET state = 'active', activated_at = ${instant(now)}
        FROM seed_retired
       WHERE server_seed.casino_id = seed_retired.casino_id AND server_seed.state = 'next'
      RETURNING server_seed.casino_id
    ),
    seed_committed AS (
      INSERT INTO server_seed (id, casino_id, state, commitment, sealed_seed, sealed_key, sealed_key_id, created_at)
      SELECT ${next.id}::text, casino_id, 'next', ${next.commitment}::text, ${next.envelope.ciphertext}::bytea,
             ${next.envelope.wrappedKey}::bytea, ${next.envelope.keyId}::text, ${instant(now)}
        FROM seed_activated
      RETURNING id
    ),
    ${markedClaim(claim, 'seed_committed')}
    SELECT id FROM seed_committed`
  return rows.length > 0
}
