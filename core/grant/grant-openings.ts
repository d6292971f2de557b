import { loadDecideStore } from '../batch/load-decide-store.ts'
import type { Change } from '../batch/load-decide-store.ts'
import { heldClaim, markedClaim } from '../idempotency/claim-steps.ts'
import type { HeldClaim } from '../idempotency/claim-steps.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { findSqlState } from '../platform/database-error.ts'
import { batchInput, int, sql, text, textArray, timestamptz } from '../platform/sql.ts'
import { insertInto, sameColumns } from '../platform/sql-insert.ts'
import { seenPlayers } from '../player/seen-players.ts'
import { decideGrants } from './decide-grants.ts'
import type { Grant, GrantRequest, KnownGrants } from './decide-grants.ts'

/**
 * Gives players openings of boxes: all requests take effect, or all fail. Returns the grants in the order of the
 * requests, existing ones unchanged. Throws `box_unknown` or `grant_conflict`.
 */
export async function grantOpenings(
  { database, clock }: { database: Database; clock: Clock },
  { casinoId, claim }: { casinoId: string; claim: HeldClaim | undefined },
  requests: readonly GrantRequest[],
): Promise<readonly Grant[]> {
  type Identified = readonly (GrantRequest & { newId: string })[]
  type Loaded = { known: KnownGrants; now: Date }
  const change: Change<Identified, Loaded, GrantsWrite, readonly Grant[]> = {
    load: async () => ({ known: await loadKnown(database, casinoId, requests), now: clock.now() }),
    decide: (wanted, { known, now }) => {
      const decided = decideGrants(wanted, known, now)
      return decided.added.length === 0 ? { answer: decided.grants } : { write: decided }
    },
    store: async (writes) => {
      const stored = new Map<GrantsWrite, readonly Grant[]>()
      for (const write of writes) {
        if (await storeGrants(database, { casinoId, claim }, write.added)) stored.set(write, write.grants)
      }
      return stored
    },
  }
  const identified = requests.map((request) => ({ ...request, newId: newId('grt') }))
  const [result] = await loadDecideStore(change, [identified])
  if (result === undefined) throw new Error('a request got no result')
  if ('error' in result) throw result.error
  return result.value
}

interface GrantsWrite {
  grants: readonly Grant[]
  added: readonly Grant[]
}

async function loadKnown(
  database: Database,
  casinoId: string,
  requests: readonly GrantRequest[],
): Promise<KnownGrants> {
  const boxIds = [...new Set(requests.map((request) => request.boxId))]
  const grantIds = requests.flatMap(({ grantId }) => (grantId === undefined ? [] : [grantId]))
  // Prisma would send another statement for each number of ids.
  const [boxes, grants] = await Promise.all([
    database.$queryRaw<{ id: string }[]>`
      SELECT id FROM box WHERE casino_id = ${casinoId}::text AND id = ANY(${textArray(boxIds)})`,
    database.$queryRaw<Grant[]>`
      SELECT id, player_id AS "playerId", box_id AS "boxId", count, used, expires_at AS "expiresAt",
             created_at AS "createdAt"
        FROM opening_grant WHERE casino_id = ${casinoId}::text AND id = ANY(${textArray(grantIds)})`,
  ])
  return {
    boxIds: new Set(boxes.map(({ id }) => id)),
    grants: new Map(grants.map((grant) => [grant.id, grant])),
  }
}

/**
 * Locks players first, then grants, each in key order, as all code does. Returns false without writing any grant if
 * another request has just used one of the ids, or the claim is lost.
 */
async function storeGrants(
  database: Database,
  { casinoId, claim }: { casinoId: string; claim: HeldClaim | undefined },
  grants: readonly Grant[],
): Promise<boolean> {
  try {
    const rows = await database.$queryRaw<{ id: string }[]>`
      WITH ${heldClaim(claim)},
      input AS (
        SELECT * FROM ${batchInput(grants, {
          id: text((grant) => grant.id),
          player_id: text((grant) => grant.playerId),
          box_id: text((grant) => grant.boxId),
          count: int((grant) => grant.count),
          expires_at: timestamptz((grant) => grant.expiresAt),
          created_at: timestamptz((grant) => grant.createdAt),
        })}
      ),
      player_seen AS (
        ${seenPlayers(sql`SELECT DISTINCT ${casinoId}::text AS casino_id, player_id AS id FROM input`)}
        RETURNING id
      ),
      granted AS (
        ${insertInto('opening_grant', {
          from: sql`input CROSS JOIN (SELECT count(*) AS players FROM player_seen) AS players_first
            CROSS JOIN claim_held ORDER BY id`,
          columns: {
            casino_id: sql`${casinoId}::text`,
            ...sameColumns('id', 'player_id', 'box_id', 'count', 'expires_at', 'created_at'),
          },
        })}
        RETURNING id
      ),
      ${markedClaim(claim, 'granted')}
      SELECT id FROM granted LIMIT 1`
    return rows.length > 0
  } catch (error) {
    if (findSqlState(error) === '23505') return false
    throw error
  }
}
