import { Cluster, Redis } from 'ioredis'
import type { Command } from 'ioredis'
import { withinMs } from './deadline.ts'
import type { Logger } from './logger.ts'
import { parseRedisUrl } from './redis-url.ts'

/** Of one server, of the master that Sentinel names, or of all masters of a Cluster. */
export type RedisConnection = Redis | Cluster

/** A producer gives up on a command after this; it is then unknown whether the command took effect. */
const commandTimeoutMs = 2_000
const connectTimeoutMs = 3_000
/** How long a server that hangs may take to say goodbye, while another one has taken its place. */
const disconnectTimeoutMs = 500
const reconnectMaxMs = 1_000
/** A sentinel that accepts connections and does not answer is passed over. */
const sentinelTimeoutMs = 1_000
/**
 * How often a Cluster is asked who its masters are. Commands find out by themselves if a master died or was demoted,
 * but not if it hangs.
 */
const findMastersEveryMs = 2_000
/** While a Cluster elects a master, its nodes name the dead one, or each other. */
const redirectPauseMs = 100
/** For a producer. Together they last less long than a command. */
const redirectionsMax = 16

/** Whether the caller can wait until the server is back. */
interface Role {
  isPatient: boolean
}

/**
 * A connection for callers that must never hang: without a server, or with one that does not answer, every command
 * fails within two seconds. (BullMQ's documented option alone still hangs at start; these together do not.)
 */
export function openProducerRedis(url: string, log: Logger): RedisConnection {
  return open(url, { isPatient: false }, log)
}

/** A connection for workers, which can only wait until the server is back. */
export function openConsumerRedis(url: string, log: Logger): RedisConnection {
  return open(url, { isPatient: true }, log)
}

function open(url: string, role: Role, log: Logger): RedisConnection {
  const address = parseRedisUrl(url)
  const options = {
    protocol: 2 as const,
    connectTimeout: connectTimeoutMs,
    disconnectTimeout: disconnectTimeoutMs,
    maxRetriesPerRequest: null,
    ...(role.isPatient ? {} : { commandTimeout: commandTimeoutMs }),
  }
  const reconnecting = {
    ...options,
    enableOfflineQueue: role.isPatient,
    retryStrategy,
    // The server was demoted behind an address that stays the same. Its connections would refuse all changes permanently.
    reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
  }
  if (address.kind === 'server') return watched(new Redis(url, reconnecting), log)

  const { username, password, isTls } = address
  const logIn = { ...given({ username, password }), ...(isTls ? { tls: {} } : {}) }
  if (address.kind === 'sentinel') {
    const { sentinels, name, db, sentinelUsername, sentinelPassword } = address
    return reconnected(
      new Redis({
        ...reconnecting,
        ...logIn,
        sentinels,
        name,
        db,
        ...given({ sentinelUsername, sentinelPassword }),
        ...(isTls ? { enableTLSForSentinelMode: true, sentinelTLS: {} } : {}),
        sentinelCommandTimeout: sentinelTimeoutMs,
        sentinelRetryStrategy: retryStrategy,
        // Without it a connection stays with a master that hangs, or is cut off, although another one took its place.
        failoverDetector: true,
      }),
      log,
    )
  }
  const ClusterOfRole = role.isPatient ? Cluster : ProducerCluster
  return watchedCluster(
    new ClusterOfRole(address.nodes, {
      redisOptions: { ...options, ...logIn },
      maxRedirections: role.isPatient ? Infinity : redirectionsMax,
      retryDelayOnMoved: redirectPauseMs,
      retryDelayOnFailover: redirectPauseMs,
      retryDelayOnClusterDown: redirectPauseMs,
      slotsRefreshInterval: findMastersEveryMs,
      clusterRetryStrategy: retryStrategy,
      // Each connection looks the name up itself, and compares it with the certificate.
      dnsLookup: (host, tell) => {
        tell(null, host)
      },
    }),
    log,
  )
}

/**
 * A Cluster that keeps no command until it can be reached. Its option `enableOfflineQueue: false` would also refuse
 * commands for a node that only now connects, among them its own check of the Cluster: most attempts to connect fail.
 */
class ProducerCluster extends Cluster {
  override sendCommand(command: Command, ...rest: Rest): unknown {
    // Its own questions go to any node.
    if ((this.status === 'ready' && this.nodes().length > 0) || command.name === 'cluster')
      return super.sendCommand(command, ...rest)
    command.reject(unreachable())
    return command.promise
  }

