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
/** While nothing is chained, more looks would only keep an idle process busy. */
const quietPauseMs = 10_000
const pauseMaxMs = 60_000

/**
 * Chains new entries with each run, and examines all trails now and then: whether each still contains its remembered
 * end, and whether its last link still has its entry. It examines them right after entries were chained, so that their ends are
 * remembered, and otherwise every ten seconds. The cost grows with the number of casinos: the longer it takes, the less often,
 * but at least once a minute.
 */
export function createKeepTrails(deps: {
  database: Database
  memory: HeadMemory
  log: Pick<Logger, 'error'>
  nowMs: () => number
  chainAudit: ChainAudit
}): () => Promise<TrailsLook> {
  const { database, nowMs, chainAudit } = deps
  /** The next look at all trails: the earliest time, and the time if nothing is chained. */
  let [earliestMs, latestMs] = [-Infinity, -Infinity]
  let hasChained = false
  let last = { refused: 0, lostHeads: 0 }
  return async () => {
    const startMs = nowMs()
    if (startMs < (hasChained ? earliestMs : latestMs)) {
      const hadChained = hasChained
      hasChained = true // also if it fails after some trails
      const turn = await chainAudit('new')
      hasChained = hadChained || turn.moved > 0
      return { ...turn, ...last }
    }
    const turn = await chainAudit('all')
    last = { refused: await countRefusedEntries(database), lostHeads: (await checkHeads(deps)).length }
    hasChained = false
    const endMs = nowMs()
    earliestMs = endMs + Math.min((endMs - startMs) * pausePerLook, pauseMaxMs)
    latestMs = Math.max(earliestMs, endMs + quietPauseMs)
    return { ...turn, ...last }
  }
}
