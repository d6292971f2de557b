import { parseArgs } from 'node:util'
import { parseCount, parseNames } from '../options.ts'
import { lineKinds } from './kinds.ts'
import type { LineKind } from './kinds.ts'

export interface LinesOptions {
  kinds: readonly LineKind[]
  /** How long the partner takes for each call, in milliseconds; one measurement each. */
  calls: readonly number[]
  /** How many calls are caused. */
  count: number
  /** How long the partner hangs before, in seconds: less than a call may take. */
  hang: number
  rounds: number
}

export const usage = `npm run bench:lines -- [options]
  --line webhook,wallet  which lines (both)
  --calls 50,100,200     how long the partner takes for each call, in milliseconds
  --count 600            how many calls are caused
  --hang 9               how long the partner hangs before, in seconds
  --rounds 3             how often to measure everything`

/** Reads the command line. Throws a UsageError, or one of `parseArgs`. */
export function parseOptions(args: readonly string[]): LinesOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      line: { type: 'string' },
      calls: { type: 'string', default: '50,100,200' },
      count: { type: 'string', default: '600' },
      hang: { type: 'string', default: '9' },
      rounds: { type: 'string', default: '3' },
    },
  })
  const names = parseNames(
    'line',
    values.line,
    lineKinds.map(({ name }) => name),
  )
  return {
    kinds: lineKinds.filter(({ name }) => names.includes(name)),
    calls: values.calls.split(',').map((text) => parseCount('calls', text, 5_000)),
    count: parseCount('count', values.count, 10_000),
    hang: parseCount('hang', values.hang, 9),
    rounds: parseCount('rounds', values.rounds, 20),
  }
}
