import type { Database } from '../platform/database.ts'
import type { Logger } from '../platform/logger.ts'
import { textArray } from '../platform/sql.ts'
import { faultOf, openSeed } from './sealed-seed.ts'
import type { SealedSeed, SeedDeps, SeedFault } from './sealed-seed.ts'

export type UnopenedState = 'active' | 'next' | 'retired'

/** A secret seed that this process cannot open. */
export interface UnopenedSeed {
  id: string
  casinoId: string
  state: UnopenedState
  fault: SeedFault
}

/** Receives all seeds that a run of a loop could not open, even if there are none. */
export type ReportUnopened = (seeds: readonly UnopenedSeed[]) => void

/**
 * Logs each seed once, by its id, and counts them. Unchanged ones are not repeated, and do not count as a failure of
 * the loop: that would hide its other failures.
 */
export function createReportUnopened(options: {
  log: Logger
  /** The states that the loop examines. */
  states: readonly UnopenedState[]
  onCount: (state: UnopenedState, count: number) => void
}): ReportUnopened {
  let named: ReadonlySet<string> = new Set()
  const nameOf = ({ id, state, fault }: UnopenedSeed) => [id, state, fault].join(' ')
  return (seeds) => {
    for (const seed of seeds) {
      if (named.has(nameOf(seed))) continue
      const { id: seedId, casinoId, state, fault } = seed
      options.log.error({ seedId, casinoId, state, fault }, 'seed not opened')
    }
    named = new Set(seeds.map(nameOf))
    for (const state of options.states)
      options.onCount(state, seeds.filter((seed) => seed.state === state).length)
  }
}

interface UsableSeed extends SealedSeed {
  casinoId: string
  state: 'active' | 'next'
}

/** The active and next seeds of casinos that cannot be opened. */
export async function findUnopenedSeeds(
  { database, cipher }: SeedDeps,
  casinoIds: readonly string[],
): Promise<UnopenedSeed[]> {
  const seeds = await findUsableSeeds(database, casinoIds)
  return seeds.flatMap((seed) => {
    const { id, casinoId, state } = seed
    return openSeed(cipher, seed) === undefined ? [{ id, casinoId, state, fault: faultOf(cipher, seed) }] : []
  })
}

function findUsableSeeds(database: Database, casinoIds: readonly string[]): Promise<UsableSeed[]> {
  return database.$queryRaw<UsableSeed[]>`
    SELECT id, casino_id AS "casinoId", state, commitment, sealed_seed AS ciphertext, sealed_key AS "wrappedKey",
           sealed_key_id AS "keyId"
      FROM server_seed WHERE casino_id = ANY(${textArray(casinoIds)}) AND state IN ('active', 'next')`
}
