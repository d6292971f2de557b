import Joi from 'joi'
import { variables } from './config-variables.ts'
import type { Parsed } from './config-variables.ts'
import { databaseUrls, toDirectUrl, toReplica } from './database-urls.ts'
import type { DirectUrl, WithReplica } from './database-urls.ts'
import { parseEncryptionKeys } from './encryption-keys.ts'
import type { EncryptionKey } from './encryption-keys.ts'
import { readLocalService } from './local-service.ts'
import { findEarlyArchive, toArchiveAfterMs } from './event-keeping.ts'
import { findUnsafeSettings } from './production.ts'
import { toQueueConfig } from './queue-config.ts'
import type { QueueConfig } from './queue-config.ts'
import { defaultQuotas, parseQuotas } from './quotas.ts'
import type { Quotas } from './quotas.ts'
import { defaultRateLimits, parseRateLimits } from './rate-limits.ts'
import type { RateLimits } from './rate-limits.ts'
import { readSecretFiles } from './secret-files.ts'
import type { Problem } from './secret-files.ts'
import { findSingleSignOnProblems, toSingleSignOnConfig } from './single-sign-on.ts'
import type { SingleSignOnConfig } from './single-sign-on.ts'
import { parseSurfaces } from './surfaces.ts'
import type { Surface } from './surfaces.ts'
import { toTracingConfig } from './tracing-config.ts'
import type { TracingConfig } from './tracing-config.ts'

/** The configuration of the API and the worker, parsed and checked once at start. */
export interface Config extends WithReplica {
  host: string
  port: number
  /** The surfaces that the API serves on that port. */
  surfaces: ReadonlySet<Surface>
  /** The port of management if it has one of its own; undefined if the surfaces of a process share `port`. */
  adminPort: number | undefined
  /** The metrics port of a process that serves only players; without it, its metrics are not served. */
  metricsPort: number | undefined
  basePath: string
  databaseUrl: string
  /** The pool size of a worker, and of each surface of the API. */
  databasePoolMax: number
  queue: QueueConfig
  adminApiKey: string
  hashSecret: string
  /** The first key encrypts, all of them decrypt. */
  encryptionKeys: readonly EncryptionKey[]
  logLevel: string
  isProduction: boolean
  /** Trust `X-Forwarded-Proto` and `X-Forwarded-For`, set by a proxy in front of the service. */
  trustProxy: boolean
  /** The number of proxies in front of the service; each adds an entry to `X-Forwarded-For`. */
  trustProxyHops: number
  /** Connections above this number are closed immediately. */
  connectionsMax: number
  /** The same per address; undefined behind a proxy, which is the address of all connections. */
  connectionsPerAddressMax: number | undefined
  /** The rate limits of a casino's keys together, unless its setting overrides them. */
  rateLimits: RateLimits
  /** The quotas of a casino, unless its setting overrides them. */
  quotas: Quotas
  /** After this many wrong keys from an address, further ones from there are refused unchecked for a while. */
  failedKeysPerMinute: number
  /** The contact for reports of vulnerabilities, as a URI; for /.well-known/security.txt. */
  securityContact: string | undefined
  /** How operators sign in at an identity provider; undefined without one. */
  singleSignOn: SingleSignOnConfig | undefined
  workerConcurrency: number
  /** The port of the worker's /healthz and /metrics; without it, the worker does not listen. */
  workerPort: number | undefined
  /** The age of unfinished work at which the relay puts its job into the queue again. */
  rescueAfterMs: number
  shutdownTimeoutMs: number
  /** How long the API still serves requests after /readyz has begun to report that it is stopping. */
  drainDelayMs: number
  /** The number of draws, or the age, after which a casino's server seed is rotated. */
  rotateSeedAfterDraws: number
  rotateSeedAfterMs: number
  /** Let casinos configure wallets, providers and webhook receivers in private networks, and without TLS. */
  allowPrivateAddresses: boolean
  /** How long a repeated Idempotency-Key is answered with the first success. */
  keepIdempotencyMs: number
  /** How far back the feed of events reaches. */
  keepFeedMs: number
  /** How old the events of an object that has ended must be to move into the archive; undefined if none do. */
  archiveAfterMs: number | undefined
  /** The number of finished jobs that each queue keeps for operators to inspect. */
  keepCompletedJobs: number
  /** Where spans are exported to; undefined where tracing is off. */
  tracing: TracingConfig | undefined
  /** Where people look at a trace, with `{trace_id}`. */
  traceUrl: string | undefined
}

/** Reports all problems of the environment, one per line, without repeating any value. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigError'
  }
}

type Variables = Record<string, string | undefined>

/**
 * The source of the settings of a tool: its environment or, with `--local`, the file written by `npm start`. Never
 * both: a DATABASE_URL of another database, left in a shell, must not be used by mistake.
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
  return toConfig(
    parseVariables<Parsed>(variables, env, (values, given) => [
      ...findUnsafeSettings(values),
      ...findEarlyArchive(values),
      ...findSingleSignOnProblems(values, given),
    ]),
  )
}

/** The variables for verifying the audit trails, and for all programs that write to them. */
export function readAuditConfig(env: Variables = process.env): DirectUrl & Pick<Config, 'hashSecret'> {
  const parsed = readOnly([...databaseUrls, 'HASH_SECRET'], env)
  return { directUrl: toDirectUrl(parsed), hashSecret: parsed.HASH_SECRET }
}

