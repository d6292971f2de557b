import { randomBytes } from 'node:crypto'
import { readConfig } from '../../core/platform/config.ts'
import type { Config } from '../../core/platform/config.ts'
import { testSecrets } from '../../core/platform/example-secrets.ts'
import { createTestDatabase, redisUrl } from './environment.ts'

export const adminApiKey = testSecrets.ADMIN_API_KEY

export type Env = Record<string, string>

/**
 * Environment variables for services of one test file: a database of its own and, on Redis, a queue prefix of its own.
 * Times are short, so that what happens after a time-out happens soon.
 */
export async function createTestEnv(backend: 'redis' | 'postgres', overrides: Env = {}): Promise<Env> {
  return {
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: await createTestDatabase(),
    ...(backend === 'redis'
      ? { REDIS_URL: redisUrl(), QUEUE_PREFIX: `test-${randomBytes(6).toString('hex')}` }
      : {}),
    ...testSecrets,
    LOG_LEVEL: 'silent',
    RESCUE_AFTER_SECONDS: '1',
    SHUTDOWN_TIMEOUT_SECONDS: '5',
    DRAIN_DELAY_SECONDS: '0',
    // All tests come from one address, and many are about wrong keys.
    FAILED_KEYS_PER_MINUTE: '1000000',
    SECURITY_CONTACT: 'mailto:security@example.com',
    OUTBOUND_ALLOW_PRIVATE: 'true',
    ...overrides,
  }
}

export async function createTestConfig(backend: 'redis' | 'postgres', overrides: Env = {}): Promise<Config> {
  return readConfig(await createTestEnv(backend, overrides))
}
