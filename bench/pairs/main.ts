import { randomBytes } from 'node:crypto'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import type pg from 'pg'
import { runMain } from '../../core/platform/main-program.ts'
import { findRedisServer, startRedis } from '../../local/redis.ts'
import { openRedisQueue } from '../bench-queue.ts'
import { buildCheckout, projectDir } from '../build.ts'
import { cpuPerUnit, readCpuUse, watchCores } from '../cpu-use.ts'
import { operations } from '../operations.ts'
import { warmUpSeconds } from '../options.ts'
import { openQueueDepth } from '../queue-depth.ts'
import type { QueueDepth } from '../queue-depth.ts'
import { startService } from '../run-service.ts'
import type { RunningService } from '../run-service.ts'
import { cloneTemplate, createTemplate } from '../seed.ts'
import type { Template } from '../seed.ts'
import { withSession } from '../servers.ts'
import type { Servers } from '../servers.ts'
import { services } from '../services.ts'
import { describeQuiet, exitCodeOf, judge, renderVerdict } from '../verdict.ts'
import { findMismatches } from '../verify.ts'
import { withRun, writeResults } from '../with-run.ts'
import type { Run } from '../with-run.ts'
import { parseOptions, usage } from './options.ts'
import type { PairsOptions, Side } from './options.ts'
import { findBusyBursts, renderBursts } from './report.ts'
import type { Burst, Bursts } from './report.ts'

/** Of these services; if one has more, the run is invalid. Fewer prizes leave more memory for those that are used. */
const answersPerSecondMax = 12_000

/** A form of the code that runs, with a database and a Redis of its own. */
interface RunningSide {
  name: string
  service: RunningService
  /** With its own Redis. */
  servers: Servers
  database: pg.Client
  queueDepth: QueueDepth
  isWorking: boolean
  /** Of all its bursts, for the numbers of the next requests and the counts at the end. */
  runs: number
  acknowledged: number
  failed: number
  next: number
}

interface Pairs {
  run: Run
  options: PairsOptions
  template: Template
  hashSecret: string
  /** The programs of other checkouts. */
  buildDirs: ReadonlyMap<string, string>
}

/** Starts the service of a side, runs `work`, and stops the service. */
async function withSide<Result>(
  { run, options, template, hashSecret, buildDirs }: Pairs,
  side: Side,
  work: (running: RunningSide) => Promise<Result>,
): Promise<Result> {
  const binary = findRedisServer()
  if (binary === undefined) throw new Error('the benchmark needs redis-server or valkey-server on the PATH')
  const databaseUrl = await cloneTemplate(run.servers, template, `side_${side.name.replaceAll('-', '_')}`)
  const redis = await startRedis({ binary, dataDir: join(run.runDir, `redis-${side.name}`) })
  const redisClient = new Redis(redis.url, { protocol: 2, maxRetriesPerRequest: null })
  try {
    return await withSession(run.servers, databaseUrl, async (database) => {
      if (side.sql !== undefined) await database.query(side.sql)
      const service = await startService(
        { ...services.ours, name: side.name },
        {
          databaseUrl,
          redisUrl: redis.url,
          workerCount: side.workerCount,
          hashSecret,
          runDir: run.runDir,
          buildDir: buildDirs.get(side.dir) ?? run.buildDir,
          isProfiled: false,
        },
      )
      const operation = operations[options.operation]
      const { jobName } = operation
      const queue = jobName === undefined ? undefined : openRedisQueue(jobName, redisClient)
      try {
        return await work({
          name: side.name,
          service,
          servers: { ...run.servers, redis, redisClient },
          database,
          queueDepth: openQueueDepth(operation, database, queue),
          isWorking: side.workerCount > 0,
          runs: 0,
          acknowledged: 0,
          failed: 0,
          next: 1,
        })
      } finally {
        await queue?.close()
        await service.stop()
      }
    })
  } finally {
    redisClient.disconnect()
    await redis.stop()
  }
}

/** Starts all sides; only one of them has a load at a time. */
async function withSides<Result>(
  pairs: Pairs,
  sides: readonly Side[],
  work: (running: readonly RunningSide[]) => Promise<Result>,
): Promise<Result> {
  const [first, ...others] = sides
  if (first === undefined) return work([])
  return withSide(pairs, first, (running) => withSides(pairs, others, (rest) => work([running, ...rest])))
}

