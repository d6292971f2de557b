import { randomBytes } from 'node:crypto'
import { exitCodes, runMain } from '../core/platform/main-program.ts'
import { measureDrawCost } from './draw-cost.ts'
import { measure } from './measure.ts'
import type { Measurement } from './measure.ts'
import { isOpening } from './operations.ts'
import { parseOptions, usage } from './options.ts'
import type { BenchOptions } from './options.ts'
import { renderLine, renderReport } from './report.ts'
import { createTemplate, dropDatabase } from './seed.ts'
import { services } from './services.ts'
import { withRun, writeResults } from './with-run.ts'
import type { Run } from './with-run.ts'

/** More requests a second than any service will answer on a machine that this is run on. */
const requestsPerSecondMax = 25_000

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
        // One after the other: never two services loaded at the same time.
        for (const service of options.services) {
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

await runMain({ usage, problemFound: 'the run is invalid: its output says why' }, async (args) => {
  const options = parseOptions(args)
  return withRun(options, async (run) => {
    console.log(`${options.seconds} s each`)
    const drawCost = options.operations.some(isOpening) ? measureDrawCost() : undefined
    const measurements = await measureAll(options, run)
    const file = await writeResults('', { client: run.client.name, options, measurements, drawCost })
    console.log(`\n${renderReport(measurements, drawCost)}\n\nwritten to ${file}`)
    if (measurements.some((measurement) => measurement.problems.length > 0)) {
      console.error('The run is invalid: see WRONG above.')
      return exitCodes.problemFound
    }
    return exitCodes.done
  })
})

// Without options that choose, also what comes after the answers.
if (process.argv.slice(2).every((argument) => argument === '--quick')) await import('./worker/main.ts')
