import type { Database } from '../platform/database.ts'
import { instant } from '../platform/sql.ts'
import { createEntrySigner, linkHash } from './audit.ts'
import type { SignedEntry } from './audit.ts'
import { entryColumns } from './entry-columns.ts'

/** A problem in a casino's trail, and its place in the chain. */
export interface AuditProblem {
  casinoId: string
  sequence: bigint | null
  problem:
    | 'link_missing'
    | 'entry_missing'
    | 'entry_altered'
    | 'end_missing'
    | 'end_altered'
    | 'entry_not_chained'
    /** Chained, with an invalid signature. */
    | 'entry_forged'
    /** Chained without a signature, after a signed one. */
    | 'entry_not_signed'
}

export interface VerifiedTrail {
  casinoId: string
  /** The number of valid entries from the beginning. */
  entries: bigint
  /** The hash of the last one, to be kept elsewhere: later it must still be at this place. */
  lastHash: string
  /**
   * The number of entries from before there were signatures: they prove only that they are unchanged since they were
   * chained.
   */
  unsigned: bigint
  problems: readonly AuditProblem[]
}

interface LinkRow extends Partial<Omit<SignedEntry, 'casinoId'>> {
  sequence: bigint
  hash: Uint8Array
  casinoId: string | null
}

const linksAtOnce = 1_000
const problemsMax = 100

/** The existing trails; the service's own has an empty id. */
export async function listTrails(database: Database): Promise<string[]> {
  const rows = await database.$queryRaw<{ casinoId: string }[]>`
    SELECT casino_id AS "casinoId" FROM audit_chain
     UNION
    SELECT DISTINCT casino_id FROM audit_link
     UNION
    SELECT DISTINCT casino_id FROM audit_entry
     ORDER BY 1`
  return rows.map(({ casinoId }) => casinoId)
}

/**
 * Computes a casino's chain again, and finds every entry that was altered, removed or moved since it was chained, and
 * every one written before `chainedBefore` that is not chained. Reads in pages; reports at most 100 problems. Workers
 * may extend the chain meanwhile: a link and the new end are stored together, so the end read before the links is among
 * them, and the end read afterwards is not before the last of them.
 */
export async function verifyTrail(
  { database, hashSecret }: { database: Database; hashSecret: string },
  casinoId: string,
  chainedBefore: Date,
): Promise<VerifiedTrail> {
  const problems: AuditProblem[] = []
  const report = (sequence: bigint | null, problem: AuditProblem['problem']) => {
    if (problems.length < problemsMax) problems.push({ casinoId, sequence, problem })
  }
  const readEnd = () => database.auditChain.findUnique({ where: { casinoId } })
  const endBefore = await readEnd()
  let hashAtEndBefore: Uint8Array | undefined
  const signer = createEntrySigner(hashSecret)
  let sequence = 0n
  let unsigned = 0n
  let isSigned = false
  let previousHash: Uint8Array = Buffer.alloc(0)
  for (;;) {
    const links = await loadLinks(database, casinoId, sequence)
    for (const { sequence: place, hash, ...entry } of links) {
      if (place !== sequence + 1n) report(sequence + 1n, 'link_missing')
      if (!isEntry(entry)) report(place, 'entry_missing')
      else if (!linkHash(hashSecret, { sequence: place, previousHash }, entry).equals(hash)) {
        report(place, 'entry_altered')
      } else if (entry.signature === null) {
        if (isSigned) report(place, 'entry_not_signed')
        unsigned += 1n
      } else if (!signer.isOurs(entry)) report(place, 'entry_forged')
      else isSigned = true
      // Continues from the stored hash, so that one change is reported once.
      sequence = place
      previousHash = hash
      if (place === endBefore?.sequence) hashAtEndBefore = hash
    }
    if (links.length < linksAtOnce) break
  }
  const end = await readEnd()
  if (end === null) {
    if (sequence > 0n || endBefore !== null) report(null, 'end_missing')
  } else if (endBefore !== null && endBefore.sequence > sequence) report(sequence + 1n, 'link_missing')
  else if (
    end.sequence < sequence ||
    (end.sequence === sequence && !isSame(end.hash, previousHash)) ||
    (hashAtEndBefore !== undefined && endBefore !== null && !isSame(endBefore.hash, hashAtEndBefore))
  ) {
    report(sequence + 1n, 'end_altered')
  }
  if ((await countUnchained(database, casinoId, chainedBefore)) > 0) report(null, 'entry_not_chained')
  const lastHash = Buffer.from(previousHash).toString('hex')
  return { casinoId, entries: sequence, lastHash, unsigned, problems }
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.from(one).equals(Buffer.from(other))
}

function isEntry(entry: Omit<LinkRow, 'sequence' | 'hash'>): entry is SignedEntry {
  return typeof entry.id === 'string'
}

function loadLinks(database: Database, casinoId: string, after: bigint): Promise<LinkRow[]> {
  return database.$queryRaw<LinkRow[]>`
    SELECT link.sequence, link.hash, ${entryColumns}
      FROM audit_link AS link
      LEFT JOIN audit_entry AS entry ON entry.id = link.entry_id
     WHERE link.casino_id = ${casinoId}::text AND link.sequence > ${String(after)}::bigint
     ORDER BY link.sequence
     LIMIT ${linksAtOnce}::int`
}

async function countUnchained(database: Database, casinoId: string, before: Date): Promise<number> {
  const [row] = await database.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM audit_entry AS entry
     WHERE entry.casino_id = ${casinoId}::text AND entry.at < ${instant(before)}
       AND NOT EXISTS (SELECT FROM audit_link WHERE audit_link.entry_id = entry.id)`
  return row?.count ?? 0
}