/** A load, and the time until its work is done. */
async function runBurst(
  { run, options, template }: Pairs,
  side: RunningSide,
  seconds: number,
): Promise<Burst> {
  const { connections } = options
  const before = readCpuUse(side.servers, side.service)
  const coresSince = watchCores(side.servers, side.service)
  const result = await run.client.run({
    url: side.service.url,
    apiKey: template.apiKey,
    operation: operations[options.operation],
    connections,
    seconds,
    first: side.next,
    last: template.count,
  })
  await side.service.assertAlive()
  if (side.isWorking) {
    const { unfinished } = await side.queueDepth.drain(() => undefined)
    if (unfinished > 0) throw new Error(`the worker of ${side.name} does not finish its work`)
  }
  const after = readCpuUse(side.servers, side.service)
  side.runs++
  side.acknowledged += result.acknowledged
  side.failed += result.failed
  side.next += result.acknowledged + connections + 1
  return {
    requestsPerSecond: result.acknowledged / result.seconds,
    p99Ms: result.p99Ms,
    cpuMicroseconds: cpuPerUnit(before, after, result.acknowledged),
    othersCores: coresSince().others,
  }
}

async function runPairs(pairs: Pairs, sides: readonly RunningSide[]): Promise<Bursts[]> {
  const { options } = pairs
  const all = sides.map(({ name }): Bursts => ({ name, bursts: [] }))
  for (const side of sides) {
    await runBurst(pairs, side, warmUpSeconds)
    await side.database.query('ANALYZE')
  }
  for (let pair = 0; pair < options.pairs; pair++) {
    const turns = [...sides.entries()]
    // Either is first: a burst leaves work for the kernel, which delays the next one.
    for (const [index, side] of pair % 2 === 0 ? turns : turns.reverse()) {
      all[index]?.bursts.push(await runBurst(pairs, side, options.seconds))
    }
    console.log(`pair ${pair + 1} of ${options.pairs}`)
  }
  return all
}

/** Rows and jobs of a side that are lost or doubled, afterwards. */
async function findProblems({ options }: Pairs, side: RunningSide): Promise<string[]> {
  const refused = side.failed === 0 ? [] : [`${side.failed} requests were not answered with 2xx`]
  if (!side.isWorking) return refused
  const mismatches = await findMismatches(operations[options.operation], side.database, side.queueDepth, {
    count: side.acknowledged,
    underWayMax: side.runs * options.connections,
  })
  return [...refused, ...mismatches].map((problem) => `${side.name}: ${problem}`)
}

const help = {
  usage,
  problemFound: 'the run is invalid: its output says why',
  failed: 'it could not be done, or the machine was too busy to judge: the output says which',
}

await runMain(help, async (args) => {
  const options = parseOptions(args)
  return withRun({ client: undefined, postgres: options.postgres }, async (run) => {
    const buildDirs = new Map<string, string>()
    for (const { dir } of options.sides) {
      if (dir !== projectDir && !buildDirs.has(dir)) buildDirs.set(dir, await buildCheckout(dir))
    }
    const hashSecret = randomBytes(32).toString('hex')
    const count = answersPerSecondMax * (options.seconds * options.pairs + warmUpSeconds)
    console.log(`preparing ${count} requests`)
    const template = await createTemplate(run.servers, options.operation, count, hashSecret)
    const pairs = { run, options, template, hashSecret, buildDirs }
    const { all, wrong } = await withSides(pairs, options.sides, async (sides) => {
      const bursts = await runPairs(pairs, sides)
      const problems: string[] = []
      for (const side of sides) problems.push(...(await findProblems(pairs, side)))
      return { all: bursts, wrong: problems }
    })
    const file = await writeResults('pairs-', { client: run.client.name, options, all })
    console.log(`\n${renderBursts(all)}\n\nwritten to ${file}`)
    const verdict = judge({ wrong, findings: findBusyBursts(all) }, cpus().length)
    console.log(
      `\n${renderVerdict(verdict, describeQuiet(all.flatMap(({ bursts }) => bursts.map(({ othersCores }) => othersCores))))}`,
    )
    return exitCodeOf(verdict)
  })
})
