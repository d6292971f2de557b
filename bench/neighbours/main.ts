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
import type { Beside, Fared } from './beside.ts'
import { parseOptions, usage } from './options.ts'
import type { NeighboursOptions } from './options.ts'
import { findSlow, isFelt, renderBeside, renderTimed } from './report.ts'
import { seedOpenOrders, timeLoops, timeReads } from './rows.ts'
import type { Timed } from './rows.ts'
import { openWorld } from './world.ts'
import type { WorldOptions } from './world.ts'

const databaseName = 'neighbours'

interface Started {
  service: RunningService
  environment: ServiceEnvironment
  template: Template
  world: WorldOptions
}

/** Runs `work` beside a service whose tables have so many rows. */
async function withService<Result>(
  run: Run,
  rows: number,
  work: (started: Started) => Promise<Result>,
): Promise<Result> {
  const hashSecret = randomBytes(32).toString('hex')
  console.log(`seeding ${rows} rows`)
  const template = await createTemplate(run.servers, 'box', 1, hashSecret, rows)
  try {
    const databaseUrl = await cloneTemplate(run.servers, template, databaseName)
    if (rows > usualHistorySize) await seedOpenOrders(databaseUrl, rows)
    await run.servers.redisClient.flushall()
    const environment = {
      databaseUrl,
      redisUrl: run.servers.redis.url,
      workerCount: 1,
      hashSecret,
      runDir: run.runDir,
      buildDir: run.buildDir,
      isProfiled: false,
    }
    const service = await startService(services.ours, environment)
    const world = {
      playUrl: service.url,
      manageUrl: service.url,
      adminKey: adminKeyOf(hashSecret),
      databaseUrl,
    }
    try {
      return await work({ service, environment, template, world })
    } finally {
      await service.stop()
      await dropDatabase(run.servers, databaseName)
    }
  } finally {
    await dropDatabase(run.servers, template.name)
  }
}

async function measureActs(
  run: Run,
  { service, template, world }: Started,
  { acts, rate, seconds }: NeighboursOptions,
): Promise<{ alone: Fared; beside: Beside[] }> {
  const openings = { url: service.url, apiKey: template.apiKey, operation: operations.box, rate, seconds }
  const take = createNumbers()
  await measureAlone(run, { ...openings, seconds: Math.min(5, seconds) }, take) // warms up
  const alone = await measureAlone(run, openings, take)
  const beside: Beside[] = []
  for (const act of acts) {
    console.log(`beside ${act.name}`)
    beside.push(await measureBeside(run, { act, openings, take, world }))
    await service.assertAlive()
  }
  return { alone, beside }
}

async function timeAll({ environment, world: options }: Started): Promise<Timed[]> {
  const world = await openWorld(options)
  try {
    const loops = await timeLoops({ ...variablesOf(services.ours, environment), LOG_LEVEL: 'silent' })
    return [...(await timeReads(world)), ...loops]
  } finally {
    await world.end()
  }
}

await runMain({ usage, problemFound: 'somebody felt a neighbour: the output says who' }, async (args) => {
  const options = parseOptions(args)
  return withRun({ client: 'autocannon' }, async (run) => {
    const few =
      options.rows > usualHistorySize ? await withService(run, usualHistorySize, timeAll) : undefined
    const { alone, beside, many } = await withService(run, options.rows, async (started) => {
      const many = few === undefined ? undefined : await timeAll(started)
      return { ...(await measureActs(run, started, options)), many }
    })
    const file = await writeResults('neighbours-', { options, alone, beside, few, many })
    console.log(`\n${renderBeside(alone, beside)}`)
    if (few !== undefined && many !== undefined) console.log(`\n${renderTimed(options.rows, few, many)}`)
    console.log(`\nwritten to ${file}`)
    const felt = beside.filter((each) => isFelt(alone, each)).map(({ act }) => act)
    const slow = findSlow(few ?? [], many ?? []).map(({ what }) => what)
    for (const name of [...felt, ...slow]) console.error(`over its bound: ${name}`)
    return felt.length + slow.length === 0 ? exitCodes.done : exitCodes.problemFound
  })
})
