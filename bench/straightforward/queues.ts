import { Queue } from 'bullmq'
import { Redis } from 'ioredis'
import type { Config } from '../../core/platform/config.ts'

export interface OrderJob {
  orderId: string
}

export interface CashbackJob {
  cashbackId: string
}

export interface QueueConnection {
  connection: Redis
  prefix: string
}

export function openQueueConnection({ queue }: Config): QueueConnection {
  if (queue.backend !== 'redis') throw new Error('REDIS_URL is missing')
  return {
    connection: new Redis(queue.redisUrl, { protocol: 2, maxRetriesPerRequest: null }),
    prefix: queue.prefix,
  }
}

/** The same attempts, back-off and retention as ours. */
export function openQueues(options: QueueConnection, keepCompleted: number) {
  const defaultJobOptions = {
    attempts: 8,
    backoff: { type: 'exponential', delay: 500, jitter: 0.5 },
    removeOnComplete: { age: 24 * 3600, count: keepCompleted },
    removeOnFail: { age: 7 * 24 * 3600, count: 10_000 },
  }
  return {
    orders: new Queue<OrderJob>('fulfil-prize-order', { ...options, defaultJobOptions }),
    cashbacks: new Queue<CashbackJob>('credit-cashback', { ...options, defaultJobOptions }),
  }
}

export type Queues = ReturnType<typeof openQueues>
