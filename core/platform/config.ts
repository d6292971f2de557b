import Joi from 'joi'

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
  basePath: string
  databaseUrl: string
  databasePoolMax: number
  queue: QueueConfig
  adminApiKey: string
  hashSecret: string
  /** The first one encrypts, all of them decrypt. */
  encryptionKeys: readonly EncryptionKey[]
  logLevel: string
  /** Believe `X-Forwarded-Proto` and `X-Forwarded-For`, which a proxy in front of us sets. */
  trustProxy: boolean
  workerConcurrency: number
  /** Where the worker answers /healthz and /metrics; without it, it listens nowhere. */
  workerPort: number | undefined
  /** How long unfinished work may lie before the relay puts its job into the queue again. */
  rescueAfterMs: number
  shutdownTimeoutMs: number
  /** After how many draws, or after how long, a casino goes on with its next server seed. */
  rotateSeedAfterDraws: number
  rotateSeedAfterMs: number
  /** Let casinos name wallets, providers and webhook receivers in private networks, and without TLS. */
  allowPrivateAddresses: boolean
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

const encryptionKeyPattern = /^[a-z0-9-]{1,32}:[A-Za-z0-9+/]{43}=$/

const port = Joi.number().port()
const postgresUrl = Joi.string().uri({ scheme: ['postgres', 'postgresql'] })

