import type { ChainAudit, ChainedTurn } from './chain-audit.ts'
import { checkHeads } from './check-heads.ts'
import { countRefusedEntries } from './find-chains.ts'
import type { Database } from '../platform/database.ts'
import type { Logger } from '../platform/logger.ts'
import type { HeadMemory } from './head-memory.ts'

/** What a look at the trails has found. */
export interface TrailsLook extends ChainedTurn {
  /** Entries that were not chained, since the chains began. */
  refused: number
  /** Trails that lack what they once ended with. */
  lostHeads: number
}

/** A look at all trails takes at most this part of the time; of a few hundred casinos it takes milliseconds. */
const pausePerLook = 30
const pauseMaxMs = 60_000

/**
 * Chains what is new with each look, and now and then looks at all trails: whether each still ends as it once did, and
 * whether its last link still has its entry. That costs by the number of casinos, so it is done the more seldom the longer
 * it takes: within a minute at least.
 */
export function createKeepTrails(deps: {
  database: Database
  memory: HeadMemory
  log: Pick<Logger, 'error'>
  nowMs: () => number
  chainAudit: ChainAudit
}): () => Promise<TrailsLook> {
  const { database, nowMs, chainAudit } = deps
  let lookAtAllAtMs = -Infinity
  let last = { refused: 0, lostHeads: 0 }
  return async () => {
    const startMs = nowMs()
    if (startMs < lookAtAllAtMs) return { ...(await chainAudit('new')), ...last }
    const turn = await chainAudit('all')
    last = { refused: await countRefusedEntries(database), lostHeads: (await checkHeads(deps)).length }
    const endMs = nowMs()
    lookAtAllAtMs = endMs + Math.min((endMs - startMs) * pausePerLook, pauseMaxMs)
    return { ...turn, ...last }
  }
}
