import { parseArgs } from 'node:util'
import { reportBox } from '../core/box/box-report.ts'
import { findBoxWarnings } from '../core/box/box-warnings.ts'
import { testFit } from '../core/box/goodness-of-fit.ts'
import { createSimulation } from '../core/box/simulate-draws.ts'
import { systemClock } from '../core/platform/clock.ts'
import { chooseVariables } from '../core/platform/config.ts'
import { exitCodes, localOption, runMain, UsageError } from '../core/platform/main-program.ts'
import { loadPublishedBox } from './simulate/load-published-box.ts'
import { readBoxFile } from './simulate/read-box-file.ts'
import { renderCounts, renderReport } from './simulate/render.ts'
import type { Subject } from './simulate/subject.ts'
import { parseCount, parseSeed } from './terminal/parse-values.ts'
import { withProgress } from './terminal/progress.ts'

const usage = `npm run simulate -- --file BOX.json [options]
npm run simulate -- --casino ID --box ID [--local] [options]

Tells what a box means for the casino (odds, expected cost, when stocks are used up, warnings), and draws from it with
the code that draws openings, beside what is to be expected. Nothing is changed.

  --file BOX.json        the body of PUT …/boxes/{box_id}, and, to know the costs, "items": a list of
                         {"item_id", "name", "cashback": {"amount_minor", "currency"}}
  --casino ID --box ID   the current version in the database in DATABASE_URL, with what is left of its stock
  --local                the database of the service that npm start runs here, instead of DATABASE_URL
  --draws 1000000        how often to draw (1 to 1000000000)
  --seed HEX             the 32 bytes of the server seed to draw with (new ones); the same gives the same counts
  --openings-per-day N   to tell dates`

/** One in a million: a daily simulation gives no false alarm within a year. */
const rejectBelow = 1e-6

interface Options {
  load: () => Promise<Subject>
  draws: number
  seed: Buffer
  openingsPerDay: number | null
}

function parseOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      file: { type: 'string' },
      casino: { type: 'string' },
      box: { type: 'string' },
      draws: { type: 'string' },
      seed: { type: 'string' },
      'openings-per-day': { type: 'string' },
      ...localOption,
    },
  })
  const perDay = values['openings-per-day']
  const openingsPerDay = { min: 1, max: 1_000_000_000, default: 0 }
  return {
    load: chooseSubject(values),
    draws: parseCount('draws', values.draws, { min: 1, max: 1_000_000_000, default: 1_000_000 }),
    seed: parseSeed(values.seed),
    openingsPerDay: perDay === undefined ? null : parseCount('openings-per-day', perDay, openingsPerDay),
  }
}

function chooseSubject(values: {
  file?: string | undefined
  casino?: string | undefined
  box?: string | undefined
  local: boolean
}): () => Promise<Subject> {
  const { file, casino, box, local } = values
  if (file !== undefined && casino === undefined && box === undefined && !local)
    return () => readBoxFile(file)
  if (file === undefined && casino !== undefined && box !== undefined) {
    return () => loadPublishedBox(casino, box, chooseVariables({ local }))
  }
  throw new UsageError('either --file, or --casino and --box (with --local, if you like), must say which box')
}

const help = {
  usage,
  problemFound: 'the counts cannot be of these weights (a p-value below one in a million)',
}

await runMain(help, async (args) => {
  const { load, draws, seed, openingsPerDay } = parseOptions(args)
  const subject = await load()
  const now = systemClock.now()
  const pace = openingsPerDay === null ? undefined : { openingsPerDay, now }
  const report = reportBox(subject.box, (itemId) => subject.items.get(itemId)?.cashback, pace)
  console.log(`${subject.title}\nodds table ${subject.oddsHash}\n`)
  console.log(`${renderReport(subject, report, findBoxWarnings(subject.box, now, report.runOuts))}\n`)

  const weights = subject.box.entries.map(({ weight }) => BigInt(weight))
  const simulation = createSimulation(
    weights.map((weight) => ({ weight })),
    seed,
  )
  await withProgress(draws, (count) => {
    simulation.run(count)
  })
  const fit = testFit(simulation.counts, weights)
  console.log(renderCounts(subject, { counts: simulation.counts, fit, seed }))
  if (fit === null || fit.pValue >= rejectBelow) return exitCodes.done
  console.error('These counts cannot be of these weights: the draw is broken.')
  return exitCodes.problemFound
})
