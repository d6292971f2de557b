import { randomBytes } from 'node:crypto'
import { mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { describeEnding, startChild } from './child.ts'
import type { Child, Ending } from './child.ts'
import { findOnPath } from './find-on-path.ts'
import { PortTakenError, startOnFreePort } from './free-port.ts'
import { findCommandLine } from './process-table.ts'

export interface RunningRedis {
  /** On 127.0.0.1; carries the password. */
  url: string
  port: number
  pid: number
  /** Resolves when the server has ended, for any reason; never rejects. */
  ended: Promise<Ending>
  /** Writes what is not on disk yet and stops the server. Stopping twice is harmless. */
  stop: () => Promise<void>
}

interface RedisOptions {
  binary: string
  /** Ours alone: holds the append-only file, the configuration and the log. Made when it does not exist. */
  dataDir: string
  /** Default: a free one. */
  port?: number
}

/** A large append-only file is read before the first answer. */
const startTimeoutMs = 20_000
const pollMs = 25
const stopSteps = [{ signal: 'SIGTERM', waitMs: 10_000 }] as const

/** The path of the first `redis-server` or `valkey-server` (which speaks the same) on the PATH. */
export function findRedisServer(searchPath?: string): string | undefined {
  return findOnPath('redis-server', searchPath) ?? findOnPath('valkey-server', searchPath)
}

/**
 * Starts a Redis server on 127.0.0.1 as BullMQ needs it: every job on disk within a second, and none evicted for
 * another. Rejects with one line that says why, also when a server already runs on the data folder.
 */
export async function startRedis(options: RedisOptions): Promise<RunningRedis> {
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 })
  const folder = await realpath(options.dataDir)
  if ((await findRunningRedis(folder)) !== undefined) {
    throw new Error(`a Redis server already runs on ${options.dataDir}`)
  }
  const password = await readOrMakePassword(join(folder, 'password'))
  return startOnFreePort(options.port, async (port) => {
    const child = await startServer(options.binary, folder, port, password)
    return {
      url: `redis://default:${password}@127.0.0.1:${port}`,
      port,
      pid: child.pid,
      ended: child.ended,
      stop: child.stop,
    }
  })
}

/** The process id of the server that runs on the data folder, if one does. */
export async function findRunningRedis(dataDir: string): Promise<number | undefined> {
  const folder = await realpath(dataDir).catch(() => undefined)
  if (folder === undefined) return undefined
  const pid = Number(await readFile(join(folder, 'redis.pid'), 'utf8').catch(() => ''))
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined
  return (await findCommandLine(pid))?.includes(configFileIn(folder)) ? pid : undefined
}

const configFileIn = (folder: string) => join(folder, 'redis.conf')

async function startServer(binary: string, folder: string, port: number, password: string): Promise<Child> {
  const logFile = join(folder, 'redis.log')
  await rm(logFile, { force: true }) // each run has its own, so that its lines are those of this run
  await writeFile(configFileIn(folder), configuration({ folder, port, password, logFile }), { mode: 0o600 })
  const child = await startChild({
    command: binary,
    args: [configFileIn(folder)],
    cwd: folder,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' },
    stdio: 'ignore',
    stopSteps,
  })
  if (await answers(child, port, password)) return child

  await child.stop()
  const log = await readFile(logFile, 'utf8').catch(() => '')
  if (/Address already in use/i.test(log)) {
    throw new PortTakenError(`Redis did not start: port ${port} is taken`)
  }
  const reason = log.trimEnd().split('\n').at(-1) ?? ''
  throw new Error(`Redis did not start: ${reason === '' ? describeEnding(await child.ended) : reason}`)
}

/** In a file that only we can read, because process arguments can be read by everybody. */
function configuration(of: { folder: string; port: number; password: string; logFile: string }): string {
  const settings: [string, string][] = [
    ['bind', '127.0.0.1'],
    ['port', String(of.port)],
    ['protected-mode', 'yes'],
    ['requirepass', of.password],
    ['dir', of.folder],
    ['pidfile', join(of.folder, 'redis.pid')],
    ['logfile', of.logFile],
    ['daemonize', 'no'],
    ['appendonly', 'yes'],
    ['save', ''],
    ['appendfsync', 'everysec'],
    ['maxmemory-policy', 'noeviction'],
    // Names the folder, so that we can tell our server from another one that got its process id.
    ['proc-title-template', '{title} {config-file}'],
  ]
  return settings.map(([name, value]) => `${name} ${JSON.stringify(value)}\n`).join('')
}

/** Whether the server answers before it ends or the time is up. Another server on the port refuses our password. */
async function answers(child: Child, port: number, password: string): Promise<boolean> {
  const giveUpAt = performance.now() + startTimeoutMs
  while (performance.now() < giveUpAt && !child.hasEnded()) {
    if (await answersNow(port, password)) return !child.hasEnded()
    await delay(pollMs)
  }
  return false
}

async function answersNow(port: number, password: string): Promise<boolean> {
  const client = new Redis({
    host: '127.0.0.1',
    port,
    password,
    protocol: 2,
    lazyConnect: true,
    connectTimeout: 1_000,
    commandTimeout: 1_000,
    retryStrategy: () => null,
  })
  client.on('error', () => undefined) // not listening yet; the next attempt tells
  try {
    await client.ping()
    return true
  } catch {
    return false
  } finally {
    client.disconnect()
  }
}

async function readOrMakePassword(path: string): Promise<string> {
  const known = await readFile(path, 'utf8').catch(() => '')
  if (known !== '') return known.trim()
  const password = randomBytes(24).toString('hex')
  await writeFile(path, `${password}\n`, { mode: 0o600 })
  return password
}
