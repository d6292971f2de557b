import { randomBytes } from 'node:crypto'
import { drawEntry } from '../core/box/draw.ts'
import type { RandomSource } from '../core/box/draw.ts'
import { createDrawSource } from '../core/fairness/derive.ts'
import { randomNumber } from './without-proof/random-number.ts'

/** CPU microseconds of a draw from the benchmark's unlimited box. */
export interface DrawCost {
  /** From numbers that belong to the opening and can be checked. */
  provable: number
  /** From the system's random source. */
  atRandom: number
}

const entries = Array.from({ length: 8 }, (_, index) => ({ weight: BigInt(index + 1) }))
const drawsPerRound = 20_000
const rounds = 11

/** Measures both kinds of draws in turns, in this process and with the production code. Takes about two seconds. */
export function measureDrawCost(): DrawCost {
  const seed = randomBytes(32)
  const provableOf = (n: number) =>
    createDrawSource(seed, {
      playerId: `player_${n.toString(16).padStart(32, '0')}`,
      nonce: 1n,
      clientSeed: null,
    })
  const provable: number[] = []
  const atRandom: number[] = []
  for (let round = 0; round < rounds; round++) {
    provable.push(measureDraws(provableOf))
    atRandom.push(measureDraws(() => randomNumber))
  }
  return { provable: medianOf(provable), atRandom: medianOf(atRandom) }
}

function measureDraws(sourceOf: (n: number) => RandomSource): number {
  const before = process.cpuUsage()
  let sum = 0n
  for (let n = 0; n < drawsPerRound; n++) sum += drawEntry(entries, sourceOf(n)).weight
  const { user, system } = process.cpuUsage(before)
  if (sum < BigInt(drawsPerRound)) throw new Error('a draw gave no entry')
  return (user + system) / drawsPerRound
}

/** The first rounds, when the code was still interpreted, do not matter to it. */
function medianOf(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN
}
