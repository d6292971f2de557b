import type { ChainAudit, ChainedTurn } from './chain-audit.ts'
import { checkHeads } from './check-heads.ts'
import { countRefusedEntries } from './find-chains.ts'
import type { Database } from '../platform/database.ts'
import type { Logger } from '../platform/logger.ts'
import type { HeadMemory } from './head-memory.ts'

/** The result of examining the trails. */
export interface TrailsLook extends ChainedTurn {
  /** Entries that were refused, since the chains began. */
  refused: number
  /** Trails that lack a remembered end. */
  lostHeads: number
}

/** Examining all trails takes at most this part of the time; with a few hundred casinos it takes milliseconds. */
const pausePerLook = 30
const pauseMaxMs = 60_000

/**
 * Chains new entries with each run, and examines all trails now and then: whether each still contains its remembered
 * end, and whether its last link still has its entry. The cost grows with the number of casinos, so it runs less often
 * the longer it takes, but at least once a minute.
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
