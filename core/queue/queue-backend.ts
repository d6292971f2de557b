import {
  assertSchemaCompatibility,
  LATEST_SCHEMA_VERSION,
  Queue,
  runMigrations,
  SchemaMigrationRequiredError,
  Worker,
} from 'bullmq'
import type { PostgresConnectionOptions, Processor, QueueOptions, WorkerOptions } from 'bullmq'
import type pg from 'pg'
import type { QueueConfig } from '../platform/queue-config.ts'
import type { Logger } from '../platform/logger.ts'
import { Pool } from '../platform/pool.ts'
import { openConsumerRedis, openProducerRedis, pingMasters } from '../platform/redis.ts'
import type { RedisConnection } from '../platform/redis.ts'
import { ownSession, unlimitedSettings } from '../platform/session-settings.ts'
import { createMigrationCheck, createVerify } from '../platform/verify-connections.ts'
import { watchEviction } from './eviction.ts'
import { jobNames } from './jobs.ts'
import type { JobData, JobName } from './jobs.ts'
import { createPatientBackend, PatientPool } from './patient-pool.ts'
import { queuePrefix, sharedKey } from './queue-keys.ts'

export type JobQueue = Queue<JobData, string, JobName>
export type JobWorker = Worker<JobData, string, JobName>
export type JobProcessor = Processor<JobData, string, JobName>

/**
 * Where BullMQ keeps its jobs: Redis in production, PostgreSQL for trying the service out without Redis. They differ
 * only here.
 */
export interface QueueBackend {
  kind: QueueConfig['backend']
  createQueue(name: JobName, options: Omit<QueueOptions, 'connection'>): JobQueue
  createWorker(
    name: JobName,
    processor: JobProcessor,
    options: Omit<WorkerOptions, 'connection' | 'prefix'>,
  ): JobWorker
  /** State that processes share beside the queues; undefined without Redis. */
  runScript: RunScript | undefined
  /** Redis's eviction policy, as found by watchEviction; undefined if it is unknown. */
  evictionPolicy(): Promise<string | undefined>
  /** Resolves when the backend answers; never hangs. */
  ping(): Promise<void>
  close(): Promise<void>
}

/**
 * Runs a Lua script in Redis on keys beside the queues. Rejects within seconds if Redis is away; never hangs.
 */
export type RunScript = (
  script: string,
  keys: readonly string[],
  args: readonly (string | number)[],
) => Promise<unknown>

export function openQueueBackend(config: QueueConfig, log: Logger): QueueBackend {
  return config.backend === 'redis'
    ? openRedisBackend(config.redisUrl, config.prefix, log)
    : openPostgresBackend(config.databaseUrl, log)
}

function openRedisBackend(url: string, prefix: string, log: Logger): QueueBackend {
  const producer = openProducerRedis(url, log)
  const evictionPolicy = watchEviction(producer, log)
  let consumer: RedisConnection | undefined
  return {
    kind: 'redis',
    createQueue: (name, options) =>
      new Queue(name, {
        ...options,
        connection: producer,
        prefix: queuePrefix(prefix, name),
        skipWaitingForReady: true,
        skipVersionCheck: true,
      }),
    createWorker: (name, processor, options) =>
      new Worker(name, processor, {
        ...options,
        connection: (consumer ??= openConsumerRedis(url, log)),
        prefix: queuePrefix(prefix, name),
      }),
    runScript: (script, keys, args) =>
      producer.eval(script, keys.length, ...keys.map((key) => sharedKey(prefix, key)), ...args),
    evictionPolicy,
    ping: () => pingMasters(producer),
    close: () => {
      producer.disconnect()
      consumer?.disconnect()
      return Promise.resolve()
    },
  }
}

/** BullMQ's own schema, which Prisma does not manage. */
const queueSchema = 'bullmq'
const queueSettings = { ...unlimitedSettings, search_path: queueSchema }
/** Each worker keeps one connection to listen on; the others serve queries. */
const queuePoolMax = 10

