import { createDrawSource } from '../fairness/derive.ts'
import { createDraw } from './draw.ts'

/** Draws from a box's entries as openings do, and counts the results. */
export interface Simulation {
  /** Makes this many draws. Call it with few at a time in a process that serves requests. */
  run(draws: number): void
  /** How often each entry was drawn. */
  counts: readonly number[]
  drawn(): number
}

/** Openings rotate among this many players, so that both the player and the nonce vary. */
const players = 1_000

/**
 * Simulates openings under one server seed with the code of real draws. The same seed and entries give the same counts.
 * Stock is ignored: replacements are decided after the draw.
 */
export function createSimulation(entries: readonly { weight: bigint }[], seed: Uint8Array): Simulation {
  const draw = createDraw(entries.map(({ weight }) => weight))
  const counts = entries.map(() => 0)
  let drawn = 0
  return {
    counts,
    drawn: () => drawn,
    run: (draws) => {
      for (const end = drawn + draws; drawn < end; drawn++) {
        const index = draw(createDrawSource(seed, simulatedOpening(drawn)))
        counts[index] = (counts[index] ?? 0) + 1
      }
    },
  }
}

/**
 * The opening at a place in the simulation, from 0: `simulated-1` … `simulated-1000` with nonce 1, then all with nonce
 * 2 …
 */
export function simulatedOpening(place: number): { playerId: string; nonce: bigint; clientSeed: null } {
  return {
    playerId: `simulated-${(place % players) + 1}`,
    nonce: BigInt(Math.floor(place / players) + 1),
    clientSeed: null,
  }
}
