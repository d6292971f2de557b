import { toStoredAnswer } from '../idempotency/idempotency.ts'
import type { KeyClaim, StoredAnswer, StoredAnswerRow } from '../idempotency/idempotency.ts'
import type { Database, Prisma } from '../platform/database.ts'
import { batchInput, instant, int, sql, text } from '../platform/sql.ts'
import { termsColumns, toTerms } from './box-terms.ts'
import type { TermsRow } from './box-terms.ts'
import type { BoxTerms } from './box.ts'
import type { Entitlement } from './decide-opening.ts'
import { startOfPeriod } from './limit-period.ts'
import { newestOpenings } from './newest-openings.ts'

/** A player's request to open a box. */
export interface OpenBoxRequest {
  casinoId: string
  playerId: string
  boxId: string
  /** The item to win without a draw; only in a sandbox. */
  forcedItemId: string | undefined
  claim: KeyClaim | undefined
  /** Actor, for the history: `key:…`. */
  actor: string
  requestId: string
}

/** A box now: its current version, and who may open it. Its contents are loaded later. */
export interface OpenerBox {
  version: number
  /** The published hash of the version's odds. */
  oddsHash: string
  terms: BoxTerms
}

/** The fields of the player and the box that the decision reads. */
export interface Opener {
  /** Undefined if the box does not exist. */
  box: OpenerBox | undefined
  entitlement: Entitlement
  /** The player's number of openings; undefined for a new player. */
  openingCount: bigint | undefined
  /** The server seed of the last opening, and the number of openings under it. */
  seedId: string | null
  nonce: bigint
  /** The player's client seed under that server seed, and the one for the next. */
  seedClientSeed: string | null
  clientSeed: string | null
  /** The casino's active server seed in the same snapshot: never older than the player's. Null before the first one. */
  activeSeedId: string | null
  stored: StoredAnswer | undefined
}

/** The box's columns are null if it does not exist. */
interface Row extends StoredAnswerRow, TermsRow {
  version: number | null
  odds_hash: string
  opening_count: bigint | null
  seed_id: string | null
  nonce: bigint | null
  seed_client_seed: string | null
  client_seed: string | null
  active_seed_id: string | null
  grant_id: string | null
  opened: bigint | null
}

/**
 * Loads for each request, in one snapshot: the box's current version, the player's number of openings, the grant to use
 * or the openings in the current period, the casino's active seed, and the response stored under the idempotency key.
 */
export async function loadOpeners(
  database: Database,
  requests: readonly OpenBoxRequest[],
  now: Date,
): Promise<ReadonlyMap<OpenBoxRequest, Opener>> {
  const [period, timeZone] = [
    sql`box_version.limit_period`,
    sql`COALESCE(box_version.limit_time_zone, 'UTC')`,
  ]
  const periodStart = startOfPeriod({ period, timeZone, now })
  const rows = await database.$queryRaw<Row[]>`
    WITH input AS (
      SELECT * FROM ${batchInput(requests, {
        casino_id: text((r) => r.casinoId),
        player_id: text((r) => r.playerId),
        box_id: text((r) => r.boxId),
        key: text((r) => r.claim?.key ?? null),
        position: int((_, index) => index + 1),
      })}
    )
    SELECT box_version.version, box_version.odds_hash, box.enabled, ${termsColumns},
           player.opening_count, player.seed_id, player.nonce, player.seed_client_seed, player.client_seed,
           active_seed.id AS active_seed_id,
           CASE box_version.access WHEN 'granted' THEN ${grantToUse(now)} END AS grant_id,
           CASE box_version.access WHEN 'limited' THEN ${openedSince(periodStart)} END AS opened,
           stored.operation AS stored_operation,
           stored.fingerprint AS stored_fingerprint,
           stored.response AS stored_response
      FROM input
      LEFT JOIN box ON box.casino_id = input.casino_id AND box.id = input.box_id
      LEFT JOIN box_version ON box_version.casino_id = box.casino_id AND box_version.box_id = box.id
                           AND box_version.version = box.current_version
      LEFT JOIN player ON player.casino_id = input.casino_id AND player.id = input.player_id
      LEFT JOIN server_seed AS active_seed
        ON active_seed.casino_id = input.casino_id AND active_seed.state = 'active'
      LEFT JOIN idempotency_record AS stored ON stored.casino_id = input.casino_id AND stored.key = input.key
     ORDER BY input.position`
  return new Map(
    requests.map((request, index) => {
      const row = rows[index]
      if (row === undefined) throw new Error('no row for a request')
      return [request, toOpener(row)]
    }),
  )
}

/**
 * SQL: the grant that expires first; those without expiry come last. Each is the first of an index range, so the number
 * of grants does not matter.
 */
function grantToUse(now: Date): Prisma.Sql {
  const grants = sql`
    SELECT opening_grant.id FROM opening_grant
     WHERE opening_grant.casino_id = input.casino_id AND opening_grant.player_id = input.player_id
       AND opening_grant.box_id = input.box_id AND opening_grant.used < opening_grant.count`
  const inOrder = sql`ORDER BY opening_grant.expires_at, opening_grant.created_at, opening_grant.id LIMIT 1`
  return sql`COALESCE((${grants} AND opening_grant.expires_at > ${instant(now)} ${inOrder}),
                      (${grants} AND opening_grant.expires_at IS NULL ${inOrder}))`
}

/**
 * SQL: the player's openings of the box since then; the live ones are counted up to the limit. Those of a day or a week are
 * live.
 */
function openedSince(periodStart: Prisma.Sql): Prisma.Sql {
  return sql`(
    SELECT count(*) FROM ${newestOpenings({
      casinoId: sql`input.casino_id`,
      playerId: sql`input.player_id`,
      boxId: sql`input.box_id`,
      since: periodStart,
      max: sql`box_version.limit_count`,
    })} AS counted) + CASE box_version.limit_period WHEN 'lifetime' THEN COALESCE((
      SELECT archived.openings FROM archived_opening_count AS archived
       WHERE archived.casino_id = input.casino_id AND archived.player_id = input.player_id
         AND archived.box_id = input.box_id), 0) ELSE 0 END`
}

function toOpener(row: Row): Opener {
  return {
    box:
      row.version === null
        ? undefined
        : { version: row.version, oddsHash: row.odds_hash, terms: toTerms(row) },
    openingCount: row.opening_count ?? undefined,
    seedId: row.seed_id,
    nonce: row.nonce ?? 0n,
    seedClientSeed: row.seed_client_seed,
    clientSeed: row.client_seed,
    activeSeedId: row.active_seed_id,
    entitlement: { grantId: row.grant_id, openedInPeriod: Number(row.opened ?? 0n) },
    stored: toStoredAnswer(row),
  }
}
