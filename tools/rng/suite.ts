import { drawEntry } from '../../core/box/draw.ts'
import type { RandomSource } from '../../core/box/draw.ts'
import { simulatedOpening } from '../../core/box/simulate-draws.ts'
import { createDrawSource } from '../../core/fairness/derive.ts'
import { correctByHolm } from './holm.ts'
import { createRawTests } from './raw-tests.ts'
import { createTableTests } from './table-tests.ts'
import type { TestResult } from './test-result.ts'
import { weightTables } from './weight-tables.ts'
import type { WeightTable } from './weight-tables.ts'

/** The tested generator. Production's own, except where the suite itself is tested. */
export interface Generator {
  /** The numbers of the opening at a place, from 0. */
  sourceOf(place: number): RandomSource
  drawEntry: typeof drawEntry
}

/** The generator that openings are drawn with. */
export function createProductionGenerator(seed: Uint8Array): Generator {
  return { sourceOf: (place) => createDrawSource(seed, simulatedOpening(place)), drawEntry }
}

export interface Verdict extends TestResult {
  /** Holm's correction for there being many tests. */
  correctedPValue: number
  isRejected: boolean
}

export interface Suite {
  run(draws: number): void
  verdicts(): Verdict[]
}

/** With probability 99 % or more, nothing is rejected of a generator that is right. */
const significance = 0.01

/**
 * So many openings reach every test, with all tables: with fewer, an entry of 1 in 5,000 is expected less than five
 * times in its seventh of them.
 */
export const drawsMin = 200_000

/**
 * Each draw is one opening, from one of the tables in turn; the first number that it takes is tested as it is, and the
 * entry that it picks against the table's weights.
 */
export function createSuite(
  generator: Generator,
  tablesToDrawFrom: readonly WeightTable[] = weightTables,
): Suite {
  const raw = createRawTests()
  const tables = tablesToDrawFrom.map(createTableTests)
  let place = 0

  function drawFrom(table: ReturnType<typeof createTableTests>): void {
    const source = generator.sourceOf(place)
    let first: bigint | undefined
    const { index } = generator.drawEntry(table.entries, () => {
      const number = source()
      first ??= number
      return number
    })
    if (first === undefined) throw new Error('an entry was drawn without a number')
    raw.add(first)
    table.add(index)
  }

  return {
    run: (draws) => {
      for (const end = place + draws; place < end; place++) {
        const table = tables[place % tables.length]
        if (table !== undefined) drawFrom(table)
      }
    },
    verdicts: () => {
      const results = [...raw.results(), ...tables.flatMap((table) => table.results())]
      const corrected = correctByHolm(results.map(({ pValue }) => pValue))
      return results.map((result, index) => {
        const correctedPValue = corrected[index] ?? 1
        return { ...result, correctedPValue, isRejected: correctedPValue < significance }
      })
    },
  }
}
