import type { Database } from '../platform/database.ts'
import type { Logger } from '../platform/logger.ts'
import { batchInput, bigint, text } from '../platform/sql.ts'
import type { ChainHead, HeadMemory } from './head-memory.ts'

/** How many chains one statement is about. */
const chainsAtOnce = 500

/**
 * Looks for all that is remembered of chains, and returns the casinos whose chain no longer has what it once ended with:
 * somebody has removed it, taken it back, or written it again. What is remembered of those stays, so that each turn says it
 * again until people have looked (docs/operate/audit.md); of all others the present end is remembered.
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
        'an audit trail lacks what it once ended with',
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

/** As the log has it, and `npm run audit:verify` takes it. */
export function describe({ sequence, hash }: Omit<ChainHead, 'casinoId'>): string {
  return `${sequence}:${Buffer.from(hash).toString('hex')}`
}

/** The last links, in the order of their casinos, from the one behind `after`; the service's own has an empty id. */
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
