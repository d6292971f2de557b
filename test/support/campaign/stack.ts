import { readFile, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { migrateQueueTables } from '../../../core/queue/queue-backend.ts'
import { startPostgres } from '../../../local/postgres.ts'
import { findRedisServer, startRedis } from '../../../local/redis.ts'
import { migrateDatabase } from '../../../prisma/migrate.ts'
import { createTestEnv } from '../config.ts'
import type { Env } from '../config.ts'
import { startProcess } from '../processes.ts'
import type { ServiceProcess } from '../processes.ts'
import { makeServerFolder } from '../server-folder.ts'

/** A part of the stack that faults happen to. */
export interface Victim {
  name: string
  /** Its own process id first, then those of the processes that belong to it. */
  pids(): Promise<number[]>
  /** Ends it without any goodbye. */
  kill(): Promise<void>
  /** Starts it again where it was. */
  revive(): Promise<void>
}

/** Two APIs and two workers as processes, on a PostgreSQL and a Redis of their own. */
export interface Stack {
  env: Env
  victims: readonly Victim[]
  /** Where an API listens at the moment; undefined while it is dead. */
  apiUrl(index: number): string | undefined
  redisUrl: string | undefined
  stop(): Promise<void>
}

export async function startStack(overrides: Env): Promise<Stack> {
  const folder = makeServerFolder()
  const undo: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
  const stop = async () => {
    for (const step of undo.reverse()) await step()
  }
  try {
    let postgres = await startPostgres({
      dataDir: join(folder, 'postgres'),
      flags: ['-c', 'max_connections=200'],
    })
    undo.push(() => postgres.stop())
    const url = await postgres.createDatabase('rewards')
    await migrateDatabase(url)
    await migrateQueueTables(url)
    const redis = await startOwnRedis(join(folder, 'redis'))
    if (redis !== undefined) undo.push(() => redis.stop())
    const queues: Env = redis === undefined ? {} : { REDIS_URL: redis.url, QUEUE_PREFIX: 'campaign' }
    const env = await createTestEnv('postgres', { DATABASE_URL: url, ...queues, ...overrides })

    const services: (Victim & { url(): string | undefined })[] = []
    for (const kind of ['api', 'api', 'worker', 'worker'] as const) {
      const service = await startService(`${kind} ${services.length + 1}`, kind, env)
      undo.push(() => service.kill())
      services.push(service)
    }
    const database: Victim = {
      name: 'postgres',
      pids: async () => [postgres.pid, ...(await childrenOf(postgres.pid))],
      kill: async () => {
        process.kill(postgres.pid, 'SIGQUIT') // ends all sessions immediately, and writes nothing more
        await postgres.ended
      },
      revive: async () => {
        postgres = await startPostgres({
          dataDir: join(folder, 'postgres'),
          port: postgres.port,
          flags: ['-c', 'max_connections=200'],
        })
      },
    }
    return {
      env,
      victims: [...services, database, ...(redis === undefined ? [] : [redis.victim])],
      apiUrl: (index) => services[index % 2]?.url(),
      redisUrl: redis?.url,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startService(
  name: string,
  kind: 'api' | 'worker',
  env: Env,
): Promise<Victim & { url(): string | undefined }> {
  let running: ServiceProcess | undefined = await startProcess(kind, env)
  return {
    name,
    url: () => running?.url,
    pids: () => Promise.resolve(running === undefined ? [] : [running.pid]),
    kill: async () => {
      const ending = running
      running = undefined
      await ending?.kill()
    },
    revive: async () => {
      running ??= await startProcess(kind, env)
    },
  }
}

async function startOwnRedis(dataDir: string) {
  const binary = findRedisServer()
  if (binary === undefined) return undefined
  let redis = await startRedis({ binary, dataDir })
  const victim: Victim = {
    name: 'redis',
    pids: () => Promise.resolve([redis.pid]),
    kill: async () => {
      process.kill(redis.pid, 'SIGKILL')
      await redis.ended
    },
    revive: async () => {
      redis = await startRedis({ binary, dataDir, port: redis.port })
    },
  }
  return { url: redis.url, victim, stop: () => redis.stop() }
}

/** Each session of PostgreSQL is a process; stopping the first one alone stops none of them. */
async function childrenOf(pid: number): Promise<number[]> {
  const numbers = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const parents = await Promise.all(
    numbers.map(async (name) => {
      const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
      return { pid: Number(name), parent: Number(/^\d+ \(.*\) \S (\d+)/.exec(stat)?.[1]) }
    }),
  )
  return parents.filter(({ parent }) => parent === pid).map((child) => child.pid)
}
