import { parseArgs } from 'node:util'
import { UsageError } from '../../core/platform/main-program.ts'
import { parseCount, parseNames } from '../options.ts'

export const parts = ['sizes', 'archive', 'processes'] as const
export type Part = (typeof parts)[number]

export interface ScaleOptions {
  parts: readonly Part[]
  /** The numbers of prizes, ascending; the others are compared with the first. */
  sizes: readonly number[]
  seconds: number
  rounds: number
  connections: number
  /** How often each list is read. */
  reads: number
  /** The longest time that the archive works at each size. */
  archiveSeconds: number
}

export const usage = `npm run bench:scale -- [options]
  --sizes 10000,1000000,10000000
                             how many prizes, with their openings, orders, cashbacks and histories; 10000000 needs
                             45 GB of disk, and half of the time
  --part sizes,archive,processes
                             operations and reads at each size; the archive at each size, and operations and reads
                             after it; several APIs and workers at the smallest size (all)
  --rounds 3                 of the operations; the sizes take turns in each
  --seconds 4                each operation in a round
  --connections 64
  --reads 200                how often each list is read
  --archive-seconds 60       how long the archive moves events at each size, if it is not done earlier`

/** Reads the command line. Throws a UsageError, or one of `parseArgs`. */
export function parseOptions(args: readonly string[]): ScaleOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      part: { type: 'string' },
      sizes: { type: 'string', default: '10000,1000000,10000000' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '4' },
      connections: { type: 'string', default: '64' },
      reads: { type: 'string', default: '200' },
      'archive-seconds': { type: 'string', default: '60' },
    },
  })
  const sizes = values.sizes.split(',').map((text) => parseCount('sizes', text, 10_000_000))
  if (sizes.some((size, index) => size < (sizes[index - 1] ?? 1_000))) {
    throw new UsageError('--sizes: ascending, and at least 1000')
  }
  return {
    parts: parseNames('part', values.part, parts),
    sizes,
    rounds: parseCount('rounds', values.rounds, 20),
    seconds: parseCount('seconds', values.seconds, 60),
    connections: parseCount('connections', values.connections, 1_000),
    reads: parseCount('reads', values.reads, 10_000),
    archiveSeconds: parseCount('archive-seconds', values['archive-seconds'], 36_000),
  }
}
