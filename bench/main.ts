import { randomBytes } from 'node:crypto'
import { cpus } from 'node:os'
import { runMain } from '../core/platform/main-program.ts'
import { measureDrawCost } from './draw-cost.ts'
import { measure } from './measure.ts'
import type { Measurement } from './measure.ts'
import { isOpening } from './operations.ts'
import { parseOptions, requestsPerSecondMax, usage } from './options.ts'
import type { BenchOptions } from './options.ts'
import { findBusy, nameOf, renderLine, renderReport } from './report.ts'
import { createTemplate, dropDatabase } from './seed.ts'
import { services } from './services.ts'
import { describeQuiet, exitCodeOf, judge, renderVerdict } from './verdict.ts'
import { withRun, writeResults } from './with-run.ts'
import type { Run } from './with-run.ts'

/** Measures everything that the options name. */
async function measureAll(options: BenchOptions, run: Run): Promise<Measurement[]> {
  const { servers } = run
  const hashSecret = randomBytes(32).toString('hex')
  const measurements: Measurement[] = []
  for (const operation of options.operations) {
    const count = requestsPerSecondMax * (options.seconds + options.warmUpSeconds)
    console.log(`${operation}: preparing ${count} requests`)
    const template = await createTemplate(servers, operation, count, hashSecret)
    const context = { ...run, template, options, hashSecret, onProgress: console.log }
    for (let round = 1; round <= options.rounds; round++) {
      for (const connections of options.connections) {
        // One after the other: never two services loaded at the same time. They rotate with each round.
        for (const service of rotate(options.services, round - 1)) {
          if (services[service].operations?.includes(operation) === false) continue
          const measurement = await measure(context, { service, connections, round })
          measurements.push(measurement)
          console.log(renderLine(measurement))
        }
      }
    }
    await dropDatabase(servers, template.name)
  }
  return measurements
}

function rotate<Item>(items: readonly Item[], by: number): Item[] {
  const first = by % items.length
  return [...items.slice(first), ...items.slice(0, first)]
}

const help = {
  usage,
  problemFound: 'the run is invalid: its output says why',
  failed: 'it could not be done, or the machine was too busy to judge: the output says which',
}

await runMain(help, async (args) => {
  const options = parseOptions(args)
  return withRun(options, async (run) => {
    console.log(`${options.seconds} s each`)
    const drawCost = options.operations.some(isOpening) ? measureDrawCost() : undefined
    const measurements = await measureAll(options, run)
    const file = await writeResults('', { client: run.client.name, options, measurements, drawCost })
    console.log(`\n${renderReport(measurements, drawCost)}\n\nwritten to ${file}`)
    const wrong = measurements.flatMap((m) => m.problems.map((problem) => `${nameOf(m)}: ${problem}`))
    const verdict = judge({ wrong, findings: findBusy(measurements) }, cpus().length)
    console.log(
      `\n${renderVerdict(verdict, describeQuiet(measurements.map((m) => m.cpuMicroseconds.others)))}`,
    )
    return exitCodeOf(verdict)
  })
})

// Without options that choose, also what comes after the answers.
if (process.argv.slice(2).every((argument) => argument === '--quick')) await import('./worker/main.ts')