function openPostgresBackend(url: string, log: Logger): QueueBackend {
  // Jobs lost in a server crash are still in the outbox, so no job waits for the disk.
  const useQueueTables = ownSession(
    { ...queueSettings, synchronous_commit: 'off' },
    'the queues in PostgreSQL need',
  )
  const refuseWithoutTables = createMigrationCheck<pg.PoolClient>({
    findMissing: findMissingQueueTables,
    what: 'the database lacks tables of the queues',
    log,
  })
  const verify = async (client: pg.PoolClient) => {
    await useQueueTables(client)
    await refuseWithoutTables(client)
  }
  const pool = new PatientPool(queuePoolConfig(url, queuePoolMax, verify), log)
  // BullMQ has its own types for the pool's methods, and pg's types do not match them exactly.
  const connection = pool as unknown as PostgresConnectionOptions
  return {
    kind: 'postgres',
    createQueue: (name, options) =>
      new Queue(name, { ...options, connection }, createPatientBackend) as unknown as JobQueue,
    createWorker: (name, processor, options) =>
      new Worker(
        name,
        processor,
        { ...options, removeOnComplete: keepInPostgres(options.removeOnComplete), connection },
        createPatientBackend,
      ) as unknown as JobWorker,
    runScript: undefined,
    evictionPolicy: () => Promise.resolve(undefined),
    ping: async () => {
      await pool.query('SELECT 1')
    },
    close: () => pool.end(),
  }
}

/** The parts of BullMQ's schema that this database lacks; empty if it has all of them. */
export async function findMissingQueueTables(client: pg.PoolClient): Promise<string[]> {
  try {
    const version = await assertSchemaCompatibility(client, queueSchema)
    return version < LATEST_SCHEMA_VERSION ? [`version ${LATEST_SCHEMA_VERSION}`] : []
  } catch (error) {
    if (error instanceof SchemaMigrationRequiredError) return [queueSchema]
    throw error
  }
}

const keptMaxSeconds = 3600

/**
 * With a limit on the number of finished jobs, BullMQ's PostgreSQL backend reads all of them whenever a job ends, which
 * soon costs more than everything else; with an age it uses an index. So finished jobs are kept for an hour here, or
 * not at all.
 */
function keepInPostgres(keep: WorkerOptions['removeOnComplete']): { age: number } | { count: 0 } {
  if (keep?.count === 0) return { count: 0 }
  const ageSeconds = keep !== undefined && 'age' in keep ? keep.age : keptMaxSeconds
  return { age: Math.min(ageSeconds, keptMaxSeconds) }
}

/**
 * Creates or updates BullMQ's tables, and the sequences of our queues: BullMQ would create those with their first job,
 * which the service's role may not do. Safe to run from several processes at the same time.
 */
export async function migrateQueueTables(databaseUrl: string): Promise<void> {
  // A lost idle connection shows up again, with its reason, in the next query.
  const config = queuePoolConfig(databaseUrl, 1, ownSession(queueSettings, 'migrations need'))
  const pool = new Pool(config, () => undefined)
  try {
    const client = await pool.connect()
    try {
      await runMigrations(client, queueSchema)
      for (const name of jobNames) await makeSequence(client, name)
    } finally {
      client.release()
    }
  } finally {
    await pool.end()
  }
}

/** Like BullMQ's own functions, under the same lock. */
async function makeSequence(client: pg.PoolClient, name: JobName): Promise<void> {
  await client.query(
    `DO $$ BEGIN
       PERFORM pg_advisory_xact_lock(hashtext('bullmq:jidseq:' || ${client.escapeLiteral(name)}));
       EXECUTE format('CREATE SEQUENCE IF NOT EXISTS %I', job_id_seq_name(${client.escapeLiteral(name)}));
     END $$`,
  )
}

function queuePoolConfig(
  connectionString: string,
  max: number,
  verify: (client: pg.PoolClient) => Promise<void>,
): pg.PoolConfig {
  return {
    connectionString,
    max,
    verify: createVerify(verify),
    connectionTimeoutMillis: 3_000,
    keepAlive: true,
  }
}
