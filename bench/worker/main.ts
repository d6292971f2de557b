import { randomBytes } from 'node:crypto'
import { cpus, loadavg } from 'node:os'
import { runMain } from '../../core/platform/main-program.ts'
import { requestsPerSecondMax } from '../options.ts'
import { createTemplate, dropDatabase } from '../seed.ts'
import { describeQuiet, exitCodeOf, judge, renderVerdict } from '../verdict.ts'
import type { Finding } from '../verdict.ts'
import { withRun, writeResults } from '../with-run.ts'
import type { Run } from '../with-run.ts'
import { measureLatency } from './latency.ts'
import type { Latency } from './latency.ts'
import { parseOptions, usage } from './options.ts'
import type { WorkerBenchOptions } from './options.ts'
import { nameOf, renderLatencyLine, renderReport, renderThroughputLine } from './report.ts'
import type { ScenarioContext, Subject } from './scenario.ts'
import { measureThroughput } from './throughput.ts'
import type { Throughput } from './throughput.ts'

interface Results {
  throughputs: Throughput[]
  latencies: Latency[]
}

async function measureAll(options: WorkerBenchOptions, run: Run): Promise<Results> {
  const results: Results = { throughputs: [], latencies: [] }
  const hashSecret = randomBytes(32).toString('hex')
  for (const operation of options.operations) {
    const count = requestsPerSecondMax * (options.seconds + options.warmUpSeconds)
    console.log(`${operation}: preparing ${count} requests`)
    const template = await createTemplate(run.servers, operation, count, hashSecret)
    const context = { ...run, template, options, hashSecret }
    for (let round = 1; round <= options.rounds; round++) {
      for (const queue of options.queues) {
        if (options.parts.includes('throughput')) {
          for (const workers of options.workers)
            await compareThroughput(context, { operation, queue, workers, round }, results)
        }
        if (options.parts.includes('latency') && operation === options.operations[0]) {
          for (const rate of options.rates)
            await compareLatency(context, { operation, queue, workers: 1, round }, rate, results)
        }
      }
    }
    await dropDatabase(run.servers, template.name)
  }
  return results
}

/** The services take turns, one after the other, under the same conditions. */
async function compareThroughput(
  context: ScenarioContext,
  subject: Omit<Subject, 'service'>,
  { throughputs }: Results,
): Promise<void> {
  for (const service of context.options.services) {
    const throughput = await measureThroughput(context, { ...subject, service })
    throughputs.push(throughput)
    console.log(renderThroughputLine(throughput))
  }
}

async function compareLatency(
  context: ScenarioContext,
  subject: Omit<Subject, 'service'>,
  rate: number,
  { latencies }: Results,
): Promise<void> {
  for (const service of context.options.services) {
    const latency = await measureLatency(context, { ...subject, service }, rate)
    latencies.push(latency)
    console.log(renderLatencyLine(latency))
  }
}

/** The load of other programs while jobs were counted; there are no bounds. */
function findBusy({ throughputs }: Results): Finding[] {
  return throughputs.map((one) => ({
    text: nameOf(one),
    isExceeded: false,
    othersCores: one.othersCores ?? 0,
  }))
}

const help = {
  usage,
  problemFound: 'the run is invalid: its output says why',
  failed: 'it could not be done, or the machine was too busy to judge: the output says which',
}

await runMain(help, async (args) => {
  const options = parseOptions(args)
  return withRun(options, async (run) => {
    console.log(
      `load of the machine before: ${loadavg()
        .map((load) => load.toFixed(1))
        .join(' ')}`,
    )
    const results = await measureAll(options, run)
    const file = await writeResults('worker-', { client: run.client.name, options, ...results })
    console.log(`\n${renderReport(results)}\n\nwritten to ${file}`)
    const wrong = [...results.throughputs, ...results.latencies].flatMap((one) =>
      one.problems.map((problem) => `${nameOf(one)}: ${problem}`),
    )
    const verdict = judge({ wrong, findings: findBusy(results) }, cpus().length)
    console.log(
      `\n${renderVerdict(verdict, describeQuiet(results.throughputs.map(({ othersCores }) => othersCores)))}`,
    )
    return exitCodeOf(verdict)
  })
})
