import { parseArgs } from 'node:util'
import { UsageError } from '../../core/platform/main-program.ts'
import { parseCount, parseNames } from '../options.ts'
import { usualHistorySize } from '../seed.ts'
import { acts } from './acts.ts'
import type { Act } from './acts.ts'

export interface NeighboursOptions {
  acts: readonly Act[]
  seconds: number
  /** The number of openings per second at the other casino. */
  rate: number
  /** The number of rows that the tables have before: prizes, orders, cashbacks, openings, events. */
  rows: number
}

export const usage = `npm run bench:neighbours -- [options]
  --act "large lists,locked rows"   what the noisy casino does (all, one after the other)
  --seconds 10                      beside each act
  --rate 50                         openings of the other casino, a second
  --rows 50000                      how many prizes, orders, cashbacks and events there are before; with more than that,
                                    lists, scrapes and loops are timed with 50,000 first, and then with all of them`

/** Reads the command line. Throws a UsageError, or one of `parseArgs`. */
export function parseOptions(args: readonly string[]): NeighboursOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      act: { type: 'string' },
      seconds: { type: 'string', default: '10' },
      rate: { type: 'string', default: '50' },
      rows: { type: 'string', default: String(usualHistorySize) },
    },
  })
  const names = parseNames(
    'act',
    values.act,
    acts.map(({ name }) => name),
  )
  const rows = parseCount('rows', values.rows, 10_000_000)
  if (rows < usualHistorySize) throw new UsageError(`--rows: at least ${usualHistorySize}`)
  return {
    acts: acts.filter(({ name }) => names.includes(name)),
    seconds: parseCount('seconds', values.seconds, 300),
    rate: parseCount('rate', values.rate, 5_000),
    rows,
  }
}
