import { parseArgs } from 'node:util'
import { exitCodes, runMain } from '../../core/platform/main-program.ts'
import { parseCount, parseSeed } from '../terminal/parse-values.ts'
import { withProgress } from '../terminal/progress.ts'
import { renderPValue, renderTable } from '../terminal/table.ts'
import { createProductionGenerator, createSuite, drawsMin } from './suite.ts'

const usage = `npm run rng:test -- [options]

Tests the numbers and the draws of the production code statistically. docs/contribute/draws.md says how to read the result.

  --draws 10000000   how many openings to draw (${drawsMin} to 1000000000)
  --seed HEX         the 32 bytes of the server seed (new ones); the same gives the same result`

const help = { usage, done: 'nothing is rejected at 99 %', problemFound: 'something is' }

await runMain(help, async (args) => {
  const { values } = parseArgs({ args, options: { draws: { type: 'string' }, seed: { type: 'string' } } })
  const draws = parseCount('draws', values.draws, { min: drawsMin, max: 1_000_000_000, default: 10_000_000 })
  const seed = parseSeed(values.seed)
  const suite = createSuite(createProductionGenerator(seed))
  await withProgress(draws, (count) => {
    suite.run(count)
  })
  const verdicts = suite.verdicts()
  const rows = verdicts.map((verdict) => [
    verdict.name,
    String(verdict.count),
    verdict.statistic,
    renderPValue(verdict.pValue),
    renderPValue(verdict.correctedPValue),
    verdict.isRejected ? 'REJECTED' : 'ok',
  ])
  console.log(`${draws} draws with the seed ${seed.toString('hex')}\n`)
  console.log(renderTable(['test', 'observations', 'statistic', 'p', 'corrected p', 'verdict'], rows))
  const rejected = verdicts.filter(({ isRejected }) => isRejected).length
  console.log(`\n${rejected} of ${verdicts.length} tests rejected at 99 % confidence (Holm)`)
  return rejected === 0 ? exitCodes.done : exitCodes.problemFound
})
