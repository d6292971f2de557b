import type { Database } from '../platform/database.ts'
import type { Logger } from '../platform/logger.ts'
import { batchInput, bigint, text } from '../platform/sql.ts'
import type { ChainHead, HeadMemory } from './head-memory.ts'

/** The number of chains per statement. */
const chainsAtOnce = 500

/**
 * Compares all remembered ends of chains with the database, and returns the casinos whose chain no longer contains its
 * remembered end: it was removed, truncated or rewritten. Their remembered ends are kept, so that each run reports them
 * until an operator has looked (docs/operate/audit.md); for all others the current end is remembered.
 */
export async function checkHeads({
  database,
  memory,
  log,
}: {
  database: Database
  memory: HeadMemory
  log: Pick<Logger, 'error'>
}): Promise<readonly string[]> {
  const lost: string[] = []
  const remembered = new Map<string, ChainHead>()
  const casinoIds = await memory.casinoIds()
  for (let from = 0; from < casinoIds.length; from += chainsAtOnce) {
    const known = await memory.recall(casinoIds.slice(from, from + chainsAtOnce))
    for (const casinoId of await findLacking(database, [...known.values()])) {
      const head = known.get(casinoId)
      log.error(
        { casinoId, remembered: head === undefined ? null : describe(head) },
        'audit trail has lost its remembered end',
      )
      lost.push(casinoId)
    }
    for (const [casinoId, head] of known) remembered.set(casinoId, head)
  }
  const lacking = new Set(lost)
  let after: string | null = null
  for (;;) {
    const heads: ChainHead[] = await findHeads(database, after)
    const moved = heads.filter(
      ({ casinoId, sequence }) =>
        !lacking.has(casinoId) && sequence > (remembered.get(casinoId)?.sequence ?? 0n),
    )
    await memory.remember(moved)
    const last = heads.at(-1)
    if (last === undefined || heads.length < chainsAtOnce) return lost
    after = last.casinoId
  }
}

/** The form of the log, and the argument of `npm run audit:verify`. */
export function describe({ sequence, hash }: Omit<ChainHead, 'casinoId'>): string {
  return `${sequence}:${Buffer.from(hash).toString('hex')}`
}

/** The last links, ordered by casino, after `after`; the service's own has an empty id. */
function findHeads(database: Database, after: string | null): Promise<ChainHead[]> {
  return database.$queryRaw<ChainHead[]>`
    SELECT chain.casino_id AS "casinoId", link.sequence, link.hash
      FROM audit_chain AS chain
     CROSS JOIN LATERAL (
       SELECT sequence, hash FROM audit_link
        WHERE audit_link.casino_id = chain.casino_id ORDER BY sequence DESC LIMIT 1
     ) AS link
     WHERE ${after}::text IS NULL OR chain.casino_id > ${after}::text
     ORDER BY chain.casino_id LIMIT ${chainsAtOnce}::int`
}

async function findLacking(database: Database, heads: readonly ChainHead[]): Promise<string[]> {
  if (heads.length === 0) return []
  const links = await database.$queryRaw<{ casinoId: string; hash: Uint8Array | null }[]>`
    SELECT input.casino_id AS "casinoId", link.hash
      FROM ${batchInput(heads, {
        casino_id: text((head) => head.casinoId),
        sequence: bigint((head) => String(head.sequence)),
      })}
      LEFT JOIN audit_link AS link ON link.casino_id = input.casino_id AND link.sequence = input.sequence`
  const hashes = new Map(links.map(({ casinoId, hash }) => [casinoId, hash]))
  return heads.flatMap(({ casinoId, hash }) => {
    const found = hashes.get(casinoId)
    return found && Buffer.from(found).equals(Buffer.from(hash)) ? [] : [casinoId]
  })
}