/** The configuration of the program that rewraps data keys. */
export function readEncryptionConfig(
  env: Variables = process.env,
): DirectUrl & Pick<Config, 'encryptionKeys' | 'hashSecret'> {
  const parsed = readOnly([...databaseUrls, 'ENCRYPTION_KEYS', 'HASH_SECRET'], env)
  return {
    directUrl: toDirectUrl(parsed),
    encryptionKeys: parseEncryptionKeys(parsed.ENCRYPTION_KEYS),
    hashSecret: parsed.HASH_SECRET,
  }
}

/**
 * The variables for migrating: deployments run it, and need not know the services' secrets. `ownerUrl` is the role that
 * migrates, `directUrl` the one of the services, with or without a pooler; with only one role they are the same.
 */
export function readMigrationConfig(
  env: Variables = process.env,
): DirectUrl & Pick<Config, 'queue'> & { ownerUrl: string; hasPooler: boolean } {
  const parsed = readOnly([...databaseUrls, 'MIGRATE_DATABASE_URL', 'REDIS_URL', 'QUEUE_PREFIX'], env)
  const directUrl = toDirectUrl(parsed)
  return {
    directUrl,
    ownerUrl: parsed.MIGRATE_DATABASE_URL ?? directUrl,
    hasPooler: parsed.DATABASE_DIRECT_URL !== undefined,
    queue: toQueueConfig(parsed),
  }
}

/** A subset of the variables, for commands that run where the others are unknown. */
function readOnly<Name extends keyof Parsed>(names: readonly Name[], env: Variables): Pick<Parsed, Name> {
  return parseVariables(Object.fromEntries(names.map((name) => [name, variables[name]])), env)
}

/**
 * An empty variable counts as unset, as usual in compose files. A variable has at most one problem: its file cannot be
 * read, or its value is invalid.
 */
function parseVariables<Values>(
  schemas: Record<string, Joi.Schema>,
  env: Variables,
  findMore: (values: Partial<Values>, given: ReadonlySet<string>) => Problem[] = () => [],
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
  // Variables that Joi accepted have their type, even if others are invalid.
  const sound = Object.fromEntries(Object.entries(result.value as object).filter(([name]) => !bad.has(name)))
  const unreadable = new Set(fromFiles.problems.map(({ name }) => name))
  const problems = [
    ...fromFiles.problems,
    ...invalid.filter(({ name }) => !unreadable.has(name)),
    ...findMore(sound as Partial<Values>, new Set([...Object.keys(given), ...unreadable])),
  ]
  if (problems.length > 0 || result.error) throw new ConfigError(problems.map(({ message }) => message))
  return result.value
}

const validateOptions: Joi.ValidationOptions = {
  abortEarly: false,
  errors: { wrap: { label: false } },
  messages: { 'string.pattern.base': '{{#label}} does not have the documented form' }, // Joi's own repeats the value
}

function toConfig(parsed: Parsed): Config {
  return {
    host: parsed.HOST,
    port: parsed.PORT,
    surfaces: parseSurfaces(parsed.SURFACES) ?? new Set(),
    adminPort: parsed.ADMIN_PORT,
    metricsPort: parsed.METRICS_PORT,
    basePath: parsed.BASE_PATH,
    databaseUrl: parsed.DATABASE_URL,
    replica: toReplica(parsed),
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
    singleSignOn: toSingleSignOnConfig(parsed),
    workerConcurrency: parsed.WORKER_CONCURRENCY,
    workerPort: parsed.WORKER_PORT,
    rescueAfterMs: parsed.RESCUE_AFTER_SECONDS * 1000,
    shutdownTimeoutMs: parsed.SHUTDOWN_TIMEOUT_SECONDS * 1000,
    drainDelayMs: parsed.DRAIN_DELAY_SECONDS * 1000,
    rotateSeedAfterDraws: parsed.SEED_ROTATE_AFTER_DRAWS,
    rotateSeedAfterMs: parsed.SEED_ROTATE_AFTER_HOURS * 3_600_000,
    allowPrivateAddresses: parsed.OUTBOUND_ALLOW_PRIVATE !== 'false',
    keepIdempotencyMs: parsed.IDEMPOTENCY_RETENTION_DAYS * 86_400_000,
    keepFeedMs: parsed.EVENT_FEED_DAYS * 86_400_000,
    archiveAfterMs: toArchiveAfterMs(parsed),
    keepCompletedJobs: parsed.KEEP_COMPLETED_JOBS,
    tracing: toTracingConfig(parsed),
    traceUrl: parsed.TRACE_URL,
  }
}
