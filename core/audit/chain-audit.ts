import { feedHorizon } from '../event/feed-position.ts'
import { classifyFailure } from '../platform/database.ts'
import type { Database } from '../platform/database.ts'
import type { Logger } from '../platform/logger.ts'
import { batchInput, bigint, bytea, text } from '../platform/sql.ts'
import { isDamage } from '../set-aside/set-aside.ts'
import { entryColumns } from './entry-columns.ts'
import { createEntrySigner, linkHash } from './audit.ts'
import type { SignedEntry } from './audit.ts'
import { describe } from './check-heads.ts'
import { findNewEntries, findWaiting, loadLastLink, restoreChains } from './find-chains.ts'
import type { LastLink, Passed, WaitingTrail } from './find-chains.ts'
import type { HeadMemory } from './head-memory.ts'

type Entry = SignedEntry & { txid: bigint }

interface Link {
  entryId: string
  sequence: bigint
  hash: Buffer
}

const chainsAtOnceMax = 50
const linksAtOnceMax = 500

/** The result of a run. */
export interface ChainedTurn {
  /** The number of entries examined. */
  moved: number
  /** Trails that cannot be extended: their last link is not ours, or the database refuses the next one. */
  broken: number
  /** When the oldest entry was written that still waits to be chained, for any reason; null if there is none. */
  waitingSince: Date | null
}

/**
 * Chains new entries: each one's hash covers the one before. Only entries of finished transactions, in the order of
 * their numbers, so that no entry can come in between later. Any number of processes may run it at the same time; the second one
 * changes nothing.
 *
 * An entry that the service has not signed, or that was changed since, is not chained: it is logged, counted and
 * permanently reported by `verifyTrail`. Other entries and other trails continue.
 *
 * Each new end is logged, and logs are kept elsewhere: an attacker who can change the whole database can also truncate
 * a chain without a trace in it. `checkHeads` compares.
 */
export function createChainAudit({ database, hashSecret, log, memory }: Deps): ChainAudit {
  const signer = createEntrySigner(hashSecret)
  const passed = new Map<string, Passed>()
  let isSigning = false
  /**
   * All entries of transactions below it have been examined, except in `unfinished` trails; undefined before the first
   * run.
   */
  let horizon: bigint | undefined
  let unfinished: readonly string[] = []

  /**
   * Whether entries are signed by now, so that unsigned ones are refused; until the first signed one is chained, they
   * are accepted.
   */
  const learnSigning = async () => {
    if (isSigning || (await memory.isSigning())) isSigning = true
    else if (await hasSignedLink(database, (entry) => signer.isOurs(entry))) {
      isSigning = true
      await memory.rememberSigning()
    }
    return isSigning
  }

  /** Chains the waiting entries of a trail, up to a limit. */
  const chainTrail = async (trail: WaitingTrail): Promise<Chained> => {
    const { casinoId } = trail
    const link = await loadLastLink({ database, hashSecret }, casinoId)
    if (link === 'broken') return 'broken'
    const known = passed.get(casinoId)
    const from = known?.sequence === link.sequence ? known : link
    const entries = await loadEntries(database, casinoId, from)
    const last = entries.at(-1)
    if (last === undefined) return { moved: 0, isDone: true }
    const mustBeSigned = await learnSigning()
    const isFit = (entry: Entry) => signer.isOurs(entry) || (entry.signature === null && !mustBeSigned)
    const links = linkEntries(hashSecret, link, entries.filter(isFit))
    const refused = entries.filter((entry) => !isFit(entry) && isUncounted(entry, last, trail))
    if (links.length > 0 || refused.length > 0) {
      const stored = await storeLinks(database, trail, { from: link, links, refused: refused.length, last })
      if (!stored) return { moved: 0, isDone: false } // others were quicker
    }
    const end = links.at(-1)
    passed.set(casinoId, { sequence: end?.sequence ?? link.sequence, txid: last.txid, entryId: last.id })
    if (!isSigning && entries.some((entry) => entry.signature !== null && isFit(entry))) {
      isSigning = true
      await memory.rememberSigning()
    }
    for (const { id, signature } of refused) {
      const problem = signature === null ? 'not signed' : 'forged'
      log.error({ casinoId, entryId: id, problem }, 'unsigned or altered audit entry not chained')
    }
    if (end !== undefined) log.info({ casinoId, end: describe(end) }, 'audit trail chained')
    return { moved: entries.length, isDone: entries.length < linksAtOnceMax }
  }

  /** The trails with entries to chain: all, or those with entries since the horizon and the unfinished ones. */
  const findTrails = async (isAll: boolean) => {
    const { heldUpSince, ...found } = await findNewEntries(database, horizon)
    const casinoIds = [...new Set([...unfinished, ...found.casinoIds])]
    const isNothing = !isAll && casinoIds.length === 0
    const trails = isNothing ? [] : await findWaiting(database, passed, isAll ? 'all' : casinoIds)
    horizon = found.horizon
    unfinished = trails.map(({ casinoId }) => casinoId)
    return { trails, heldUpSince }
  }

  return async (scope = 'all') => {
    const isAll = scope === 'all' || horizon === undefined
    if (isAll) {
      for (const casinoId of await restoreChains(database)) {
        log.error({ casinoId }, 'end of an audit trail restored')
      }
    }
    const { trails, heldUpSince } = await findTrails(isAll)
    const turn: ChainedTurn = { moved: 0, broken: 0, waitingSince: heldUpSince }
    let places = chainsAtOnceMax
    const left: string[] = []
    for (const trail of trails) {
      const chained: Chained =
        places > 0 ? await setBadAside(log, trail, chainTrail) : { moved: 0, isDone: false }
      if (chained === 'broken') turn.broken += 1
      else {
        turn.moved += chained.moved
        places -= 1
        if (chained.isDone) continue
      }
      left.push(trail.casinoId)
      turn.waitingSince = earlier(turn.waitingSince, trail.waitingSince)
    }
    unfinished = left
    return turn
  }
}

