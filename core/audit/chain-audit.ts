import { feedHorizon } from '../event/feed-position.ts'
import type { Database } from '../platform/database.ts'
import type { Logger } from '../platform/logger.ts'
import { singleRow } from '../platform/single-row.ts'
import { batchInput, bigint, bytea, text } from '../platform/sql.ts'
import { entryColumns } from './entry-columns.ts'
import { createEntrySigner, linkHash } from './audit.ts'
import type { SignedEntry } from './audit.ts'
import { describe } from './check-heads.ts'
import type { HeadMemory } from './head-memory.ts'

interface Chain {
  casinoId: string
  sequence: bigint
  hash: Uint8Array
  cursorTxid: bigint
  cursorId: string
}

type Entry = SignedEntry & { txid: bigint }

interface Link {
  entryId: string
  sequence: bigint
  hash: Buffer
}

const chainsAtOnceMax = 50
const linksAtOnceMax = 500

/**
 * Chains the entries that have been written since: each one's hash covers the one before. Only those of transactions that
 * are over, in the order of their numbers, so that none can come in between later. Any number of processes may do it at
 * once; who comes second changes nothing. Returns how many were chained.
 *
 * What the service has not signed itself, or what was changed since, is not chained: it is said in the log, counted, and
 * found by `verifyTrail` for ever, and the others go on.
 *
 * Each new end goes into the log, which is kept elsewhere: who can change the whole database can also take a chain back to
 * where it was, and nothing in the database would tell. `checkHeads` compares.
 */
export function createChainAudit({ database, hashSecret, log, memory }: Deps): () => Promise<number> {
  const signer = createEntrySigner(hashSecret)
  let isSigning = false

  /** Whether entries are signed by now, so that others are refused; until the first signed one is chained, they are not. */
  const learnSigning = async () => {
    if (isSigning || (await memory.isSigning())) isSigning = true
    else if (await hasSignedLink(database, (entry) => signer.isOurs(entry))) {
      isSigning = true
      await memory.rememberSigning()
    }
    return isSigning
  }

  return async () => {
    let moved = 0
    for (const chain of await findChains(database)) {
      const entries = await loadEntries(database, chain)
      const last = entries.at(-1)
      if (last === undefined) continue
      const mustBeSigned = await learnSigning()
      const isFit = (entry: Entry) => signer.isOurs(entry) || (entry.signature === null && !mustBeSigned)
      const refused = entries.filter((entry) => !isFit(entry))
      const links = linkEntries(hashSecret, chain, entries.filter(isFit))
      if (!(await storeLinks(database, chain, { links, refused: refused.length, last }))) continue // others were quicker
      moved += entries.length
      if (!isSigning && entries.some((entry) => entry.signature !== null && isFit(entry))) {
        isSigning = true
        await memory.rememberSigning()
      }
      for (const { id, casinoId, signature } of refused) {
        const problem = signature === null ? 'not signed' : 'forged'
        log.error({ casinoId, entryId: id, problem }, 'an audit entry is not ours and was not chained')
      }
      const end = links.at(-1)
      if (end !== undefined) log.info({ casinoId: chain.casinoId, end: describe(end) }, 'audit trail chained')
    }
    return moved
  }
}

/** Entries that were not chained since the chains began, in all trails. */
export async function countRefusedEntries(database: Database): Promise<number> {
  const rows = await database.$queryRaw<{ refused: number }[]>`
    SELECT COALESCE(sum(refused), 0)::float8 AS refused FROM audit_chain`
  return singleRow(rows).refused
}

/** A signed one that is chained was chained by this release or a later one: older ones do not sign. */
async function hasSignedLink(database: Database, isOurs: (entry: SignedEntry) => boolean): Promise<boolean> {
  const entries = await database.$queryRaw<SignedEntry[]>`
    SELECT ${entryColumns}
      FROM audit_chain AS chain
      JOIN audit_link AS link ON link.casino_id = chain.casino_id AND link.sequence = chain.sequence
      JOIN audit_entry AS entry ON entry.id = link.entry_id
     WHERE entry.signature IS NOT NULL
     LIMIT ${chainsAtOnceMax}::int`
  return entries.some(isOurs)
}

interface Deps {
  database: Database
  hashSecret: string
  log: Pick<Logger, 'info' | 'error'>
  memory: Pick<HeadMemory, 'isSigning' | 'rememberSigning'>
}

function findChains(database: Database): Promise<Chain[]> {
  return database.$queryRaw<Chain[]>`
    SELECT chain.casino_id AS "casinoId", chain.sequence, chain.hash, chain.cursor_txid AS "cursorTxid",
           chain.cursor_id AS "cursorId"
      FROM audit_chain AS chain
     WHERE EXISTS (
       SELECT FROM audit_entry
        WHERE audit_entry.casino_id = chain.casino_id
          AND (audit_entry.txid, audit_entry.id) > (chain.cursor_txid, chain.cursor_id)
          AND audit_entry.txid < ${feedHorizon}
     )
     LIMIT ${chainsAtOnceMax}::int`
}

function loadEntries(database: Database, chain: Chain): Promise<Entry[]> {
  return database.$queryRaw<Entry[]>`
    SELECT ${entryColumns}, entry.txid
      FROM audit_entry AS entry
     WHERE casino_id = ${chain.casinoId}::text
       AND (txid, id) > (${String(chain.cursorTxid)}::bigint, ${chain.cursorId}::text) AND txid < ${feedHorizon}
     ORDER BY entry.txid, entry.id
     LIMIT ${linksAtOnceMax}::int`
}

function linkEntries(hashSecret: string, chain: Chain, entries: readonly Entry[]): Link[] {
  let { sequence, hash: previousHash } = chain
  return entries.map((entry) => {
    sequence += 1n
    const hash = linkHash(hashSecret, { sequence, previousHash }, entry)
    previousHash = hash
    return { entryId: entry.id, sequence, hash }
  })
}

/** Moves on past all entries that were looked at. False when somebody else has moved on. */
async function storeLinks(
  database: Database,
  chain: Chain,
  { links, refused, last }: { links: readonly Link[]; refused: number; last: Entry },
): Promise<boolean> {
  const end = links.at(-1) ?? chain
  const rows = await database.$queryRaw<{ casinoId: string }[]>`
    WITH chain_moved AS (
      UPDATE audit_chain SET sequence = ${String(end.sequence)}::bigint, hash = ${end.hash}::bytea,
                             cursor_txid = ${String(last.txid)}::bigint, cursor_id = ${last.id}::text,
                             refused = refused + ${refused}::int
       WHERE casino_id = ${chain.casinoId}::text AND sequence = ${String(chain.sequence)}::bigint
         AND cursor_txid = ${String(chain.cursorTxid)}::bigint AND cursor_id = ${chain.cursorId}::text
      RETURNING casino_id
    ),
    links_stored AS (
    INSERT INTO audit_link (casino_id, sequence, entry_id, hash)
    SELECT chain_moved.casino_id, input.sequence, input.entry_id, input.hash
      FROM chain_moved
     CROSS JOIN ${batchInput(links, {
       sequence: bigint((link) => String(link.sequence)),
       entry_id: text((link) => link.entryId),
       hash: bytea((link) => link.hash),
     })}
    )
    SELECT casino_id AS "casinoId" FROM chain_moved`
  return rows.length > 0
}
