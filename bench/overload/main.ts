import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { exitCodes, runMain, UsageError } from '../../core/platform/main-program.ts'
import { cpuPerUnit, readCpuUse } from '../cpu-use.ts'
import type { CpuUse } from '../cpu-use.ts'
import { runOverload } from '../load/overload.ts'
import type { OverloadLoad, OverloadResult } from '../load/overload.ts'
import { operations } from '../operations.ts'
import { warmUpSeconds } from '../options.ts'
import { startService } from '../run-service.ts'
import { cloneTemplate, createTemplate, dropDatabase } from '../seed.ts'
import { services } from '../services.ts'
import { withRun, writeResults } from '../with-run.ts'
import type { Run } from '../with-run.ts'

const usage = `npm run bench:overload -- [options]
  --seconds N      of each load (10)
  --factor N       how many times the peak is offered (5)
  --connections N  that find the peak (256)
  --waiting N      connections of the overload; more than the backlog of 1024, or nothing is ever refused (8000)
  --cpu-prof       write CPU profiles of the service to .local/bench/profiles`

const databaseName = 'overloaded'

interface Options {
  seconds: number
  factor: number
  connections: number
  waiting: number
  isProfiled: boolean
}

function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: 'string', default: '10' },
      factor: { type: 'string', default: '5' },
      connections: { type: 'string', default: '256' },
      waiting: { type: 'string', default: '8000' },
      'cpu-prof': { type: 'boolean', default: false },
    },
  })
  const read = (name: Exclude<keyof Options, 'isProfiled'>, max: number): number => {
    const number = Number(values[name])
    if (!(number > 0 && number <= max)) throw new UsageError(`--${name} must be a number up to ${max}`)
    return number
  }
  return {
    seconds: read('seconds', 600),
    factor: read('factor', 100),
    connections: read('connections', 10_000),
    waiting: read('waiting', 9_900), // MAX_CONNECTIONS is 10,000
    isProfiled: values['cpu-prof'],
  }
}

/** The result of a load, and the CPU time per accepted request, including the cost of refusals. */
type Measurement = OverloadResult & { cpuMicroseconds: CpuUse }

interface Measured {
  peak: Measurement
  /** With callers that send again immediately after any answer. */
  eager: Measurement
  /** With callers that wait for as long as a 503 tells them. */
  patient: Measurement
}

/** Finds the peak, then offers a multiple of it. Openings: each request is a new player's. */
async function measureOverload(run: Run, options: Options): Promise<Measured> {
  const hashSecret = randomBytes(32).toString('hex')
  const template = await createTemplate(run.servers, 'box', 1, hashSecret)
  const databaseUrl = await cloneTemplate(run.servers, template, databaseName)
  await run.servers.redisClient.flushall()
  const service = await startService(services.ours, {
    databaseUrl,
    redisUrl: run.servers.redis.url,
    workerCount: 1,
    hashSecret,
    runDir: run.runDir,
    buildDir: run.buildDir,
    isProfiled: options.isProfiled,
  })
  try {
    const program = join(run.buildDir, 'bench/load/overload-main.js')
    const { connections, seconds } = options
    const base = {
      url: service.url,
      apiKey: template.apiKey,
      operation: operations.box,
      connections,
      seconds,
    }
    const drive = async (load: OverloadLoad): Promise<Measurement> => {
      const before = readCpuUse(run.servers, service)
      const result = await runOverload(program, load)
      const after = readCpuUse(run.servers, service)
      return { ...result, cpuMicroseconds: cpuPerUnit(before, after, result.accepted) }
    }
    const warm = await drive({ ...base, seconds: warmUpSeconds, first: 1 })
    const peak = await drive({ ...base, first: warm.next })
    const rate = options.factor * (peak.accepted / peak.seconds)
    const over = { ...base, connections: options.waiting, rate }
    const eager = await drive({ ...over, first: peak.next })
    const patient = await drive({ ...over, waitsAsTold: true, first: eager.next })
    await service.assertAlive()
    return { peak, eager, patient }
  } finally {
    await service.stop()
    await dropDatabase(run.servers, databaseName)
    await dropDatabase(run.servers, template.name)
  }
}

function render({ peak, eager, patient }: Measured): string {
  const perSecond = (count: number, { seconds }: OverloadResult) => Math.round(count / seconds)
  const micro = (seconds: CpuUse[keyof CpuUse]) => (seconds === undefined ? '?' : seconds.toFixed(0))
  const line = (name: string, result: Measurement) =>
    [
      `| ${name} | ${perSecond(result.sent + result.unsent, result)} | ${perSecond(result.sent, result)}`,
      `${perSecond(result.accepted, result)} | ${result.acceptedP50Ms.toFixed(1)} | ${result.acceptedP99Ms.toFixed(1)}`,
      `${perSecond(result.refused, result)} | ${result.refusedP50Ms.toFixed(1)} | ${result.refusedP99Ms.toFixed(1)}`,
      String(result.failed),
      ...(['api', 'postgres', 'client', 'others'] as const).map((who) => micro(result.cpuMicroseconds[who])),
    ].join(' | ') + ' |'
  const kept = (over: OverloadResult) => {
    const share = over.accepted / over.seconds / (peak.accepted / peak.seconds)
    return `${(share * 100).toFixed(0)} %`
  }
  return [
    '| load | offered/s | sent/s | accepted/s | p50 ms | p99 ms | refused/s | p50 ms | p99 ms | failed | CPU µs of api | postgres | client | others |',
    `|${' --- |'.repeat(14)}`,
    line('peak', peak),
    line('overload, eager callers', eager),
    line('overload, callers who wait', patient),
    '',
    `accepted under overload, of the peak: ${kept(eager)} and ${kept(patient)}`,
  ].join('\n')
}

await runMain({ usage, problemFound: 'the run is invalid: its output says why' }, async (args) => {
  const options = parseOptions(args)
  return withRun({ client: 'autocannon' }, async (run) => {
    const measured = await measureOverload(run, options)
    const file = await writeResults('overload-', { options, ...measured })
    console.log(`\n${render(measured)}\n\nwritten to ${file}`)
    const failed = measured.peak.failed + measured.eager.failed + measured.patient.failed
    if (failed > 0) {
      console.error(
        `The run is invalid: ${failed} requests were answered with neither 200 nor 503, or lost their connection.`,
      )
      return exitCodes.problemFound
    }
    return exitCodes.done
  })
})
