import { randomBytes } from 'node:crypto'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { runMain, UsageError } from '../../core/platform/main-program.ts'
import { singleRow } from '../../core/platform/single-row.ts'
import { cpuPerUnit, readCpuUse, watchCores } from '../cpu-use.ts'
import { runOverload } from '../load/overload.ts'
import type { OverloadLoad } from '../load/overload.ts'
import { operations } from '../operations.ts'
import { warmUpSeconds } from '../options.ts'
import { startService } from '../run-service.ts'
import type { RunningService } from '../run-service.ts'
import { cloneTemplate, createTemplate, dropDatabase } from '../seed.ts'
import { withSession } from '../servers.ts'
import type { Servers } from '../servers.ts'
import { services } from '../services.ts'
import { exitCodeOf, judge, renderVerdict } from '../verdict.ts'
import { withRun, writeResults } from '../with-run.ts'
import type { Run } from '../with-run.ts'
import { findTooLittle, renderRounds } from './report.ts'
import type { Measurement, Overload, Round } from './report.ts'

const usage = `npm run bench:overload -- [options]
  --seconds N      of each load; the first one of an overload is the most expensive (30)
  --rounds N       of two overloads, with peaks before and after each; the median counts (3)
  --factor N       how many times the peak is offered (5)
  --connections N  that find the peak (256)
  --waiting N      connections of the overload; more than the backlog of 1024, or nothing is ever refused (8000)
  --cpu-prof       write CPU profiles of the service to .local/bench/profiles`

const databaseName = 'overloaded'
/** The API counts as idle below this part of a core; a minute is much longer than it needs. */
const idleCores = 0.05
const lookEveryMs = 500
const looksMax = 120

interface Options {
  seconds: number
  rounds: number
  factor: number
  connections: number
  waiting: number
  isProfiled: boolean
}

function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: 'string', default: '30' },
      rounds: { type: 'string', default: '3' },
      factor: { type: 'string', default: '5' },
      connections: { type: 'string', default: '256' },
      waiting: { type: 'string', default: '8000' },
      'cpu-prof': { type: 'boolean', default: false },
    },
  })
  const read = (name: Exclude<keyof Options, 'isProfiled'>, max: number): number => {
    const number = Number(values[name])
    if (!(number >= 1 && number <= max)) throw new UsageError(`--${name} must be a number from 1 to ${max}`)
    return number
  }
  return {
    seconds: read('seconds', 600),
    rounds: Math.floor(read('rounds', 100)),
    factor: read('factor', 100),
    connections: read('connections', 10_000),
    waiting: read('waiting', 9_900), // MAX_CONNECTIONS is 10,000
    isProfiled: values['cpu-prof'],
  }
}

/**
 * Finds the peak and offers a multiple of it, in turns. Openings: each request is a new player's. Afterwards counts the rows
 * of all accepted requests.
 */
async function measureOverload(run: Run, options: Options): Promise<{ rounds: Round[]; wrong: string[] }> {
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
    let first = 1
    const counts = { accepted: 0, sent: 0, failed: 0 }
    const drive = async (load: Omit<OverloadLoad, 'first'>): Promise<Measurement> => {
      const before = readCpuUse(run.servers, service)
      const result = await runOverload(program, { ...load, first })
      const after = readCpuUse(run.servers, service)
      first = result.next
      counts.accepted += result.accepted
      counts.sent += result.sent
      counts.failed += result.failed
      await untilIdle(run.servers, service)
      return { ...result, cpuMicroseconds: cpuPerUnit(before, after, result.accepted) }
    }
    await drive({ ...base, seconds: warmUpSeconds })
    let peak = await drive(base)
    const overload = async (waitsAsTold: boolean): Promise<Overload> => {
      const before = peak
      const rate = options.factor * (before.accepted / before.seconds)
      const over = await drive({ ...base, connections: options.waiting, rate, waitsAsTold })
      peak = await drive(base)
      return { before, over, after: peak }
    }
    const rounds: Round[] = []
    for (let round = 1; round <= options.rounds; round++) {
      rounds.push({ eager: await overload(false), patient: await overload(true) })
    }
    await service.assertAlive()
    return { rounds, wrong: await findLost(run.servers, databaseUrl, counts) }
  } finally {
    await service.stop()
    await dropDatabase(run.servers, databaseName)
    await dropDatabase(run.servers, template.name)
  }
}

/** A request that was sent and refused has no row, and one that its caller gave up may have one. */
async function findLost(
  servers: Servers,
  databaseUrl: string,
  { accepted, sent, failed }: { accepted: number; sent: number; failed: number },
): Promise<string[]> {
  const { rows } = await withSession(servers, databaseUrl, (session) =>
    session.query<{ count: number }>(`SELECT count(*)::int AS count FROM opening WHERE casino_id = 'bench'`),
  )
  const { count } = singleRow(rows)
  return [
    ...(failed === 0
      ? []
      : [`${failed} requests were answered with neither 200 nor 503, or lost their connection`]),
    ...(count >= accepted && count <= sent
      ? []
      : [`${count} openings are recorded, of ${accepted} accepted and ${sent} sent ones`]),
  ]
}

/**
 * Until the API has handled what the last load has left: thousands of requests on connections that it does not read for a
 * while, whose callers are gone.
 */
async function untilIdle(servers: Servers, service: RunningService): Promise<void> {
  for (let look = 0; look < looksMax; look++) {
    const coresSince = watchCores(servers, service)
    await delay(lookEveryMs)
    const { api } = coresSince()
    if (api === undefined || api < idleCores) return
  }
  throw new Error('the API is still busy long after the load')
}

const help = {
  usage,
  problemFound: 'a bound is exceeded or the run is invalid: its output says which',
  failed: 'it could not be done, or the machine was too busy to judge: the output says which',
}

await runMain(help, async (args) => {
  const options = parseOptions(args)
  return withRun({ client: 'autocannon' }, async (run) => {
    const { rounds, wrong } = await measureOverload(run, options)
    const file = await writeResults('overload-', { options, rounds })
    console.log(`\n${renderRounds(rounds)}\n\nwritten to ${file}`)
    const verdict = judge({ wrong, findings: findTooLittle(rounds) }, cpus().length)
    console.log(`\n${renderVerdict(verdict, 'The bound was kept, and every accepted opening is recorded.')}`)
    return exitCodeOf(verdict)
  })
})
