import { randomBytes } from 'node:crypto'
import { exitCodes, runMain } from '../../core/platform/main-program.ts'
import { operations } from '../operations.ts'
import { adminKeyOf, startService, variablesOf } from '../run-service.ts'
import type { RunningService, ServiceEnvironment } from '../run-service.ts'
import { cloneTemplate, createTemplate, dropDatabase, usualHistorySize } from '../seed.ts'
import type { Template } from '../seed.ts'
import { services } from '../services.ts'
import { withRun, writeResults } from '../with-run.ts'
import type { Run } from '../with-run.ts'
import { createNumbers, measureAlone, measureBeside } from './beside.ts'
import type { Measured } from './beside.ts'
import type { Act } from './acts.ts'
import { warmUpSeconds } from '../options.ts'
import { parseOptions, usage } from './options.ts'
import type { NeighboursOptions } from './options.ts'
import { findProblems, findSlow, renderCores, renderMeasured, renderTimed } from './report.ts'
import { seedOpenOrders, timeLoops, timeReads } from './rows.ts'
import type { Timed } from './rows.ts'
import { startSilentNameServer } from './silent-name-server.ts'
import { openWorld } from './world.ts'
import type { WorldOptions } from './world.ts'

const databaseName = 'neighbours'
/** As production runs it. */
const apart = { ...services.ours, manage: 'api/main-manage.js' }

interface Started {
  service: RunningService
  environment: ServiceEnvironment
  world: WorldOptions
}

/** A database with so many rows, that is copied for each measurement. */
interface Rows {
  count: number
  hashSecret: string
  template: Template
}

async function withRows<Result>(
  run: Run,
  count: number,
  work: (rows: Rows) => Promise<Result>,
): Promise<Result> {
  console.log(`seeding ${count} rows`)
  const hashSecret = randomBytes(32).toString('hex')
  const template = await createTemplate(run.servers, 'box', 1, hashSecret, count)
  try {
    if (count > usualHistorySize) await seedOpenOrders(run.servers.urlOf(template.name), count)
    return await work({ count, hashSecret, template })
  } finally {
    await dropDatabase(run.servers, template.name)
  }
}

/** Runs `work` with a new service, so that one act does not affect the next. */
async function withService<Result>(
  run: Run,
  { hashSecret, template }: Rows,
  work: (started: Started) => Promise<Result>,
): Promise<Result> {
  const databaseUrl = await cloneTemplate(run.servers, template, databaseName)
  await run.servers.redisClient.flushall()
  const names = await startSilentNameServer()
  const environment = {
    databaseUrl,
    redisUrl: run.servers.redis.url,
    workerCount: 1,
    hashSecret,
    runDir: run.runDir,
    buildDir: run.buildDir,
    isProfiled: false,
    nameServer: names.server,
  }
  const service = await startService(apart, environment)
  try {
    const world = {
      playUrl: service.url,
      manageUrl: service.manageUrl,
      adminKey: adminKeyOf(hashSecret),
      databaseUrl,
    }
    return await work({ service, environment, world })
  } finally {
    await service.stop()
    await names.stop()
    await dropDatabase(run.servers, databaseName)
  }
}

/** The other casino's openings alone, and then beside the act, in the same processes. */
function measureAct(run: Run, rows: Rows, act: Act, { rate, seconds }: NeighboursOptions): Promise<Measured> {
  console.log(`beside ${act.name}`)
  return withService(run, rows, async ({ service, world }) => {
    const openings = {
      url: service.url,
      apiKey: rows.template.apiKey,
      operation: operations.box,
      rate,
      seconds,
      service,
    }
    const take = createNumbers()
    await measureAlone(run, { ...openings, seconds: warmUpSeconds }, take)
    const alone = await measureAlone(run, openings, take)
    const beside = await measureBeside(run, { act, openings, take, world })
    await service.assertAlive()
    return { alone, beside }
  })
}

async function timeAll({ environment, world: options }: Started): Promise<Timed[]> {
  const world = await openWorld(options)
  try {
    const loops = await timeLoops({ ...variablesOf(apart, environment), LOG_LEVEL: 'silent' })
    return [...(await timeReads(world)), ...loops]
  } finally {
    await world.end()
  }
}

await runMain({ usage, problemFound: 'somebody felt a neighbour: the output says who' }, async (args) => {
  const options = parseOptions(args)
  return withRun({ client: 'autocannon' }, async (run) => {
    const isTimed = options.rows > usualHistorySize
    const time = (rows: Rows) => withService(run, rows, timeAll)
    const few = isTimed ? await withRows(run, usualHistorySize, time) : []
    const { measured, many } = await withRows(run, options.rows, async (rows) => {
      const measured: Measured[] = []
      for (const act of options.acts) measured.push(await measureAct(run, rows, act, options))
      return { measured, many: isTimed ? await time(rows) : [] }
    })
    const file = await writeResults('neighbours-', { options, measured, few, many })
    console.log(`\n${renderMeasured(measured)}\n\n${renderCores(measured)}`)
    if (isTimed) console.log(`\n${renderTimed(options.rows, few, many)}`)
    console.log(`\nwritten to ${file}`)
    const problems = [
      ...measured.flatMap(findProblems),
      ...findSlow(few, many).map(({ what }) => `${what}: slow`),
    ]
    for (const problem of problems) console.error(problem)
    return problems.length === 0 ? exitCodes.done : exitCodes.problemFound
  })
})
