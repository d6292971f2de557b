import type { Parsed } from './config-variables.ts'
import { toDirectUrl } from './database-urls.ts'
import type { ParsedDatabaseUrls } from './database-urls.ts'

/** Where BullMQ keeps its jobs. */
export type QueueConfig =
  { backend: 'redis'; redisUrl: string; prefix: string } | { backend: 'postgres'; databaseUrl: string }

/** Queues in PostgreSQL listen, which takes sessions of their own. */
export function toQueueConfig(
  parsed: ParsedDatabaseUrls & Pick<Parsed, 'REDIS_URL' | 'QUEUE_PREFIX'>,
): QueueConfig {
  const { REDIS_URL, QUEUE_PREFIX } = parsed
  return REDIS_URL === undefined
    ? { backend: 'postgres', databaseUrl: toDirectUrl(parsed) }
    : { backend: 'redis', redisUrl: REDIS_URL, prefix: QUEUE_PREFIX }
}