  /** Where pipelines wait. */
  override delayUntilReady(tell: (error?: Error) => void): void {
    tell(unreachable())
  }
}

type Rest = Parameters<Cluster['sendCommand']> extends [unknown, ...infer Others] ? Others : never

const unreachable = () => new Error('the Redis Cluster cannot be reached')
const lostMaster = () => new Error('a master of the Redis Cluster closed the connection')

function retryStrategy(attempt: number): number {
  return Math.min(attempt * 100, reconnectMaxMs)
}

function given<Key extends string>(values: Record<Key, string | undefined>): Partial<Record<Key, string>> {
  const pairs = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(pairs) as Partial<Record<Key, string>>
}

/** The servers that the keys are on now; empty if a Cluster cannot be reached. */
export function mastersOf(redis: RedisConnection): readonly Redis[] {
  return redis instanceof Cluster ? redis.nodes('master') : [redis]
}

/** Resolves if each part of the keys can be reached. */
export async function pingMasters(redis: RedisConnection): Promise<void> {
  const masters = mastersOf(redis)
  if (masters.length === 0) throw unreachable()
  await Promise.all(masters.map((master) => master.ping()))
}

/** Calls the listener whenever a connection is made, and when other nodes of a Cluster become its masters. */
export function onNewMasters(redis: RedisConnection, listener: () => void): void {
  redis.on('ready', listener)
  if (!(redis instanceof Cluster)) return
  const namesOf = () => mastersOf(redis).map(nameOf).sort().join()
  let known = ''
  redis.on('ready', () => {
    known = namesOf()
  })
  redis.on('refresh', () => {
    if (redis.status !== 'ready' || namesOf() === known) return
    known = namesOf()
    listener()
  })
}

const nameOf = ({ options }: Redis) => `${options.host ?? ''}:${options.port ?? ''}`

/**
 * ioredis ends a connection permanently if a sentinel names a new master while the connection looks the master up. This
 * error says so; ioredis does not emit it for a connection that we close.
 */
function reconnected(redis: Redis, log: Logger): Redis {
  redis.on('error', ({ message }: Error) => {
    if (message !== 'Connection is closed.') return
    // It ends after this event. A listener for the end would wait for our own closing, if it does not.
    setImmediate(() => {
      if (redis.status === 'end') void redis.connect().catch(() => undefined) // emitted as an error, too
    })
  })
  return watched(redis, log)
}

/** Logs once that the server is away and once that it is back, not with every attempt. */
function watched(redis: Redis, log: Logger): Redis {
  const { isAway, isBack } = createOutage(log)
  redis.on('error', isAway)
  redis.on('ready', isBack)
  return redis
}

/** The same for a Cluster, which is away when one of its masters is, and back when all of them are. */
function watchedCluster(cluster: Cluster, log: Logger): Cluster {
  const outage = createOutage(log)
  const isBack = async () => {
    await withinMs(pingMasters(cluster), commandTimeoutMs)
    const info: unknown = await withinMs(cluster.cluster('INFO'), commandTimeoutMs)
    if (/^cluster_state:ok/m.test(String(info))) outage.isBack()
  }
  cluster.on('error', outage.isAway)
  cluster.on('node error', (error: Error, name: string) => {
    const isMaster = mastersOf(cluster).some((master) => nameOf(master) === name)
    if (cluster.status === 'ready' && isMaster) outage.isAway(error)
  })
  // ioredis connects to a node with the first command for it, and drops a node that closes the connection silently: a
  // cluster that sends nothing before another master is elected would notice nothing.
  cluster.on('ready', () => {
    void withinMs(pingMasters(cluster), commandTimeoutMs).catch((error: unknown) => {
      if (cluster.status === 'ready') outage.isAway(error)
    })
  })
  cluster.on('+node', (node: Redis) => {
    node.on('close', () => {
      if (cluster.status === 'ready' && mastersOf(cluster).includes(node)) outage.isAway(lostMaster())
    })
  })
  cluster.on('refresh', () => {
    if (outage.lasts()) void isBack().catch(() => undefined) // still away
  })
  return cluster
}

function createOutage(log: Logger) {
  let lasts = false
  return {
    lasts: () => lasts,
    isAway: (error: unknown) => {
      if (!lasts) log.warn({ err: error }, 'Redis is away')
      lasts = true
    },
    isBack: () => {
      if (lasts) log.info('Redis is back')
      lasts = false
    },
  }
}
