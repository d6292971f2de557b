import { cappedCount } from '../platform/capped-count.ts'
import type { Database } from '../platform/database.ts'
import { batchInput, instant, sql, text } from '../platform/sql.ts'
import { isNotSetAside, workAroundDamage } from '../set-aside/set-aside.ts'
import type { Found, SetAsideDeps } from '../set-aside/set-aside.ts'
import { faultOf, openSeed } from './sealed-seed.ts'
import type { SealedSeed, SeedDeps } from './sealed-seed.ts'
import type { ReportUnopened, UnopenedSeed } from './unopened-seeds.ts'

/**
 * A statement ends within its time-out of five seconds, so an opening that loaded a seed before its retirement is
 * stored, or has failed, long before this has passed.
 */
const revealAfterMs = 30_000
const revealedAtOnceMax = 100
/** The promised time: by then even a worker that was away for a while has revealed it. */
const revealWithinMs = 5 * 60_000

/** The latest moment at which a retired seed is to be revealed. */
export function revealByOf(retiredAt: Date): Date {
  return new Date(retiredAt.getTime() + revealWithinMs)
}

/** The number of retired seeds that are overdue for revealing, by the database's time. */
export async function countOverdueSeeds(database: Database): Promise<number> {
  const [row] = await database.$queryRaw<{ count: number }[]>`
    SELECT ${cappedCount(sql`
      SELECT FROM server_seed
       WHERE state = 'retired' AND retired_at < now() - ${revealWithinMs}::float8 * interval '1 millisecond'`)} AS count`
  return row?.count ?? 0
}

interface RetiredSeed extends SealedSeed {
  casinoId: string
  retiredAt: Date
}

interface OpenedSeed extends Found {
  seed: string
}

/**
 * Reveals the seeds that cannot be used for draws any more. Any number of processes may run it at the same time. Skips seeds
 * that cannot be opened (the encryption key is missing, or they do not match their commitment), however many, and
 * reports them. Returns the number revealed.
 */
export async function revealRetiredSeeds(
  deps: SeedDeps & SetAsideDeps & { reportUnopened: ReportUnopened },
): Promise<number> {
  const retiredBefore = new Date(deps.clock.now().getTime() - revealAfterMs)
  const unopened: UnopenedSeed[] = []
  let revealed = 0
  let last: RetiredSeed | undefined
  for (;;) {
    const seeds = await findRetiredSeeds(deps, retiredBefore, last)
    const opened: OpenedSeed[] = []
    for (const sealed of seeds) {
      const { id, casinoId } = sealed
      const seed = openSeed(deps.cipher, sealed)
      if (seed !== undefined) opened.push({ id, casinoId, seed })
      else unopened.push({ id, casinoId, state: 'retired', fault: faultOf(deps.cipher, sealed) })
    }
    revealed += await workAroundDamage(deps, 'reveal-seeds', opened, (some) => storeRevealed(deps, some))
    if (seeds.length < revealedAtOnceMax) break
    last = seeds.at(-1)
  }
  deps.reportUnopened(unopened)
  return revealed
}

/** Oldest first, after `last`. */
function findRetiredSeeds(
  { database, clock }: SeedDeps,
  retiredBefore: Date,
  last: RetiredSeed | undefined,
): Promise<RetiredSeed[]> {
  const isWanted = isNotSetAside('reveal-seeds', clock.now(), {
    casinoId: sql`server_seed.casino_id`,
    id: sql`server_seed.id`,
  })
  return database.$queryRaw<RetiredSeed[]>`
    SELECT id, casino_id AS "casinoId", commitment, sealed_seed AS ciphertext, sealed_key AS "wrappedKey",
           sealed_key_id AS "keyId", retired_at AS "retiredAt"
      FROM server_seed
     WHERE state = 'retired' AND retired_at < ${instant(retiredBefore)} AND ${isWanted}
       AND (retired_at, id) > (${instant(last?.retiredAt ?? new Date(0))}, ${last?.id ?? ''}::text)
     ORDER BY retired_at, id LIMIT ${revealedAtOnceMax}::int`
}

function storeRevealed({ database, clock }: SeedDeps, opened: readonly OpenedSeed[]): Promise<number> {
  return database.$executeRaw`
    WITH retired AS (
      SELECT server_seed.id, input.seed
        FROM ${batchInput(opened, {
          id: text((seed) => seed.id),
          seed: text((seed) => seed.seed),
        })}
        JOIN server_seed ON server_seed.id = input.id
       WHERE server_seed.state = 'retired'
       ORDER BY server_seed.id
         FOR UPDATE OF server_seed SKIP LOCKED
    )
    UPDATE server_seed SET state = 'revealed', revealed_seed = retired.seed, revealed_at = ${instant(clock.now())}
      FROM retired WHERE server_seed.id = retired.id`
}
