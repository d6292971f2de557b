import type { Database } from '../platform/database.ts'
import type { Logger } from '../platform/logger.ts'
import { batchInput, bigint, text } from '../platform/sql.ts'
import type { ChainHead, HeadMemory } from './head-memory.ts'

/** How many chains one statement is about. */
const chainsAtOnce = 500

/**
 * Compares all chains with what is remembered of them, and returns the casinos whose chain no longer has what it once ended
 * with: somebody has taken it back, or written it anew. What is remembered of those stays, so that each turn says it
 * again until people have looked (docs/audit.md); of all others the present end is remembered.
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
  let after: string | null = null
  for (;;) {
    const heads: ChainHead[] = await findHeads(database, after)
    const remembered = await memory.recall(heads.map(({ casinoId }) => casinoId))
    const lacking = new Set(await findLacking(database, [...remembered.values()]))
    for (const casinoId of lacking) {
      const head = remembered.get(casinoId)
      log.error(
        { casinoId, remembered: head === undefined ? null : describe(head) },
        'an audit trail lacks what it once ended with',
      )
      lost.push(casinoId)
    }
    const moved = heads.filter((head) => {
      const known = remembered.get(head.casinoId)
      return head.sequence > 0n && !lacking.has(head.casinoId) && known?.sequence !== head.sequence
    })
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

/** In the order of their casinos, from the one behind `after`; the service's own has an empty id. */
function findHeads(database: Database, after: string | null): Promise<ChainHead[]> {
  return database.$queryRaw<ChainHead[]>`
    SELECT casino_id AS "casinoId", sequence, hash FROM audit_chain
     WHERE ${after}::text IS NULL OR casino_id > ${after}::text
     ORDER BY casino_id LIMIT ${chainsAtOnce}::int`
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
