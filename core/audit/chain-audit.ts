import { feedHorizon } from '../event/feed-position.ts'
import type { Database } from '../platform/database.ts'
import type { Logger } from '../platform/logger.ts'
import { batchInput, bigint, bytea, text } from '../platform/sql.ts'
import { linkHash } from './audit.ts'
import type { AuditRecord } from './audit.ts'

interface Chain {
  casinoId: string
  sequence: bigint
  hash: Uint8Array
  cursorTxid: bigint
  cursorId: string
}

type Entry = AuditRecord & { txid: bigint }

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
 * Each new end goes into the log, which is kept elsewhere: who can change the whole database can also take a chain back to
 * where it was, and nothing in the database would tell.
 */
export async function chainAudit({ database, hashSecret, log }: Deps): Promise<number> {
  let chained = 0
  for (const chain of await findChains(database)) {
    const entries = await loadEntries(database, chain)
    const links = linkEntries(hashSecret, chain, entries)
    const [last, end] = [entries.at(-1), links.at(-1)]
    if (last === undefined || end === undefined) continue
    const stored = await storeLinks(database, chain, links, last)
    chained += stored
    if (stored === 0) continue // somebody else was quicker
    log.info(
      { casinoId: chain.casinoId, end: `${end.sequence}:${end.hash.toString('hex')}` },
      'audit trail chained',
    )
  }
  return chained
}

interface Deps {
  database: Database
  hashSecret: string
  log: Pick<Logger, 'info'>
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
    SELECT id, casino_id AS "casinoId", at, actor, address, action, params, reason, request_id AS "requestId", outcome,
           txid
      FROM audit_entry
     WHERE casino_id = ${chain.casinoId}::text
       AND (txid, id) > (${String(chain.cursorTxid)}::bigint, ${chain.cursorId}::text) AND txid < ${feedHorizon}
     ORDER BY txid, id
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

async function storeLinks(
  database: Database,
  chain: Chain,
  links: readonly Link[],
  last: Entry,
): Promise<number> {
  const end = links.at(-1)
  if (end === undefined) return 0
  return database.$executeRaw`
    WITH chain_moved AS (
      UPDATE audit_chain SET sequence = ${String(end.sequence)}::bigint, hash = ${end.hash}::bytea,
                             cursor_txid = ${String(last.txid)}::bigint, cursor_id = ${last.id}::text
       WHERE casino_id = ${chain.casinoId}::text AND sequence = ${String(chain.sequence)}::bigint
      RETURNING casino_id
    )
    INSERT INTO audit_link (casino_id, sequence, entry_id, hash)
    SELECT chain_moved.casino_id, input.sequence, input.entry_id, input.hash
      FROM chain_moved
     CROSS JOIN ${batchInput(links, {
       sequence: bigint((link) => String(link.sequence)),
       entry_id: text((link) => link.entryId),
       hash: bytea((link) => link.hash),
     })}`
}
