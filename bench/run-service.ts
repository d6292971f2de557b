import { createHash } from 'node:crypto'
import { openSync, closeSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startChild } from '../local/child.ts'
import type { Child } from '../local/child.ts'
import { limitedOperations } from '../core/platform/rate-limits.ts'
import { findFreePort } from '../local/free-port.ts'
import { benchDir } from './build.ts'
import type { Service } from './services.ts'

/** The processes of a service. */
export interface RunningService {
  url: string
  /** Where management is served. */
  manageUrl: string
  api: Child
  /** The process of management, if it has one of its own. */
  manage: Child | undefined
  workers: readonly Child[]
  /** Rejects if one of its processes has ended by itself. */
  assertAlive(): Promise<void>
  stop(): Promise<void>
}

export interface ServiceEnvironment {
  /** Where the programs are. */
  buildDir: string
  /** Where the logs go. */
  runDir: string
  databaseUrl: string
  /** Undefined: the queues are in the database too. */
  redisUrl: string | undefined
  /** How many processes of the service's worker; none for a service that has no worker. */
  workerCount: number
  hashSecret: string
  isProfiled: boolean
  /** Where names are looked up, `address:port`; as the machine has it when left out. */
  nameServer?: string
}

const startTimeoutMs = 60_000
const pollMs = 50
/** Long enough for a worker to finish its jobs and for a profile to be written. */
const stopSteps = [{ signal: 'SIGTERM', waitMs: 25_000 }] as const
/** More than any run has: every finished job is counted afterwards. */
const keptJobs = 10_000_000
/** The default of MAX_CONNECTIONS: as for the proxy that most services are behind. */
const connectionsMax = 10_000

/** As `npm run start:api`, `start:manage` and `start:worker` have them; the opponents have the same flags. */
export function nodeFlagsOf(part: string): string[] {
  return [
    '--no-parallel-scavenge',
    `--max-semi-space-size=${part === 'api' ? 32 : 16}`,
    '--max-old-space-size=768',
  ]
}

const nameServerModule = join(import.meta.dirname, 'neighbours/name-server.mjs')

/** Starts the service's API and workers and waits until the API answers. */
export async function startService(
  service: Service,
  environment: ServiceEnvironment,
): Promise<RunningService> {
  const port = await findFreePort()
  const managePort = service.manage === undefined ? port : await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const manageUrl = `http://127.0.0.1:${managePort}`
  const env = {
    ...variablesOf(service, environment),
    HOST: '127.0.0.1',
    PORT: String(port),
    ...(service.manage === undefined ? {} : { SURFACES: 'play', ADMIN_PORT: String(managePort) }),
  }
  const api = await startProgram(service, 'api', service.api, env, environment)
  const workers: Child[] = []
  let manage: Child | undefined
  const parts: [string, Child][] = [['api', api]]
  const stop = async () => {
    await Promise.all(parts.map(([, child]) => child.stop()))
  }
  const assertAlive = async () => {
    for (const [part, child] of parts) {
      if (child.hasEnded()) {
        const log = await readFile(logFileOf(environment.runDir, service, part), 'utf8').catch(() => '')
        throw new Error(`the ${part} of ${service.name} has ended:\n${log.slice(-2_000)}`)
      }
    }
  }
  try {
    for (let number = 1; service.worker !== undefined && number <= environment.workerCount; number++) {
      const worker = await startProgram(service, `worker-${number}`, service.worker, env, environment)
      workers.push(worker)
      parts.push([`worker-${number}`, worker])
    }
    if (service.manage !== undefined) {
      manage = await startProgram(service, 'manage', service.manage, env, environment)
      parts.push(['manage', manage])
    }
    const giveUpAt = performance.now() + startTimeoutMs
    while (!(await answers(url)) || !(await answers(manageUrl))) {
      await assertAlive()
      if (performance.now() > giveUpAt) throw new Error(`the API of ${service.name} does not answer`)
      await delay(pollMs)
    }
  } catch (error) {
    await stop()
    throw error
  }
  return { url, manageUrl, api, manage, workers, assertAlive, stop }
}

async function startProgram(
  service: Service,
  part: string,
  program: string,
  env: NodeJS.ProcessEnv,
  { buildDir, runDir, isProfiled, nameServer }: ServiceEnvironment,
): Promise<Child> {
  // Into a file and not into nothing: writing the log is part of the work.
  const log = openSync(logFileOf(runDir, service, part), 'w')
  const profile = ['--cpu-prof', '--cpu-prof-dir', join(benchDir, 'profiles'), '--cpu-prof-name']
  try {
    return await startChild({
      command: process.execPath,
      args: [
        ...nodeFlagsOf(part),
        ...(nameServer === undefined ? [] : ['--import', nameServerModule]),
        ...(isProfiled ? [...profile, `${service.name}-${part}-${Date.now()}.cpuprofile`] : []),
        join(buildDir, program),
      ],
      env: nameServer === undefined ? env : { ...env, BENCH_NAME_SERVER: nameServer },
      stdio: ['ignore', log, log],
      stopSteps,
    })
  } finally {
    closeSync(log)
  }
}

function logFileOf(runDir: string, service: Service, part: string): string {
  return join(runDir, `${service.name}-${part}.log`)
}

/** Old keys, which have no form, are as good. */
export function adminKeyOf(hashSecret: string): string {
  return hashSecret.slice(0, 32)
}

/** The key of the id `bench`. */
export function encryptionKeyOf(hashSecret: string): Buffer {
  return createHash('sha256').update(hashSecret).digest()
}

/** The same for all services; nothing of our own environment that could make a difference. */
export function variablesOf(service: Service, environment: ServiceEnvironment): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    NODE_ENV: 'production',
    DATABASE_URL: environment.databaseUrl,
    ...(environment.redisUrl === undefined ? {} : { REDIS_URL: environment.redisUrl }),
    HASH_SECRET: environment.hashSecret,
    ADMIN_API_KEY: adminKeyOf(environment.hashSecret),
    ENCRYPTION_KEYS: `bench:${encryptionKeyOf(environment.hashSecret).toString('base64')}`,
    OUTBOUND_ALLOW_PRIVATE: 'in-production',
    LOG_LEVEL: 'info',
    DRAIN_DELAY_SECONDS: '0',
    // Everything comes with one key from one address, and nothing may be refused; counting costs the same at any height.
    MAX_CONNECTIONS_PER_ADDRESS: String(connectionsMax),
    RATE_LIMITS: limitedOperations.map((operation) => `${operation}=1000000/10000000`).join(','),
    KEEP_COMPLETED_JOBS: String(keptJobs),
    WORKER_CONCURRENCY: String(service.workerConcurrency),
  }
}

function answers(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`).then(
    (response) => response.ok,
    () => false,
  )
}