/** Examines all trails, or those with new entries and the unfinished ones. The first run examines all. */
export type ChainAudit = (scope?: 'all' | 'new') => Promise<ChainedTurn>

type Chained = { moved: number; isDone: boolean } | 'broken'

/** A broken or locked trail does not stop the others. A failure of the whole database is thrown, and retried. */
async function setBadAside(
  log: Deps['log'],
  trail: WaitingTrail,
  chain: (trail: WaitingTrail) => Promise<Chained>,
): Promise<Chained> {
  const { casinoId } = trail
  try {
    const chained = await chain(trail)
    if (chained === 'broken') log.error({ casinoId }, 'last link of an audit trail is invalid')
    return chained
  } catch (error) {
    if (classifyFailure(error) === 'locked') return { moved: 0, isDone: false }
    if (!isDamage(error)) throw error
    log.error({ err: error, casinoId }, 'audit trail not chained')
    return 'broken'
  }
}

/** Whether it comes after the position in `audit_chain`; a position beyond all entries was written by hand. */
function isUncounted({ txid, id }: Entry, last: Entry, { cursorTxid, cursorId }: WaitingTrail): boolean {
  return cursorTxid > last.txid || txid > cursorTxid || (txid === cursorTxid && id > cursorId)
}

function earlier(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other
  return one < other ? one : other
}

/** A chained signed entry was chained by this release or a later one: older ones do not sign. */
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

function loadEntries(
  database: Database,
  casinoId: string,
  from: Pick<Passed, 'txid' | 'entryId'>,
): Promise<Entry[]> {
  return database.$queryRaw<Entry[]>`
    SELECT ${entryColumns}, entry.txid
      FROM audit_entry AS entry
     WHERE casino_id = ${casinoId}::text
       AND (txid, id) > (${String(from.txid)}::bigint, ${from.entryId}::text) AND txid < ${feedHorizon}
     ORDER BY entry.txid, entry.id
     LIMIT ${linksAtOnceMax}::int`
}

function linkEntries(hashSecret: string, last: LastLink, entries: readonly Entry[]): Link[] {
  let { sequence, hash: previousHash } = last
  return entries.map((entry) => {
    sequence += 1n
    const hash = linkHash(hashSecret, { sequence, previousHash }, entry)
    previousHash = hash
    return { entryId: entry.id, sequence, hash }
  })
}

/** Advances past the examined entries. False if another process has advanced. */
async function storeLinks(
  database: Database,
  trail: WaitingTrail,
  { from, links, refused, last }: { from: LastLink; links: readonly Link[]; refused: number; last: Entry },
): Promise<boolean> {
  const end = links.at(-1) ?? from
  const rows = await database.$queryRaw<{ casinoId: string }[]>`
    WITH chain_moved AS (
      UPDATE audit_chain SET sequence = ${String(end.sequence)}::bigint, hash = ${end.hash}::bytea,
                             cursor_txid = ${String(last.txid)}::bigint, cursor_id = ${last.id}::text,
                             refused = refused + ${refused}::int
       WHERE casino_id = ${trail.casinoId}::text AND sequence = ${String(trail.sequence)}::bigint
         AND cursor_txid = ${String(trail.cursorTxid)}::bigint AND cursor_id = ${trail.cursorId}::text
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
