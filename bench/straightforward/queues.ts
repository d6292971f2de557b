import { createPostgresBackend, Queue, Worker } from 'bullmq'
import type { PostgresConnectionOptions, Processor, QueueOptions, WorkerOptions } from 'bullmq'
import { Redis } from 'ioredis'
import pg from 'pg'
import type { Config } from '../../core/platform/config.ts'
import { queuePrefix } from '../../core/queue/queue-keys.ts'

export interface OrderJob {
  orderId: string
}

export interface CashbackJob {
  cashbackId: string
}

/** Where the jobs are: Redis, or BullMQ's tables in the database; set up for both as BullMQ's documentation has it. */
export interface QueueConnection {
  kind: 'redis' | 'postgres'
  createQueue: <Data>(name: string, options: Pick<QueueOptions, 'defaultJobOptions'>) => Queue<Data, void>
  createWorker: <Data>(
    name: string,
    processor: Processor<Data, void>,
    options: Pick<WorkerOptions, 'concurrency'>,
  ) => Worker<Data, void>
  close: () => Promise<unknown>
}

export function openQueueConnection({ queue }: Config): QueueConnection {
  if (queue.backend === 'redis') {
    const redis = new Redis(queue.redisUrl, { protocol: 2, maxRetriesPerRequest: null })
    // Benchmarks look at the queues of all services by the same keys.
    const sharedOf = (name: string) => ({ connection: redis, prefix: queuePrefix(queue.prefix, name) })
    return {
      kind: 'redis',
      createQueue: (name, options) => new Queue(name, { ...options, ...sharedOf(name) }),
      createWorker: (name, processor, options) =>
        new Worker(name, processor, { ...options, ...sharedOf(name) }),
      close: () => {
        redis.disconnect()
        return Promise.resolve()
      },
    }
  }
  const pool = new pg.Pool({
    connectionString: queue.databaseUrl,
    max: 10,
    options: '-c search_path=bullmq',
    keepAlive: true,
  })
  // BullMQ has types of its own for the part of a pool that it uses, and pg's types do not fit them exactly.
  const connection = pool as unknown as PostgresConnectionOptions
  return {
    kind: 'postgres',
    createQueue: <Data>(name: string, options: Pick<QueueOptions, 'defaultJobOptions'>) =>
      new Queue(name, { ...options, connection }, createPostgresBackend) as unknown as Queue<Data, void>,
    createWorker: <Data>(
      name: string,
      processor: Processor<Data, void>,
      options: Pick<WorkerOptions, 'concurrency'>,
    ) =>
      new Worker(name, processor, { ...options, connection }, createPostgresBackend) as unknown as Worker<
        Data,
        void
      >,
    close: () => pool.end(),
  }
}

/** The same attempts, back-off and retention as ours, which differs between the backends (queue-backend.ts). */
export function openQueues({ createQueue, kind }: QueueConnection, keepCompleted: number) {
  const defaultJobOptions = {
    attempts: 8,
    backoff: { type: 'exponential', delay: 500, jitter: 0.5 },
    removeOnComplete: kind === 'postgres' ? { age: 3600 } : { age: 24 * 3600, count: keepCompleted },
    removeOnFail: { age: 7 * 24 * 3600, count: 10_000 },
  }
  return {
    orders: createQueue<OrderJob>('fulfil-prize-order', { defaultJobOptions }),
    cashbacks: createQueue<CashbackJob>('credit-cashback', { defaultJobOptions }),
  }
}

export type Queues = ReturnType<typeof openQueues>
