import { resolve } from 'node:path'
import Joi from 'joi'
import { ConfigError, readConfig } from '../core/platform/config.ts'
import { secretNames, variables } from '../core/platform/config-variables.ts'
import { placeholderSecrets } from '../core/platform/example-secrets.ts'
import { surfaces } from '../core/platform/surfaces.ts'
import { readSecretFiles } from '../core/platform/secret-files.ts'

/** The settings of `npm start` itself, from the environment. */
export interface Settings {
  /** The address that the API listens on. */
  host: string
  port: number
  basePath: string
  /** Where everything is kept between two starts. */
  localDir: string
  /** A PostgreSQL and a Redis to use instead of our own. */
  databaseUrl: string | undefined
  /** That PostgreSQL past its pooler, if it has one. */
  directUrl: string | undefined
  /** The role to migrate that PostgreSQL with; without it, the one that the services use. */
  migrateDatabaseUrl: string | undefined
  redisUrl: string | undefined
  /** Where to look for redis-server. */
  searchPath: string
  shutdownTimeoutMs: number
  /** The services' variables as they were given, without the empty ones; they go to the services unchanged. */
  given: Record<string, string>
}

type Variables = Record<string, string | undefined>

/**
 * Other than in production, only this machine reaches the service unless HOST says so, and no load balancer has to
 * learn that it stops.
 */
const defaults = { HOST: '127.0.0.1', DRAIN_DELAY_SECONDS: '0' }

/**
 * It may call wallets and webhook receivers that run here, as long as only this machine can configure them. With
 * another HOST this must be allowed explicitly, or others could make it call into the network.
 */
function outboundDefault(host: string): Record<string, string> {
  const isOwn = host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
  return { OUTBOUND_ALLOW_PRIVATE: String(isOwn) }
}

/**
 * This is not production, also if the shell is set up for it: one process serves players and management, on one port.
 * The contents of files are handed on by value.
 */
const always = {
  NODE_ENV: 'development',
  SURFACES: surfaces.join(),
  ADMIN_PORT: '',
  ...Object.fromEntries(secretNames.map((name) => [`${name}_FILE`, ''])),
}

/**
 * Placeholders for values that are only known after the start, so that the services' own rules can check all others
 * before it.
 */
const placeholders = {
  DATABASE_URL: 'postgresql://127.0.0.1/placeholder',
  ...placeholderSecrets,
}

const localDir = Joi.string()
  .pattern(/^[^\0\r\n]+$/)
  .default('.local')

/** Reads and checks every variable before anything is started. Throws a ConfigError that names every problem. */
export function readSettings(env: Variables = process.env): Settings {
  const fromFiles = readSecretFiles(secretNames, env)
  if (fromFiles.problems.length > 0) throw new ConfigError(fromFiles.problems.map(({ message }) => message))
  const given = Object.fromEntries(
    Object.keys(variables)
      .map((name) => [name, fromFiles.values[name] ?? env[name] ?? ''] as const)
      .filter(([, value]) => value !== ''),
  )
  const unset = { ...defaults, ...outboundDefault(given['HOST'] ?? defaults.HOST) }
  const config = readConfig({ ...placeholders, ...unset, ...given, ...always })
  const folder = localDir.validate(env['LOCAL_DIR'] === '' ? undefined : env['LOCAL_DIR'])
  if (folder.error) throw new ConfigError(['LOCAL_DIR must be the path of a folder'])
  return {
    host: config.host,
    port: config.port,
    basePath: config.basePath,
    localDir: resolve(folder.value),
    databaseUrl: given['DATABASE_URL'],
    directUrl: given['DATABASE_URL'] === undefined ? undefined : given['DATABASE_DIRECT_URL'],
    migrateDatabaseUrl: given['MIGRATE_DATABASE_URL'],
    redisUrl: given['REDIS_URL'],
    searchPath: env['PATH'] ?? '',
    shutdownTimeoutMs: config.shutdownTimeoutMs,
    given: { ...unset, ...given, ...always },
  }
}
