import { parseArgs } from 'node:util'
import { UsageError } from '../../core/platform/main-program.ts'
import { parseCount } from '../options.ts'

export interface ScaleOptions {
  /** The numbers of prizes, ascending; the others are compared with the first. */
  sizes: readonly number[]
  seconds: number
  rounds: number
  connections: number
  /** How often each list is read. */
  reads: number
}

export const usage = `npm run bench:scale -- [options]
  --sizes 10000,1000000      how many prizes, with their openings, orders, cashbacks and histories; 10000000 needs 40 GB
  --rounds 3                 of the operations; the sizes take turns in each
  --seconds 4                each operation in a round
  --connections 64
  --reads 200                how often each list is read`

/** Reads the command line. Throws a UsageError, or one of `parseArgs`. */
export function parseOptions(args: readonly string[]): ScaleOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      sizes: { type: 'string', default: '10000,1000000' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '4' },
      connections: { type: 'string', default: '64' },
      reads: { type: 'string', default: '200' },
    },
  })
  const sizes = values.sizes.split(',').map((text) => parseCount('sizes', text, 10_000_000))
  if (sizes.some((size, index) => size < (sizes[index - 1] ?? 1_000))) {
    throw new UsageError('--sizes: ascending, and at least 1000')
  }
  return {
    sizes,
    rounds: parseCount('rounds', values.rounds, 20),
    seconds: parseCount('seconds', values.seconds, 60),
    connections: parseCount('connections', values.connections, 1_000),
    reads: parseCount('reads', values.reads, 10_000),
  }
}
