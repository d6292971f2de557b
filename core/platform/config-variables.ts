import Joi from 'joi'
import { defaultQuotas, formatQuotas, parseQuotas } from './quotas.ts'
import { defaultRateLimits, formatRateLimits, parseRateLimits } from './rate-limits.ts'
import { parseRedisUrl, RedisUrlError } from './redis-url.ts'
import { singleSignOnVariables } from './single-sign-on.ts'
import type { ParsedSingleSignOn } from './single-sign-on.ts'
import { parseSurfaces, surfaces } from './surfaces.ts'
import { tracingVariables } from './tracing-config.ts'
import type { ParsedTracing } from './tracing-config.ts'

const encryptionKeyPattern = /^[a-z0-9-]{1,32}:[A-Za-z0-9+/]{43}=$/

const port = Joi.number().port()
const postgresUrl = Joi.string().uri({ scheme: ['postgres', 'postgresql'] })
const redisServerUrl = Joi.string().uri({ scheme: ['redis', 'rediss', 'unix'] })
const redisSchemes =
  'must be a URL such as redis://host:6379, rediss://…, unix://…, redis+sentinel://… or redis+cluster://…'

/** Every variable, with its default and bounds. docs/operate/configure.md has the same table; a test compares them. */
export const variables = {
  NODE_ENV: Joi.string().trim().lowercase().max(64).default('development'),
  HOST: Joi.string().default('0.0.0.0'),
  PORT: port.default(3000),
  SURFACES: Joi.string()
    .custom((value: string, helpers) =>
      parseSurfaces(value) === undefined ? helpers.error('surfaces.form') : value,
    )
    .messages({ 'surfaces.form': '{{#label}} must be play, manage or play,manage' })
    .default(surfaces.join()),
  ADMIN_PORT: port,
  METRICS_PORT: port,
  BASE_PATH: Joi.string()
    .pattern(/^(\/[A-Za-z0-9._~-]+)*$/)
    .default(''),
  DATABASE_URL: postgresUrl.required(),
  DATABASE_DIRECT_URL: postgresUrl,
  MIGRATE_DATABASE_URL: postgresUrl,
  DATABASE_REPLICA_URL: postgresUrl,
  DATABASE_REPLICA_WAIT_MS: Joi.number().integer().min(10).max(3_000).default(250),
  DATABASE_POOL_MAX: Joi.number().integer().min(3).max(200).default(10),
  REDIS_URL: Joi.string().custom((value: string, helpers) => {
    try {
      if (parseRedisUrl(value).kind !== 'server') return value
    } catch (error) {
      if (!(error instanceof RedisUrlError)) throw error
      return helpers.message({ custom: `{{#label}} ${error.message}` })
    }
    return redisServerUrl.validate(value).error === undefined
      ? value
      : helpers.message({ custom: `{{#label}} ${redisSchemes}` })
  }),
  QUEUE_PREFIX: Joi.string()
    .pattern(/^[A-Za-z0-9_-]{1,64}$/)
    .default('rewards'),
  ADMIN_API_KEY: Joi.string().min(16).max(256).required(),
  HASH_SECRET: Joi.string().min(32).max(256).required(),
  ENCRYPTION_KEYS: Joi.string()
    .custom((value: string, helpers) => {
      const parts = value.split(',')
      if (!parts.every((part) => encryptionKeyPattern.test(part))) return helpers.error('keys.form')
      // With one id for both, data encrypted with the first key would be decrypted with the other, which always fails.
      const ids = new Set(parts.map((part) => part.slice(0, part.indexOf(':'))))
      return ids.size === parts.length ? value : helpers.error('keys.unique')
    })
    .messages({
      'keys.form': '{{#label}} must be a comma-separated list of id:base64 of 32 bytes',
      'keys.unique': '{{#label}} must not have two keys with the same id',
    })
    .required(),
  LOG_LEVEL: Joi.string().valid('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  TRUST_PROXY: Joi.boolean().default(false),
  TRUST_PROXY_HOPS: Joi.number().integer().min(1).max(10).default(1),
  MAX_CONNECTIONS: Joi.number().integer().min(10).max(1_000_000).default(10_000),
  MAX_CONNECTIONS_PER_ADDRESS: Joi.number().integer().min(10).max(1_000_000).default(1_000),
  RATE_LIMITS: Joi.string()
    .custom((value: string, helpers) =>
      parseRateLimits(value, defaultRateLimits) === undefined ? helpers.error('limits.form') : value,
    )
    .messages({ 'limits.form': '{{#label}} must be a list such as box_open=100/200,reads=none' })
    .default(formatRateLimits(defaultRateLimits)),
  QUOTAS: Joi.string()
    .custom((value: string, helpers) =>
      parseQuotas(value, defaultQuotas) === undefined ? helpers.error('quotas.form') : value,
    )
    .messages({ 'quotas.form': '{{#label}} must be a list such as items=5000,players=100000' })
    .default(formatQuotas(defaultQuotas)),
  FAILED_KEYS_PER_MINUTE: Joi.number().integer().min(1).max(1_000_000).default(100),
  SECURITY_CONTACT: Joi.string()
    .uri({ scheme: ['https', 'mailto', 'tel'] })
    .max(500),
  ...singleSignOnVariables,
  WORKER_CONCURRENCY: Joi.number().integer().min(1).max(1000).default(128),
  WORKER_PORT: port,
  RESCUE_AFTER_SECONDS: Joi.number().min(0.1).max(86_400).default(60),
  SHUTDOWN_TIMEOUT_SECONDS: Joi.number().min(1).max(600).default(15),
  DRAIN_DELAY_SECONDS: Joi.number().min(0).max(300).default(2),
  SEED_ROTATE_AFTER_DRAWS: Joi.number().integer().min(10).max(10_000_000).default(100_000),
  SEED_ROTATE_AFTER_HOURS: Joi.number().min(1).max(8760).default(168),
  OUTBOUND_ALLOW_PRIVATE: Joi.string().lowercase().valid('false', 'true', 'in-production').default('false'),
  IDEMPOTENCY_RETENTION_DAYS: Joi.number().integer().min(30).max(3650).default(30),
  EVENT_FEED_DAYS: Joi.number().integer().min(30).max(36_500).default(400),
  ARCHIVE_AFTER_DAYS: Joi.number().integer().min(60).max(36_500),
  KEEP_COMPLETED_JOBS: Joi.number().integer().min(0).max(10_000_000).default(1000),
  ...tracingVariables,
  TRACE_URL: Joi.string()
    .pattern(/^https?:\/\/[^\s{}]*\{trace_id\}[^\s{}]*$/)
    .max(1_000),
} as const

/** The secrets. Each may be in a file instead, named by `<name>_FILE`. */
export const secretNames = [
  'ADMIN_API_KEY',
  'HASH_SECRET',
  'ENCRYPTION_KEYS',
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'MIGRATE_DATABASE_URL',
  'DATABASE_REPLICA_URL',
  'REDIS_URL',
  'OIDC_CLIENT_SECRET',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const

/** The parsed values of the schema above. */
export interface Parsed extends ParsedSingleSignOn, ParsedTracing {
  NODE_ENV: string
  HOST: string
  PORT: number
  SURFACES: string
  ADMIN_PORT: number | undefined
  METRICS_PORT: number | undefined
  BASE_PATH: string
  DATABASE_URL: string
  DATABASE_DIRECT_URL: string | undefined
  MIGRATE_DATABASE_URL: string | undefined
  DATABASE_REPLICA_URL: string | undefined
  DATABASE_REPLICA_WAIT_MS: number
  DATABASE_POOL_MAX: number
  REDIS_URL: string | undefined
  QUEUE_PREFIX: string
  ADMIN_API_KEY: string
  HASH_SECRET: string
  ENCRYPTION_KEYS: string
  LOG_LEVEL: string
  TRUST_PROXY: boolean
  TRUST_PROXY_HOPS: number
  MAX_CONNECTIONS: number
  MAX_CONNECTIONS_PER_ADDRESS: number
  RATE_LIMITS: string
  QUOTAS: string
  FAILED_KEYS_PER_MINUTE: number
  SECURITY_CONTACT: string | undefined
  WORKER_CONCURRENCY: number
  WORKER_PORT: number | undefined
  RESCUE_AFTER_SECONDS: number
  SHUTDOWN_TIMEOUT_SECONDS: number
  DRAIN_DELAY_SECONDS: number
  SEED_ROTATE_AFTER_DRAWS: number
  SEED_ROTATE_AFTER_HOURS: number
  OUTBOUND_ALLOW_PRIVATE: 'false' | 'true' | 'in-production'
  IDEMPOTENCY_RETENTION_DAYS: number
  EVENT_FEED_DAYS: number
  ARCHIVE_AFTER_DAYS: number | undefined
  KEEP_COMPLETED_JOBS: number
  TRACE_URL: string | undefined
}
