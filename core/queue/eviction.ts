import { ConfigError } from '../platform/config.ts'
import { withinMs } from '../platform/deadline.ts'
import type { Logger } from '../platform/logger.ts'
import { mastersOf, onNewMasters } from '../platform/redis.ts'
import type { RedisConnection } from '../platform/redis.ts'

/** The only policy under which Redis keeps every job when its memory is full. */
const neededPolicy = 'noeviction'
/** A Redis that hangs does not keep a process from starting. */
const firstLookTimeoutMs = 3_000

/**
 * Throws a ConfigError if a production start uses a Redis that evicts jobs: the loss would only show when the memory is
 * full. `policy` is undefined if it is unknown.
 */
export function refuseEviction(
  policy: string | undefined,
  { isProduction }: { isProduction: boolean },
): void {
  if (!isProduction || policy === undefined || policy === neededPolicy) return
  throw new ConfigError([
    `REDIS_URL must name a Redis with maxmemory-policy ${neededPolicy} in production; with ${policy} jobs are lost`,
  ])
}

/**
 * Checks the policy of Redis on each connection, and that of every master of a Cluster, and logs a problem once. The
 * returned function gives the policy found first; undefined if Redis is away or does not reveal it.
 */
export function watchEviction(redis: RedisConnection, log: Logger): () => Promise<string | undefined> {
  let said: string | undefined = neededPolicy
  const look = async () => {
    const policy = await readPolicy(redis)
    if (policy === said || redis.status !== 'ready') return policy
    said = policy
    if (policy === undefined) log.warn({ neededPolicy }, 'Redis does not report its maxmemory-policy')
    else if (policy === neededPolicy) log.info('Redis keeps all jobs when its memory is full')
    else
      log.warn({ policy, neededPolicy }, 'Redis loses jobs when its memory is full: set its maxmemory-policy')
    return policy
  }
  const first = new Promise<string | undefined>((resolve) => {
    onNewMasters(redis, () => {
      void look().then(resolve)
    })
    redis.once('close', () => {
      resolve(undefined)
    })
  })
  return () => withinMs(first, firstLookTimeoutMs).catch(() => undefined)
}

/** The needed policy if all masters have it, otherwise that of one which has not, or undefined. */
async function readPolicy(redis: RedisConnection): Promise<string | undefined> {
  const policies = await Promise.all(
    // Managed servers forbid `CONFIG`; BullMQ reads the policy here, too. It is missing or may not be read on some.
    mastersOf(redis).map(async (master) => {
      const info = await master.info('memory').catch(() => '')
      return /^maxmemory_policy:(\S+)/m.exec(info)?.[1]
    }),
  )
  const others = policies.filter((policy) => policy !== neededPolicy)
  return policies.length === 0
    ? undefined
    : (others.find(isKnown) ?? (others.length === 0 ? neededPolicy : undefined))
}

const isKnown = (policy: string | undefined) => policy !== undefined
