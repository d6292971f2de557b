import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { migrateQueueTables } from '../../core/queue/queue-backend.ts'
import { startPostgres } from '../../local/postgres.ts'
import type { RunningPostgres } from '../../local/postgres.ts'
import { migrateDatabase } from '../../prisma/migrate.ts'
import { grantRuntimeRole } from '../../prisma/runtime-role.ts'
import { asServiceRole, serviceRole } from './environment.ts'
import { eventually } from './eventually.ts'
import { makeServerFolder } from './server-folder.ts'

/** A PostgreSQL with a streaming replica, both of this test alone. */
export interface ReplicatedPostgres {
  /** The service's database, as its role. */
  primaryUrl: string
  replicaUrl: string
  /** Runs a statement as the superuser, such as `SELECT pg_wal_replay_pause()`; the first column of its first row. */
  onPrimary: (statement: string) => Promise<unknown>
  onReplica: (statement: string) => Promise<unknown>
  /** The statements that the replica has been sent since the last call, all of them: its log arrives later than an answer. */
  takeStatements: () => Promise<string[]>
  stopReplica: () => Promise<void>
  startReplica: () => Promise<void>
  stop: () => Promise<void>
}

const database = 'replicated'
const flags = ['fsync=off', 'full_page_writes=off', 'autovacuum=off', 'io_method=sync', 'scram_iterations=1']
/** A query that is in the way of changes is cancelled at the first opportunity. */
const replicaFlags = ['log_statement=all', 'max_standby_streaming_delay=0', 'hot_standby_feedback=off']

const toArguments = (settings: readonly string[]) => settings.flatMap((setting) => ['-c', setting])

/** Starts both. The replica begins as a copy of the stopped primary's folder, since `pg_basebackup` need not be there. */
export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const folder = makeServerFolder()
  const [primaryDir, replicaDir] = [join(folder, 'primary'), join(folder, 'replica')]
  const log: string[] = []
  let primary = await startPostgres({ dataDir: primaryDir, flags: toArguments(flags) })
  let replica: RunningPostgres | undefined
  const stop = async () => {
    await replica?.stop()
    await primary.stop()
    await rm(folder, { recursive: true, force: true })
  }
  const startReplica = async () => {
    const { port, username, password } = new URL(primary.url)
    const source = `host=127.0.0.1 port=${port} user=${username} password=${password}`
    const settings = [...flags, ...replicaFlags, `primary_conninfo=${source}`]
    replica = await startPostgres({
      dataDir: replicaDir,
      flags: toArguments(settings),
      log: (line) => log.push(line),
      ...(replica === undefined ? {} : { port: replica.port }),
    })
  }
  try {
    const ownerUrl = await primary.createDatabase(database)
    await migrateDatabase(ownerUrl)
    await migrateQueueTables(ownerUrl)
    await grantRuntimeRole(ownerUrl, serviceRole)
    await primary.stop()
    await promisify(execFile)('cp', ['-a', primaryDir, replicaDir])
    await writeFile(join(replicaDir, 'cluster', 'standby.signal'), '')
    primary = await startPostgres({ dataDir: primaryDir, port: primary.port, flags: toArguments(flags) })
    await startReplica()
  } catch (error) {
    await stop()
    throw error
  }
  const urlOf = (url: string) => {
    const found = new URL(url)
    found.pathname = `/${database}`
    return found.href
  }
  const ask = async (url: string, statement: string): Promise<unknown> => {
    const client = new pg.Client({ connectionString: urlOf(url) })
    await client.connect()
    try {
      const { rows } = await client.query<unknown[]>({ text: statement, rowMode: 'array' })
      return rows[0]?.[0]
    } finally {
      await client.end()
    }
  }
  const { url: replicaUrl } = replica ?? primary
  let markers = 0
  return {
    primaryUrl: asServiceRole(urlOf(primary.url)),
    replicaUrl: asServiceRole(urlOf(replicaUrl)),
    onPrimary: (statement) => ask(primary.url, statement),
    onReplica: (statement) => ask(replicaUrl, statement),
    takeStatements: async () => {
      const marker = `SELECT 'marker ${(markers += 1)}'`
      await ask(replicaUrl, marker)
      const findMarker = () => log.findIndex((line) => line.endsWith(marker))
      await eventually('the log of the replica has the marker', () => findMarker() >= 0)
      const before = log.splice(0, findMarker() + 1).slice(0, -1)
      return before
        .join('\n')
        .split(/^.*LOG: {2}(?:execute|statement)/m)
        .slice(1)
    },
    stopReplica: async () => {
      await replica?.stop()
    },
    startReplica,
    stop,
  }
}
