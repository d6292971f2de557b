import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { benchDir, build, makeRunDir } from './build.ts'
import { createAutocannon } from './load/autocannon.ts'
import { measureDrawCost } from './draw-cost.ts'
import type { Client } from './load/load.ts'
import { hasWrk, wrk } from './load/wrk.ts'
import { measure } from './measure.ts'
import type { MeasureContext, Measurement } from './measure.ts'
import { isOpening } from './operations.ts'
import { parseOptions, usage } from './options.ts'
import type { BenchOptions } from './options.ts'
import { renderLine, renderReport } from './report.ts'
import { createTemplate, dropDatabase } from './seed.ts'
import { startServers } from './servers.ts'
import type { Servers } from './servers.ts'
import { services } from './services.ts'

/** More requests a second than any service will answer on a machine that this is run on. */
const requestsPerSecondMax = 25_000

/** Measures everything that the options name. */
async function measureAll(
  options: BenchOptions,
  given: Pick<MeasureContext, 'servers' | 'client' | 'runDir' | 'buildDir'>,
): Promise<Measurement[]> {
  const { servers } = given
  const hashSecret = randomBytes(32).toString('hex')
  const measurements: Measurement[] = []
  for (const operation of options.operations) {
    const count = requestsPerSecondMax * (options.seconds + options.warmUpSeconds)
    console.log(`${operation}: preparing ${count} requests`)
    const template = await createTemplate(servers, operation, count, hashSecret)
    const context = { ...given, template, options, hashSecret, onProgress: console.log }
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

async function chooseClient({ client }: BenchOptions, buildDir: string): Promise<Client> {
  const name = client ?? ((await hasWrk()) ? 'wrk' : 'autocannon')
  return name === 'wrk' ? wrk : createAutocannon(join(buildDir, 'bench/load/autocannon-main.js'))
}

async function writeResults(results: object): Promise<string> {
  const at = new Date().toISOString()
  const file = join(benchDir, `${at.replaceAll(':', '-')}.json`)
  const machine = { cpus: cpus().length, model: cpus()[0]?.model, node: process.version }
  await writeFile(file, `${JSON.stringify({ at, machine, ...results }, null, 2)}\n`)
  return file
}

async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2))
  const runDir = await makeRunDir()
  let servers: Servers | undefined
  let cleaning: Promise<void> | undefined
  const stopAndRemove = async () => {
    await servers?.stop()
    await rm(runDir, { recursive: true, force: true })
  }
  // Once: a signal and the error that it causes elsewhere both end up here.
  const cleanUp = () => (cleaning ??= stopAndRemove())
  // The services' processes stop when this one exits (local/child.ts).
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void cleanUp().finally(() => process.exit(130)))
  }
  try {
    console.log('compiling')
    const buildDir = await build(runDir)
    const client = await chooseClient(options, buildDir)
    const machine = `${cpus().length} CPUs; Node ${process.version}`
    console.log(`client: ${client.name}; ${options.seconds} s each; ${machine}`)
    const drawCost = options.operations.some(isOpening) ? measureDrawCost() : undefined
    servers = await startServers(runDir)
    const measurements = await measureAll(options, { servers, client, runDir, buildDir })
    const file = await writeResults({ client: client.name, options, measurements, drawCost })
    console.log(`\n${renderReport(measurements, drawCost)}\n\nwritten to ${file}`)
    if (measurements.some((measurement) => measurement.problems.length > 0)) {
      console.error('The run is invalid: see WRONG above.')
      process.exitCode = 1
    }
  } finally {
    await cleanUp()
  }
}

if (process.argv.includes('--help')) console.log(usage)
else {
  try {
    await main()
  } catch (error) {
    console.error(`The benchmark failed: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  }
}
