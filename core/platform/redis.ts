import { Redis } from 'ioredis'
import type { Logger } from './logger.ts'

/** A producer gives up on a command after this; it is then unknown whether the command took effect. */
const commandTimeoutMs = 2_000
const connectTimeoutMs = 3_000
const reconnectMaxMs = 1_000

/**
 * A connection for callers that must never hang: without a server, or with one that does not answer, every command
 * fails within two seconds. (BullMQ's documented option alone still hangs at start; these together do not.)
 */
export function openProducerRedis(url: string, log: Logger): Redis {
  return watched(
    new Redis(url, {
      protocol: 2,
      enableOfflineQueue: false,
      commandTimeout: commandTimeoutMs,
      connectTimeout: connectTimeoutMs,
      maxRetriesPerRequest: null,
      retryStrategy,
    }),
    log,
  )
}

/** A connection for workers, which can only wait until the server is back. */
export function openConsumerRedis(url: string, log: Logger): Redis {
  return watched(
    new Redis(url, {
      protocol: 2,
      connectTimeout: connectTimeoutMs,
      maxRetriesPerRequest: null,
      retryStrategy,
    }),
    log,
  )
}

function retryStrategy(attempt: number): number {
  return Math.min(attempt * 100, reconnectMaxMs)
}

/** Logs once that the server is away and once that it is back, not with every attempt. */
function watched(redis: Redis, log: Logger): Redis {
  let isAway = false
  redis.on('error', (error) => {
    if (!isAway) log.warn({ err: error }, 'Redis is away')
    isAway = true
  })
  redis.on('ready', () => {
    if (isAway) log.info('Redis is back')
    isAway = false
  })
  return redis
}
