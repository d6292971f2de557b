import { parseArgs } from 'node:util'
import { exitCodes, runMain, UsageError } from '../../core/platform/main-program.ts'
import { parseCount, parseSeed, parseWeights } from '../terminal/parse-values.ts'
import { withProgress } from '../terminal/progress.ts'
import { exportOutcomes } from './export-outcomes.ts'

const usage = `npm run rng:export -- --count N --out DIR [options]

Writes what the production code draws, for a test laboratory: raw.bin (64-bit numbers), tickets.txt and entries.txt
(scaled to the weights), manifest.json (the seed, how each outcome is derived, SHA-256 of the files). See docs/contribute/draws.md.

  --count N         how many openings to draw (1 to 10000000000); about 15 bytes each
  --out DIR         where to write; files that are there are not overwritten
  --seed HEX        the 32 bytes of the server seed (new ones); the same gives the same files
  --weights 1,2,3   of a box's entries (1,2,3,10,84)`

await runMain({ usage }, async (args) => {
  const { values } = parseArgs({
    args,
    options: {
      count: { type: 'string' },
      out: { type: 'string' },
      seed: { type: 'string' },
      weights: { type: 'string', default: '1,2,3,10,84' },
    },
  })
  const { count, out: dir } = values
  if (count === undefined) throw new UsageError('--count must say how many openings to draw')
  if (dir === undefined || dir === '') throw new UsageError('--out must say where to write')
  const total = parseCount('count', count, { min: 1, max: 10_000_000_000, default: 0 })
  const request = { dir, count: total, seed: parseSeed(values.seed), weights: parseWeights(values.weights) }
  await exportOutcomes({ ...request, inSteps: withProgress }).catch((error: unknown) => {
    throw explain(error, dir)
  })
  console.log(`${total} outcomes are in ${dir}; manifest.json says how to read them.`)
  return exitCodes.done
})

function explain(error: unknown, dir: string): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  if (error.code === 'EEXIST')
    return new UsageError(`${dir} is not an empty folder: choose another one, as nothing is overwritten`)
  return new UsageError(`${dir} cannot be written to (${String(error.code)})`)
}
