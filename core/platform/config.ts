import Joi from 'joi'
import { variables } from './config-variables.ts'
import type { Parsed } from './config-variables.ts'
import { readLocalService } from './local-service.ts'
import { findUnsafeSettings } from './production.ts'
import { defaultQuotas, parseQuotas } from './quotas.ts'
import type { Quotas } from './quotas.ts'
import { defaultRateLimits, parseRateLimits } from './rate-limits.ts'
import type { RateLimits } from './rate-limits.ts'
import { readSecretFiles } from './secret-files.ts'
import type { Problem } from './secret-files.ts'
import { parseSurfaces } from './surfaces.ts'
import type { Surface } from './surfaces.ts'

/** Where BullMQ keeps its jobs. */
export type QueueConfig =
  { backend: 'redis'; redisUrl: string; prefix: string } | { backend: 'postgres'; databaseUrl: string }

/** A key-encryption key: 32 bytes under the id that is stored beside what it encrypted. */
export interface EncryptionKey {
  id: string
  key: Buffer
}

/** The configuration of the API and the worker, parsed and checked once at start. */
export interface Config {
  host: string
  port: number
  /** What the API serves on that port. */
  surfaces: ReadonlySet<Surface>
  /** Where a process that serves management alone listens. */
  managePort: number
  /** Where a process that serves players alone tells its own metrics; without it, nowhere. */
  metricsPort: number | undefined
  basePath: string
  databaseUrl: string
  /** Of a worker, and of each surface of the API. */
  databasePoolMax: number
  queue: QueueConfig
  adminApiKey: string
  hashSecret: string
  /** The first one encrypts, all of them decrypt. */
  encryptionKeys: readonly EncryptionKey[]
  logLevel: string
  isProduction: boolean
  /** Believe `X-Forwarded-Proto` and `X-Forwarded-For`, which a proxy in front of us sets. */
  trustProxy: boolean
  /** How many proxies stand before us, each of which adds an entry to `X-Forwarded-For`. */
  trustProxyHops: number
  /** More connections than this are closed as they come. */
  connectionsMax: number
  /** The same of one address; undefined behind a proxy, from which all come. */
  connectionsPerAddressMax: number | undefined
  /** What a casino's keys may do together, unless its setting says otherwise. */
  rateLimits: RateLimits
  /** How much a casino may have, unless its setting says otherwise. */
  quotas: Quotas
  /** After so many wrong keys from an address, others from there are not looked at for a while. */
  failedKeysPerMinute: number
  /** Where a weakness is to be reported, as an URI; for /.well-known/security.txt. */
  securityContact: string | undefined
  workerConcurrency: number
  /** Where the worker answers /healthz and /metrics; without it, it listens nowhere. */
  workerPort: number | undefined
  /** How long unfinished work may lie before the relay puts its job into the queue again. */
  rescueAfterMs: number
  shutdownTimeoutMs: number
  /** How long the API goes on after /readyz has begun to say that it stops. */
  drainDelayMs: number
  /** After how many draws, or after how long, a casino goes on with its next server seed. */
  rotateSeedAfterDraws: number
  rotateSeedAfterMs: number
  /** Let casinos name wallets, providers and webhook receivers in private networks, and without TLS. */
  allowPrivateAddresses: boolean
  /** How long a repeated Idempotency-Key is answered with the first success. */
  keepIdempotencyMs: number
  /** How many finished jobs each queue keeps for people to look at. */
  keepCompletedJobs: number
}

/** Tells all that is wrong with the environment, one problem a line, without repeating any value. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigError'
  }
}

type Variables = Record<string, string | undefined>

/**
 * Where a tool finds the service that it works on: in its environment or, with `--local`, in what `npm start` has written
 * down. Never in both: a DATABASE_URL of another database, left in a shell, must not be taken for it.
 */
export function chooseVariables({ local }: { local: boolean }, env: Variables = process.env): Variables {
  if (!local) return env
  try {
    return readLocalService(env['LOCAL_DIR'] || '.local')
  } catch (error) {
    throw new ConfigError([error instanceof Error ? error.message : String(error)])
  }
}

/** Reads the configuration from environment variables. Throws a ConfigError that names every problem. */
export function readConfig(env: Variables = process.env): Config {
  return toConfig(parseVariables<Parsed>(variables, env, findUnsafeSettings))
}

/** What verifying the audit trails needs, and whatever writes into them. */
export function readAuditConfig(env: Variables = process.env): Pick<Config, 'databaseUrl' | 'hashSecret'> {
  const { DATABASE_URL, HASH_SECRET } = readOnly(['DATABASE_URL', 'HASH_SECRET'], env)
  return { databaseUrl: DATABASE_URL, hashSecret: HASH_SECRET }
}

/** The configuration of the program that rewraps data keys. */
export function readEncryptionConfig(
  env: Variables = process.env,
): Pick<Config, 'databaseUrl' | 'encryptionKeys' | 'hashSecret'> {
  const parsed = readOnly(['DATABASE_URL', 'ENCRYPTION_KEYS', 'HASH_SECRET'], env)
  return {
    databaseUrl: parsed.DATABASE_URL,
    encryptionKeys: parseEncryptionKeys(parsed.ENCRYPTION_KEYS),
    hashSecret: parsed.HASH_SECRET,
  }
}

/**
 * What migrating needs: it is run by deployments, which need not know the services' secrets. `ownerUrl` is whom it is done
 * as, and `databaseUrl` what the services use: the same where there is one role for both.
 */
