import { feedFuture, feedHorizon } from '../event/feed-position.ts'
import type { Database } from '../platform/database.ts'
import { singleRow } from '../platform/single-row.ts'
import { batchInput, bigint, sql, text, textArray } from '../platform/sql.ts'
import { linkHash } from './audit.ts'
import type { SignedEntry } from './audit.ts'
import { entryColumns } from './entry-columns.ts'

/** A trail with entries to chain. */
export interface WaitingTrail {
  casinoId: string
  /** From `audit_chain`: the chain is extended only from there. */
  sequence: bigint
  cursorTxid: bigint
  cursorId: string
  /** When its oldest waiting entry was written; null if none waits, and the last link's entry is missing. */
  waitingSince: Date | null
}

/** The link that the next one follows. */
export interface LastLink {
  sequence: bigint
  hash: Uint8Array
  /** Entries are chained in the order of their transactions and ids. */
  txid: bigint
  entryId: string
}

/** How far a process has examined entries after the last link that are not ours and are not chained. */
export interface Passed extends Pick<LastLink, 'txid' | 'entryId'> {
  /** The last link at that time. */
  sequence: bigint
}

export interface NewEntries {
  /** The casinos with entries of transactions that have ended since the known horizon. */
  casinoIds: string[]
  /** The current horizon: all transactions below it have ended. */
  horizon: bigint
  /** When the first entry beyond it was written, which waits for an older transaction; null if there is none. */
  heldUpSince: Date | null
}

/**
 * The entries since `known`, an earlier horizon; none below the current one if it is undefined, since the trail may be
 * long. Only the database's owner can write an entry with an older number (`number_audit_entry`); `verifyTrail` finds
 * those.
 *
 * A horizon can be below an earlier one for a moment (`feedHorizon`): entries between the two do not wait.
 */
export async function findNewEntries(database: Database, known: bigint | undefined): Promise<NewEntries> {
  const from = known === undefined ? null : String(known)
  const rows = await database.$queryRaw<NewEntries[]>`
    WITH present AS MATERIALIZED (SELECT ${feedHorizon} AS horizon)
    SELECT present.horizon,
           ARRAY(
             SELECT DISTINCT casino_id FROM audit_entry
              WHERE txid >= ${from}::bigint AND txid < present.horizon
           ) AS "casinoIds",
           (SELECT at FROM audit_entry
             WHERE txid >= greatest(present.horizon, ${from}::bigint) AND txid < ${feedFuture}
             ORDER BY txid LIMIT 1) AS "heldUpSince"
      FROM present`
  return singleRow(rows)
}

/**
 * The trails with entries to chain, of all or some casinos, longest waiting first, and those whose last link has no
 * entry. A trail's end is derived from its links: `audit_chain` can be changed with the service's own role.
 */
export function findWaiting(
  database: Database,
  passed: ReadonlyMap<string, Passed>,
  casinoIds: readonly string[] | 'all',
): Promise<WaitingTrail[]> {
  const isWanted = casinoIds === 'all' ? sql`true` : sql`chain.casino_id = ANY(${textArray(casinoIds)})`
  return database.$queryRaw<WaitingTrail[]>`
    SELECT chain.casino_id AS "casinoId", chain.sequence, chain.cursor_txid AS "cursorTxid",
           chain.cursor_id AS "cursorId", waiting.at AS "waitingSince"
      FROM audit_chain AS chain
      LEFT JOIN LATERAL (
        SELECT sequence, entry_id FROM audit_link
         WHERE audit_link.casino_id = chain.casino_id ORDER BY sequence DESC LIMIT 1
      ) AS link ON true
      LEFT JOIN audit_entry AS entry ON entry.id = link.entry_id
      LEFT JOIN ${batchInput([...passed], {
        casino_id: text(([casinoId]) => casinoId),
        sequence: bigint(([, { sequence }]) => sequence),
        txid: bigint(([, { txid }]) => txid),
        entry_id: text(([, { entryId }]) => entryId),
      })} ON input.casino_id = chain.casino_id AND input.sequence = COALESCE(link.sequence, 0)
      LEFT JOIN LATERAL (
        SELECT at FROM audit_entry
         WHERE audit_entry.casino_id = chain.casino_id AND audit_entry.txid < ${feedHorizon}
           AND (audit_entry.txid, audit_entry.id)
               > (COALESCE(input.txid, entry.txid, 0), COALESCE(input.entry_id, entry.id, ''))
         ORDER BY audit_entry.txid, audit_entry.id LIMIT 1
      ) AS waiting ON true
     WHERE ${isWanted}
       AND (waiting.at IS NOT NULL
            OR (link.sequence IS NOT NULL AND (entry.id IS NULL OR entry.txid >= ${feedFuture})))
     ORDER BY waiting.at NULLS FIRST`
}

