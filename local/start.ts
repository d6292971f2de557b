import { randomBytes } from 'node:crypto'
import { open } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { migrateQueueTables } from '../core/queue/queue-backend.ts'
import { migrateDatabase } from '../prisma/migrate.ts'
import { setRoleSettings } from '../prisma/role-settings.ts'
import { grantRuntimeRole, roleOf } from '../prisma/runtime-role.ts'
import { prepareDemo } from './demo.ts'
import { localUrl, waitUntilReady } from './http.ts'
import type { OwnFolder, Paths } from './own-folder.ts'
import { startPostgres } from './postgres.ts'
import { findRedisServer, startRedis } from './redis.ts'
import { loadSecrets } from './secrets.ts'
import { keepPreviousLog, startService } from './service.ts'
import type { Settings } from './settings.ts'
import type { Stack } from './stack.ts'
import { describeStart } from './welcome.ts'

const databaseName = 'rewards'
const serviceRole = 'rewards_service'

interface Started {
  /** The text for the person who started it. */
  text: string
  /** Gives a new demo casino something to show. The start does not wait for it. */
  addLife: () => Promise<void>
}

/**
 * Starts the parts of the service, from the bottom up. Started parts are in the stack, also when this rejects; `signal`
 * ends the waiting.
 */
export async function startAll(
  settings: Settings,
  folder: OwnFolder,
  stack: Stack,
  signal: AbortSignal,
): Promise<Started> {
  const { paths } = folder
  const secrets = await loadSecrets(paths.secrets)
  const { ownerUrl, databaseUrl } = await chooseDatabase(settings, paths, stack)
  signal.throwIfAborted()
  const queues = await startQueues(settings, paths, stack)
  signal.throwIfAborted()
  await migrateDatabase(ownerUrl)
  if (queues.redisUrl === undefined) await migrateQueueTables(ownerUrl)
  const role = roleOf(databaseUrl)
  // The password of our own server's role is another one after each start: it need not be kept.
  if (role !== undefined) {
    const isOwnServer = settings.databaseUrl === undefined
    const isServiceAlone = await grantRuntimeRole(ownerUrl, { ...role, isPasswordSet: isOwnServer })
    if (isServiceAlone || settings.directUrl !== undefined) {
      await setRoleSettings(settings.directUrl ?? databaseUrl)
    }
  }
  signal.throwIfAborted()

  const serviceSettings = {
    ...secrets,
    ...settings.given,
    PORT: String(settings.port),
    DATABASE_URL: databaseUrl,
    DATABASE_DIRECT_URL: settings.directUrl ?? '',
    MIGRATE_DATABASE_URL: '', // the services have no business with the owner
    REDIS_URL: queues.redisUrl ?? '',
  }
  await folder.noteSettings(serviceSettings)
  await startServices(settings, folder, stack, { ...process.env, ...serviceSettings })
  const baseUrl = localUrl(settings)
  await waitUntilReady(baseUrl, signal)
  const adminKey = settings.given['ADMIN_API_KEY']
  const { demo, addLife } = await prepareDemo({
    baseUrl,
    adminKey: adminKey ?? secrets.ADMIN_API_KEY,
    keyFile: paths.demoKey,
    passwordFile: paths.demoPassword,
    colleaguePasswordFile: paths.demoColleaguePassword,
    mayCallItself: settings.given['OUTBOUND_ALLOW_PRIVATE'] === 'true',
  })
  const text = describeStart({
    baseUrl,
    queues: queues.description,
    adminKeyPlace: adminKey === undefined ? `ADMIN_API_KEY in ${paths.secrets}` : 'the one in ADMIN_API_KEY',
    localDir: paths.root,
    demo,
  })
  return { text, addLife }
}

/** The URLs of the database for its owner, and for the role that the services use. */
async function chooseDatabase(
  { databaseUrl, directUrl, migrateDatabaseUrl }: Settings,
  paths: Paths,
  stack: Stack,
): Promise<{ ownerUrl: string; databaseUrl: string }> {
  if (databaseUrl !== undefined) {
    return { ownerUrl: migrateDatabaseUrl ?? directUrl ?? databaseUrl, databaseUrl }
  }
  const ownerUrl = await startDatabase(paths, stack)
  const url = new URL(ownerUrl)
  url.username = serviceRole
  url.password = randomBytes(24).toString('hex')
  return { ownerUrl, databaseUrl: url.href }
}

async function startDatabase(paths: Paths, stack: Stack): Promise<string> {
  const logFile = join(paths.logs, 'postgres.log')
  await keepPreviousLog(logFile)
  const log = (await open(logFile, 'a', 0o600)).createWriteStream()
  const starting = startPostgres({ dataDir: paths.postgres, log: (line) => log.write(`${line}\n`) })
  // When the server has ended, or did not start: Node complains about a file that is forgotten while it is open.
  void starting
    .then(({ ended }) => ended)
    .finally(() => log.end())
    .catch(() => undefined) // thrown below
  const postgres = await starting
  stack.add({ name: 'PostgreSQL', logFile, ...postgres })
  return postgres.createDatabase(databaseName)
}

async function startQueues(
  settings: Settings,
  paths: Paths,
  stack: Stack,
): Promise<{ redisUrl: string | undefined; description: string }> {
  if (settings.redisUrl !== undefined) {
    return { redisUrl: settings.redisUrl, description: 'Redis, the one in REDIS_URL' }
  }
  const binary = findRedisServer(settings.searchPath)
  if (binary === undefined) {
    return {
      redisUrl: undefined,
      description:
        'PostgreSQL, because no redis-server or valkey-server is on the PATH; use Redis in production',
    }
  }
  const redis = await startRedis({ binary, dataDir: paths.redis })
  stack.add({ name: 'Redis', logFile: join(paths.redis, 'redis.log'), ...redis })
  return { redisUrl: redis.url, description: `Redis, a private ${basename(binary)}` }
}

async function startServices(
  settings: Settings,
  folder: OwnFolder,
  stack: Stack,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const { shutdownTimeoutMs, localDir } = settings
  const parts = await Promise.all(
    (['api', 'worker'] as const).map(async (name) => {
      const logFile = join(folder.paths.logs, `${name}.log`)
      const child = await startService({ name, logFile, env, localDir, shutdownTimeoutMs })
      return { name: name === 'api' ? 'The API' : 'The worker', logFile, ...child }
    }),
  )
  stack.add(...parts)
  for (const { pid } of parts) await folder.noteService(pid)
}