export function readMigrationConfig(
  env: Variables = process.env,
): Pick<Config, 'databaseUrl' | 'queue'> & { ownerUrl: string } {
  const parsed = readOnly(['DATABASE_URL', 'MIGRATE_DATABASE_URL', 'REDIS_URL', 'QUEUE_PREFIX'], env)
  return {
    databaseUrl: parsed.DATABASE_URL,
    ownerUrl: parsed.MIGRATE_DATABASE_URL ?? parsed.DATABASE_URL,
    queue: toQueueConfig(parsed),
  }
}

/** A few variables, for commands that are run where the others are not known. */
function readOnly<Name extends keyof Parsed>(names: readonly Name[], env: Variables): Pick<Parsed, Name> {
  return parseVariables(Object.fromEntries(names.map((name) => [name, variables[name]])), env)
}

/**
 * An empty variable counts as one that is not set, as usual in compose files. A variable has at most one problem: what
 * keeps its file from being read, or else what is wrong with its value.
 */
function parseVariables<Values>(
  schemas: Record<string, Joi.Schema>,
  env: Variables,
  findMore: (values: Partial<Values>) => Problem[] = () => [],
): Values {
  const fromFiles = readSecretFiles(Object.keys(schemas), env)
  const given = Object.fromEntries(
    Object.keys(schemas)
      .map((name) => [name, fromFiles.values[name] ?? env[name]] as const)
      .filter(([, value]) => value !== undefined && value !== ''),
  )
  const result = Joi.object<Values>(schemas).validate(given, validateOptions)
  const details = result.error?.details ?? []
  const invalid: Problem[] = details.map(({ path, message }) => ({ name: String(path[0]), message }))
  const bad = new Set([...fromFiles.problems, ...invalid].map(({ name }) => name))
  // What Joi found nothing wrong with has its type, also when there is something wrong beside it.
  const sound = Object.fromEntries(Object.entries(result.value as object).filter(([name]) => !bad.has(name)))
  const unreadable = new Set(fromFiles.problems.map(({ name }) => name))
  const problems = [
    ...fromFiles.problems,
    ...invalid.filter(({ name }) => !unreadable.has(name)),
    ...findMore(sound as Partial<Values>),
  ]
  if (problems.length > 0 || result.error) throw new ConfigError(problems.map(({ message }) => message))
  return result.value
}

const validateOptions: Joi.ValidationOptions = {
  abortEarly: false,
  errors: { wrap: { label: false } },
  messages: { 'string.pattern.base': '{{#label}} does not have the documented form' }, // Joi's own repeats the value
}

function toQueueConfig({
  REDIS_URL,
  QUEUE_PREFIX,
  DATABASE_URL,
}: Pick<Parsed, 'DATABASE_URL' | 'REDIS_URL' | 'QUEUE_PREFIX'>): QueueConfig {
  return REDIS_URL === undefined
    ? { backend: 'postgres', databaseUrl: DATABASE_URL }
    : { backend: 'redis', redisUrl: REDIS_URL, prefix: QUEUE_PREFIX }
}

function toConfig(parsed: Parsed): Config {
  return {
    host: parsed.HOST,
    port: parsed.PORT,
    surfaces: parseSurfaces(parsed.SURFACES) ?? new Set(),
    managePort: parsed.MANAGE_PORT,
    metricsPort: parsed.METRICS_PORT,
    basePath: parsed.BASE_PATH,
    databaseUrl: parsed.DATABASE_URL,
    databasePoolMax: parsed.DATABASE_POOL_MAX,
    queue: toQueueConfig(parsed),
    adminApiKey: parsed.ADMIN_API_KEY,
    hashSecret: parsed.HASH_SECRET,
    encryptionKeys: parseEncryptionKeys(parsed.ENCRYPTION_KEYS),
    logLevel: parsed.LOG_LEVEL,
    isProduction: parsed.NODE_ENV === 'production',
    trustProxy: parsed.TRUST_PROXY,
    trustProxyHops: parsed.TRUST_PROXY_HOPS,
    connectionsMax: parsed.MAX_CONNECTIONS,
    connectionsPerAddressMax: parsed.TRUST_PROXY ? undefined : parsed.MAX_CONNECTIONS_PER_ADDRESS,
    rateLimits: parseRateLimits(parsed.RATE_LIMITS, defaultRateLimits) ?? defaultRateLimits,
    quotas: parseQuotas(parsed.QUOTAS, defaultQuotas) ?? defaultQuotas,
    failedKeysPerMinute: parsed.FAILED_KEYS_PER_MINUTE,
    securityContact: parsed.SECURITY_CONTACT,
    workerConcurrency: parsed.WORKER_CONCURRENCY,
    workerPort: parsed.WORKER_PORT,
    rescueAfterMs: parsed.RESCUE_AFTER_SECONDS * 1000,
    shutdownTimeoutMs: parsed.SHUTDOWN_TIMEOUT_SECONDS * 1000,
    drainDelayMs: parsed.DRAIN_DELAY_SECONDS * 1000,
    rotateSeedAfterDraws: parsed.SEED_ROTATE_AFTER_DRAWS,
    rotateSeedAfterMs: parsed.SEED_ROTATE_AFTER_HOURS * 3_600_000,
    allowPrivateAddresses: parsed.OUTBOUND_ALLOW_PRIVATE !== 'false',
    keepIdempotencyMs: parsed.IDEMPOTENCY_RETENTION_DAYS * 86_400_000,
    keepCompletedJobs: parsed.KEEP_COMPLETED_JOBS,
  }
}

/** Of the form `id:base64,id:base64`, which the schema has checked. */
function parseEncryptionKeys(text: string): EncryptionKey[] {
  return text.split(',').map((part) => {
    const colon = part.indexOf(':')
    return { id: part.slice(0, colon), key: Buffer.from(part.slice(colon + 1), 'base64') }
  })
}