/**
 * The last link of a trail, if it is valid: its hash matches its entry and the link before. `broken` if not, or if its
 * entry is missing or belongs to a transaction that has not begun: nothing can follow it.
 */
export async function loadLastLink(
  { database, hashSecret }: { database: Database; hashSecret: string },
  casinoId: string,
): Promise<LastLink | 'broken'> {
  const [row] = await database.$queryRaw<LinkRow[]>`
    SELECT link.sequence, link.hash, before.hash AS "previousHash", entry.txid,
           COALESCE(entry.txid < ${feedFuture}, false) AS "hasPlace", ${entryColumns}
      FROM audit_link AS link
      LEFT JOIN audit_link AS before ON before.casino_id = link.casino_id AND before.sequence = link.sequence - 1
      LEFT JOIN audit_entry AS entry ON entry.id = link.entry_id
     WHERE link.casino_id = ${casinoId}::text
     ORDER BY link.sequence DESC LIMIT 1`
  if (row === undefined) return { sequence: 0n, hash: Buffer.alloc(0), txid: 0n, entryId: '' }
  if (!row.hasPlace) return 'broken'
  const { sequence, hash, previousHash, txid, ...entry } = row
  const expected = linkHash(hashSecret, { sequence, previousHash: previousHash ?? Buffer.alloc(0) }, entry)
  return expected.equals(hash) ? { sequence, hash, txid, entryId: entry.id } : 'broken'
}

interface LinkRow extends SignedEntry, Pick<LastLink, 'sequence' | 'hash' | 'txid'> {
  previousHash: Uint8Array | null
  hasPlace: boolean
}

/** Restores missing chain rows of trails with entries, at their last link. Returns the trails. */
export async function restoreChains(database: Database): Promise<string[]> {
  const rows = await database.$queryRaw<{ casinoId: string }[]>`
    INSERT INTO audit_chain (casino_id, sequence, hash)
    SELECT trail.id, COALESCE(link.sequence, 0), COALESCE(link.hash, '')
      FROM (SELECT id FROM casino UNION ALL SELECT '') AS trail
      LEFT JOIN LATERAL (
        SELECT sequence, hash FROM audit_link WHERE casino_id = trail.id ORDER BY sequence DESC LIMIT 1
      ) AS link ON true
     WHERE NOT EXISTS (SELECT FROM audit_chain WHERE casino_id = trail.id)
       AND EXISTS (SELECT FROM audit_entry WHERE casino_id = trail.id)
    ON CONFLICT DO NOTHING
    RETURNING casino_id AS "casinoId"`
  return rows.map(({ casinoId }) => casinoId)
}

/** The number of entries, in all trails, that were refused by the chains. */
export async function countRefusedEntries(database: Database): Promise<number> {
  const rows = await database.$queryRaw<{ refused: number }[]>`
    SELECT COALESCE(sum(refused), 0)::float8 AS refused FROM audit_chain`
  return singleRow(rows).refused
}
