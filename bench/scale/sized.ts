import { randomBytes } from 'node:crypto'
import { migrateQueueTables } from '../../core/queue/queue-backend.ts'
import { migrateDatabase } from '../../prisma/migrate.ts'
import { adminKeyOf, startService } from '../run-service.ts'
import type { RunningService, ServiceEnvironment } from '../run-service.ts'
import { analyzeFilled, seedCasino, seedPrizes, seedUnlimitedBox } from '../seed.ts'
import { services } from '../services.ts'
import { withSession } from '../servers.ts'
import type { Run } from '../with-run.ts'
import { fill, largeCasino } from './fill.ts'
import { fillManagement } from './fill-management.ts'

/** A database with so many prizes. */
export interface Sized {
  size: number
  databaseUrl: string
  /** Of the casino that the requests come from. */
  apiKey: string
  /** Of the casino with most rows. */
  largeKey: string
  adminKey: string
  hashSecret: string
  fillSeconds: number
  bytes: number
  /** Makes prizes for this many requests; the number of the first. */
  prepare(count: number): Promise<number>
}

/** More than two processors answer; each load gets so many prizes. */
export const requestsPerSecondMax = 8_000

/** As production runs it. */
export const apart = { ...services.ours, manage: 'api/main-manage.js' }

/** Makes and fills the database. */
export async function createSized(
  { servers }: Run,
  { size, name }: { size: number; name: string },
): Promise<Sized> {
  const hashSecret = randomBytes(32).toString('hex')
  const databaseUrl = await servers.postgres.createDatabase(name)
  await migrateDatabase(databaseUrl)
  await migrateQueueTables(databaseUrl)
  const beganMs = performance.now()
  const keys = await withSession(servers, databaseUrl, async (client) => {
    const apiKey = await seedCasino(client, hashSecret)
    await seedUnlimitedBox(client)
    await fill(client, size, (text) => {
      console.log(`  ${text}, ${((performance.now() - beganMs) / 1000).toFixed(0)} s`)
    })
    const largeKey = await fillManagement(client, largeCasino, hashSecret)
    await analyzeFilled(client)
    return { apiKey, largeKey }
  })
  await servers.admin.query('CHECKPOINT')
  const { rows } = await servers.admin.query<{ bytes: string }>('SELECT pg_database_size($1) AS bytes', [
    name,
  ])
  let next = 1
  return {
    size,
    databaseUrl,
    ...keys,
    adminKey: adminKeyOf(hashSecret),
    hashSecret,
    fillSeconds: (performance.now() - beganMs) / 1000,
    bytes: Number(rows[0]?.bytes),
    prepare: async (count) => {
      const first = next
      next += count
      await withSession(servers, databaseUrl, async (client) => {
        await seedPrizes(client, count, first)
        await client.query('ANALYZE prize')
      })
      return first
    },
  }
}

/** Runs `work` with new processes on the database. */
export async function withService<Result>(
  run: Run,
  sized: Sized,
  work: (service: RunningService, environment: ServiceEnvironment) => Promise<Result>,
): Promise<Result> {
  await run.servers.redisClient.flushall()
  const environment = environmentOf(run, sized)
  const service = await startService(apart, environment)
  try {
    return await work(service, environment)
  } finally {
    await service.stop()
  }
}

/** Runs `work` with so many new APIs, each with a worker, on the database. */
export async function withServices<Result>(
  run: Run,
  sized: Sized,
  count: number,
  work: (running: readonly RunningService[]) => Promise<Result>,
): Promise<Result> {
  await run.servers.redisClient.flushall()
  const running: RunningService[] = []
  try {
    for (let number = 0; number < count; number++) {
      running.push(await startService(services.ours, environmentOf(run, sized)))
    }
    return await work(running)
  } finally {
    for (const service of running) await service.stop()
  }
}

/** For processes, or parts of them, that work on the database. */
export function environmentOf(
  { servers, runDir, buildDir }: Run,
  { databaseUrl, hashSecret }: Sized,
): ServiceEnvironment {
  return {
    databaseUrl,
    redisUrl: servers.redis.url,
    workerCount: 1,
    hashSecret,
    runDir,
    buildDir,
    isProfiled: false,
  }
}
