import { readFileSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { withinMs } from '../../core/platform/deadline.ts'
import { startChild } from '../../local/child.ts'
import { findFreePort, PortTakenError, startOnFreePort } from '../../local/free-port.ts'
import { eventually } from './eventually.ts'
import { needProgram, withoutRedis } from './need-program.ts'
import { certificateFile } from './partner-server.ts'
import { makeServerFolder } from './server-folder.ts'

/** A server of Redis, for tests in which it dies while others take its place. */
export interface RedisServer {
  port: number
  pid: number
  /** A connection for commands about it. */
  admin: Redis
  stop: () => Promise<void>
}

/** Servers that stand in for each other, and what the service needs to know of them. */
export interface RedisGroup {
  url: string
  /** The server that all keys, or in a Cluster those of a hash tag, are on now; undefined while most do not agree. */
  findMaster: (tag: string) => Promise<RedisServer | undefined>
  /** Masters and replicas. */
  servers: readonly RedisServer[]
  stop: () => Promise<void>
}

/** The name in the certificate, which the servers tell each other and the service. */
const host = 'localhost'
/** Marks that mean something in a URL. */
const password = 'p@ss:w/rd+?#%'
const sentinelPassword = 'w@tch&me=%+'
const masterName = 'the master'

/** A server is taken for dead after this. Much less than in production, where it is 5 to 30 seconds. */
const deadAfterMs = 500
/** The nodes of a Cluster ask each other half as often. */
const nodeTimeoutMs = 1_000

/** The program; skips the tests of this hook or test in a run that is meant to have none. */
export function needRedisServer(context: Mocha.Context): string {
  if (process.env[withoutRedis] === 'true') return context.skip()
  return needProgram(context, ['redis-server', 'valkey-server'], 'redis-server')
}

/** A master with a replica, and three sentinels, two of which must agree that the master is dead. */
export async function startSentinelGroup(binary: string, { isTls = false } = {}): Promise<RedisGroup> {
  const group = openGroup(binary, isTls)
  return group.orStop(async () => {
    const shared = { requirepass: password, masterauth: password, 'replica-announce-ip': host }
    const master = await group.start('master', shared)
    const replica = await group.start('replica', {
      ...shared,
      replicaof: [host, String(master.port)],
    })
    await eventually('the replica follows', () => isFollowing(replica))
    const sentinels: RedisServer[] = []
    for (const place of ['first', 'second', 'third']) {
      sentinels.push(
        await group.start(`sentinel-${place}`, { requirepass: sentinelPassword }, [
          ['sentinel', 'sentinel-pass', sentinelPassword],
          ['sentinel', 'announce-hostnames', 'yes'],
          ['sentinel', 'announce-ip', host],
          ['sentinel', 'monitor', masterName, host, String(master.port), '2'],
          ['sentinel', 'auth-pass', masterName, password],
          ['sentinel', 'down-after-milliseconds', masterName, String(deadAfterMs)],
          ['sentinel', 'failover-timeout', masterName, '3000'],
        ]),
      )
    }
    await eventually('the sentinels know each other and the replica', async () => {
      const known = await Promise.all(
        sentinels.map(({ admin }) => admin.call('SENTINEL', 'MASTER', masterName)),
      )
      return known.every((fields) => {
        const [others, replicas] = ['num-other-sentinels', 'num-slaves'].map((name) => fieldOf(fields, name))
        return others === '2' && replicas === '1'
      })
    })
    const hosts = sentinels.map(({ port }) => `${host}:${port}`).join()
    return {
      url:
        `${isTls ? 'rediss' : 'redis'}+sentinel://default:${encodeURIComponent(password)}@${hosts}/${encodeURIComponent(masterName)}/1` +
        `?sentinel_password=${encodeURIComponent(sentinelPassword)}`,
      findMaster: async () => {
        const answers = await Promise.all(
          sentinels.map(({ admin }) => admin.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', masterName)),
        )
        const ports = answers.map((answer) => Number((answer as string[])[1]))
        return [master, replica].find(({ port }) => ports.filter((named) => named === port).length > 1)
      },
      servers: [master, replica],
      stop: group.stop,
    }
  })
}

/** A Cluster of three masters, each with a replica. */
export async function startClusterGroup(binary: string, { isTls = false } = {}): Promise<RedisGroup> {
  const group = openGroup(binary, isTls)
  return group.orStop(async () => {
    const nodes: (RedisServer & { busPort: number; id: string })[] = []
    for (let i = 0; i < 6; i++) {
      const busPort = await findFreePort()
      const server = await group.start(`node-${i}`, {
        requirepass: password,
        masterauth: password,
        'cluster-enabled': 'yes',
        'cluster-port': String(busPort),
        'cluster-node-timeout': String(nodeTimeoutMs),
        'cluster-config-file': 'nodes.conf',
        'cluster-announce-hostname': host,
        'cluster-preferred-endpoint-type': 'hostname',
        ...(isTls ? { 'tls-cluster': 'yes' } : {}),
      })
      nodes.push({ ...server, busPort, id: await server.admin.cluster('MYID') })
    }
    const masters = nodes.slice(0, 3)
    const slots = new Map<string, number>()
    const [first] = masters
    if (first === undefined) throw new Error('there are no nodes')
    for (const [i, { admin }] of nodes.entries()) await admin.call('CLUSTER', 'SET-CONFIG-EPOCH', i + 1)
    for (const [i, { admin }] of masters.entries()) {
      const [start, end] = [i, i + 1].map((share) => Math.floor((share * slotCount) / masters.length))
      await admin.call('CLUSTER', 'ADDSLOTSRANGE', String(start), String((end ?? 0) - 1))
    }
    for (const { port, busPort } of nodes.slice(1))
      await first.admin.call('CLUSTER', 'MEET', '127.0.0.1', port, busPort)
    await eventually('all nodes know each other', async () => {
      const infos = await Promise.all(nodes.map(({ admin }) => admin.cluster('INFO')))
      return infos.every((info) => /cluster_known_nodes:6\b/.test(info))
    })
    for (const [i, { admin }] of nodes.slice(3).entries())
      await admin.call('CLUSTER', 'REPLICATE', masters[i]?.id ?? '')
    await eventually('the replicas follow, and the Cluster works', async () => {
      const isReady = async (node: RedisServer, i: number) =>
        /cluster_state:ok/.test(await node.admin.cluster('INFO')) && (i < 3 || (await isFollowing(node)))
      return (await Promise.all(nodes.map(isReady))).every(Boolean)
    })
    return {
      url: `${isTls ? 'rediss' : 'redis'}+cluster://:${encodeURIComponent(password)}@${nodes.map(({ port }) => `${host}:${port}`).join()}`,
      findMaster: async (tag) => {
        const slot = slots.get(tag) ?? (await first.admin.cluster('KEYSLOT', `{${tag}}`))
        slots.set(tag, slot)
        const owners = await Promise.all(nodes.map((node) => findOwner(node, slot)))
        return nodes.find(({ port }) => owners.filter((owner) => owner === port).length > nodes.length / 2)
      },
      servers: nodes,
      stop: group.stop,
    }
  })
}

const slotCount = 16_384

/** The port of the master of a slot, as a node sees it; undefined if the node does not answer soon. */
async function findOwner({ admin }: RedisServer, slot: number): Promise<number | undefined> {
  const answer: unknown = await withinMs(admin.cluster('SLOTS'), 300).catch(() => [])
  const ranges = answer as [number, number, [string, number]][]
  return ranges.find(([start, end]) => slot >= start && slot <= end)?.[2][1]
}

function openGroup(binary: string, isTls: boolean) {
  const folder = makeServerFolder()
  const undo: (() => unknown)[] = [
    () => {
      rmSync(folder, { recursive: true, force: true })
    },
  ]
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  return {
    stop,
    start: async (name: string, settings: Settings, lines?: string[][]) => {
      const server = await startServer(binary, { folder: join(folder, name), settings, lines, isTls })
      undo.push(server.stop)
      return server
    },
    orStop: async <Value>(make: () => Promise<Value>): Promise<Value> => {
      try {
        return await make()
      } catch (error) {
        await stop()
        throw error
      }
    },
  }
}

type Settings = Record<string, string | string[]>

interface Start {
  folder: string
  settings: Settings
  /** A sentinel has lines of its own. */
  lines: string[][] | undefined
  isTls: boolean
}

async function startServer(binary: string, { folder, settings, lines, isTls }: Start): Promise<RedisServer> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return startOnFreePort(undefined, async (port) => {
    const ports: Settings = isTls ? { port: '0', 'tls-port': String(port), ...tls } : { port: String(port) }
    const kind = lines === undefined ? durable : { 'sentinel resolve-hostnames': 'yes' }
    const all = { ...common, dir: folder, ...ports, ...kind, ...settings }
    const texts = [
      ...Object.entries(all).map(([name, value]) => [...name.split(' '), value].flat()),
      ...(lines ?? []),
    ]
    const configFile = join(folder, 'redis.conf')
    await writeFile(
      configFile,
      texts.map((words) => `${words.map((word) => JSON.stringify(word)).join(' ')}\n`).join(''),
    )
    const output: string[] = []
    const child = await startChild({
      command: binary,
      args: [configFile, ...(lines === undefined ? [] : ['--sentinel'])],
      cwd: folder,
      env: { PATH: process.env['PATH'], LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'pipe'],
      stopSteps: [{ signal: 'SIGKILL', waitMs: 5_000 }],
      onLine: (line) => output.push(line),
    })
    const { requirepass } = settings
    const admin = new Redis({
      host,
      port,
      password: String(requirepass),
      protocol: 2,
      connectTimeout: 1_000,
      commandTimeout: 1_000,
      maxRetriesPerRequest: 1,
      retryStrategy: () => 50,
      ...(isTls ? { tls: { ca: readFileSync(certificateFile) } } : {}),
    })
    admin.on('error', () => undefined) // it has not begun to listen, or was killed
    const stop = async () => {
      admin.disconnect()
      await child.stop()
    }
    const answers = () =>
      admin.ping().then(
        () => true,
        () => false,
      )
    await eventually('a Redis server answers', async () => child.hasEnded() || (await answers()))
    if (!child.hasEnded()) return { port, pid: child.pid, admin, stop }
    await stop()
    const log = output.join('\n')
    if (/Address already in use|Failed listening/i.test(log)) throw new PortTakenError(log)
    throw new Error(`Redis did not start:\n${log}`)
  })
}

const common: Settings = { bind: ['127.0.0.1', '-::1'], 'protected-mode': 'yes', daemonize: 'no' }
/** As in production. */
const durable: Settings = {
  appendonly: 'yes',
  save: '',
  'maxmemory-policy': 'noeviction',
  'repl-diskless-sync-delay': '0',
}
const tls: Settings = {
  'tls-cert-file': certificateFile,
  'tls-key-file': join(certificateFile, '../key.pem'),
  'tls-ca-cert-file': certificateFile,
  'tls-auth-clients': 'no',
  'tls-replication': 'yes',
}

async function isFollowing({ admin }: RedisServer): Promise<boolean> {
  return /master_link_status:up/.test(await admin.info('replication'))
}

/** Of an answer that lists names and values in turn. */
function fieldOf(fields: unknown, name: string): string | undefined {
  const texts = fields as string[]
  return texts[texts.indexOf(name) + 1]
}
