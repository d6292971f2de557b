import { heldClaim, markedClaim } from '../idempotency/claim-steps.ts'
import type { HeldClaim } from '../idempotency/claim-steps.ts'
import { runAtOnce } from '../platform/reserve-quota.ts'
import type { RunStatement } from '../platform/reserve-quota.ts'
import type { Prisma } from '../platform/database.ts'
import { instant, sql } from '../platform/sql.ts'
import { insertInto } from '../platform/sql-insert.ts'
import { openSeed, sealNewSeed } from './sealed-seed.ts'
import type { SealedSeed, SeedDeps } from './sealed-seed.ts'

/**
 * Checks that the casino's next seed can be opened before it is used. One that cannot is retired unused, and a new one
 * is committed to. Returns whether it was replaced.
 */
export async function replaceUnfitNext(
  { database, clock, cipher }: SeedDeps,
  casinoId: string,
): Promise<boolean> {
  // The state is part of the text, as a partial index needs it.
  const [unfit] = await database.$queryRaw<SealedSeed[]>`
    SELECT id, commitment, sealed_seed AS ciphertext, sealed_key AS "wrappedKey", sealed_key_id AS "keyId"
      FROM server_seed WHERE casino_id = ${casinoId}::text AND state = 'next'`
  if (unfit === undefined || openSeed(cipher, unfit) !== undefined) return false
  const now = clock.now()
  const replaced = await database.$executeRaw`
    WITH seed_retired AS (
      UPDATE server_seed SET state = 'retired', retired_at = ${instant(now)}
       WHERE id = ${unfit.id}::text AND state = 'next'
      RETURNING casino_id
    )
    ${committedSeed(sql`seed_retired`, sealNewSeed(cipher), now)}`
  return replaced > 0
}

/**
 * Rotates a casino's active seed: the next one becomes active, and a new next one is committed to, in one statement.
 * Openings that have loaded the old seed may still be stored with it; it is revealed when none can be in progress
 * (`revealRetiredSeeds`). The seed itself is not opened, so a damaged one can be rotated too. Returns false if it was
 * no longer active.
 */
export async function rotateSeed(
  deps: SeedDeps,
  casinoId: string,
  seedId: string,
  { claim, run = runAtOnce }: { claim?: HeldClaim | undefined; run?: RunStatement } = {},
): Promise<boolean> {
  await replaceUnfitNext(deps, casinoId)
  const { database, clock, cipher } = deps
  const now = clock.now()
  const rotating = database.$queryRaw<{ id: string }[]>`
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
      ${committedSeed(sql`seed_activated`, sealNewSeed(cipher), now)}
      RETURNING id
    ),
    ${markedClaim(claim, 'seed_committed')}
    SELECT id FROM seed_committed`
  return (await run(rotating)).length > 0
}

/** Inserts the next seed of the casino in `from`. */
function committedSeed(
  from: Prisma.Sql,
  { id, commitment, envelope }: ReturnType<typeof sealNewSeed>,
  now: Date,
): Prisma.Sql {
  return insertInto('server_seed', {
    from,
    columns: {
      id: sql`${id}::text`,
      casino_id: sql`casino_id`,
      state: 'next',
      commitment: sql`${commitment}::text`,
      sealed_seed: sql`${envelope.ciphertext}::bytea`,
      sealed_key: sql`${envelope.wrappedKey}::bytea`,
      sealed_key_id: sql`${envelope.keyId}::text`,
      created_at: instant(now),
    },
  })
}