/** Every variable, with its default and bounds. docs/operations.md has the same table for people; a test compares them. */
export const variables = {
  HOST: Joi.string().default('0.0.0.0'),
  PORT: port.default(3000),
  BASE_PATH: Joi.string()
    .pattern(/^(\/[A-Za-z0-9._~-]+)*$/)
    .default(''),
  DATABASE_URL: postgresUrl.required(),
  DATABASE_POOL_MAX: Joi.number().integer().min(3).max(200).default(10),
  REDIS_URL: Joi.string().uri({ scheme: ['redis', 'rediss', 'unix'] }),
  QUEUE_PREFIX: Joi.string()
    .pattern(/^[A-Za-z0-9_{}-]{1,64}$/)
    .default('{rewards}'),
  ADMIN_API_KEY: Joi.string().min(16).max(256).required(),
  HASH_SECRET: Joi.string().min(32).max(256).required(),
  ENCRYPTION_KEYS: Joi.string()
    .custom((value: string, helpers) => {
      const parts = value.split(',')
      if (!parts.every((part) => encryptionKeyPattern.test(part))) return helpers.error('keys.form')
      // Under one id, what the first key encrypted would be decrypted with another, and so never again.
      const ids = new Set(parts.map((part) => parseEncryptionKey(part).id))
      return ids.size === parts.length ? value : helpers.error('keys.unique')
    })
    .messages({
      'keys.form': '{{#label}} must be a comma-separated list of id:base64 of 32 bytes',
      'keys.unique': '{{#label}} must not have two keys with the same id',
    })
    .required(),
  LOG_LEVEL: Joi.string().valid('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  TRUST_PROXY: Joi.boolean().default(false),
  WORKER_CONCURRENCY: Joi.number().integer().min(1).max(1000).default(128),
  WORKER_PORT: port,
  RESCUE_AFTER_SECONDS: Joi.number().min(0.1).max(86_400).default(60),
  SHUTDOWN_TIMEOUT_SECONDS: Joi.number().min(1).max(600).default(15),
  SEED_ROTATE_AFTER_DRAWS: Joi.number().integer().min(10).max(10_000_000).default(100_000),
  SEED_ROTATE_AFTER_HOURS: Joi.number().min(1).max(8760).default(168),
  OUTBOUND_ALLOW_PRIVATE: Joi.boolean().default(false),
  KEEP_COMPLETED_JOBS: Joi.number().integer().min(0).max(10_000_000).default(1000),
} as const

/** What the schema above turns the variables into. */
interface Parsed {
  HOST: string
  PORT: number
  BASE_PATH: string
  DATABASE_URL: string
  DATABASE_POOL_MAX: number
  REDIS_URL: string | undefined
  QUEUE_PREFIX: string
  ADMIN_API_KEY: string
  HASH_SECRET: string
  ENCRYPTION_KEYS: string
  LOG_LEVEL: string
  TRUST_PROXY: boolean
  WORKER_CONCURRENCY: number
  WORKER_PORT: number | undefined
  RESCUE_AFTER_SECONDS: number
  SHUTDOWN_TIMEOUT_SECONDS: number
  SEED_ROTATE_AFTER_DRAWS: number
  SEED_ROTATE_AFTER_HOURS: number
  OUTBOUND_ALLOW_PRIVATE: boolean
  KEEP_COMPLETED_JOBS: number
}

/** Reads the configuration from environment variables. Throws a ConfigError that names every problem. */
export function readConfig(env: Variables = process.env): Config {
  return toConfig(parseVariables(Joi.object<Parsed>(variables), env))
}

/** What migrating needs: it is run by deployments, which need not know the services' secrets. */
export function readMigrationConfig(env: Variables = process.env): Pick<Config, 'databaseUrl' | 'queue'> {
  const { DATABASE_URL, REDIS_URL, QUEUE_PREFIX } = variables
  const parsed = parseVariables(Joi.object<QueueVariables>({ DATABASE_URL, REDIS_URL, QUEUE_PREFIX }), env)
  return { databaseUrl: parsed.DATABASE_URL, queue: toQueueConfig(parsed) }
}

/** An empty variable counts as one that is not set, as usual in compose files. */
function parseVariables<Values>(schema: Joi.ObjectSchema<Values>, env: Variables): Values {
  const given = Object.fromEntries(
    Object.keys(variables)
      .map((name) => [name, env[name]] as const)
      .filter(([, value]) => value !== undefined && value !== ''),
  )
  const result = schema.validate(given, {
    abortEarly: false,
    stripUnknown: true,
    errors: { wrap: { label: false } },
  })
  if (result.error) throw new ConfigError(result.error.details.map((detail) => detail.message))
  return result.value
}

type QueueVariables = Pick<Parsed, 'DATABASE_URL' | 'REDIS_URL' | 'QUEUE_PREFIX'>

function toQueueConfig({ REDIS_URL, QUEUE_PREFIX, DATABASE_URL }: QueueVariables): QueueConfig {
  return REDIS_URL === undefined
    ? { backend: 'postgres', databaseUrl: DATABASE_URL }
    : { backend: 'redis', redisUrl: REDIS_URL, prefix: QUEUE_PREFIX }
}

function toConfig(parsed: Parsed): Config {
  return {
    host: parsed.HOST,
    port: parsed.PORT,
    basePath: parsed.BASE_PATH,
    databaseUrl: parsed.DATABASE_URL,
    databasePoolMax: parsed.DATABASE_POOL_MAX,
    queue: toQueueConfig(parsed),
    adminApiKey: parsed.ADMIN_API_KEY,
    hashSecret: parsed.HASH_SECRET,
    encryptionKeys: parsed.ENCRYPTION_KEYS.split(',').map(parseEncryptionKey),
    logLevel: parsed.LOG_LEVEL,
    trustProxy: parsed.TRUST_PROXY,
    workerConcurrency: parsed.WORKER_CONCURRENCY,
    workerPort: parsed.WORKER_PORT,
    rescueAfterMs: parsed.RESCUE_AFTER_SECONDS * 1000,
    shutdownTimeoutMs: parsed.SHUTDOWN_TIMEOUT_SECONDS * 1000,
    rotateSeedAfterDraws: parsed.SEED_ROTATE_AFTER_DRAWS,
    rotateSeedAfterMs: parsed.SEED_ROTATE_AFTER_HOURS * 3_600_000,
    allowPrivateAddresses: parsed.OUTBOUND_ALLOW_PRIVATE,
    keepCompletedJobs: parsed.KEEP_COMPLETED_JOBS,
  }
}

/** Of the form `id:base64`, which the schema has checked. */
function parseEncryptionKey(text: string): EncryptionKey {
  const colon = text.indexOf(':')
  return { id: text.slice(0, colon), key: Buffer.from(text.slice(colon + 1), 'base64') }
}
