import { expect } from 'chai'
import {
  ConfigError,
  readAuditConfig,
  readConfig,
  readEncryptionConfig,
  readMigrationConfig,
} from '../../../core/platform/config.ts'
import { testSecrets } from '../../../core/platform/example-secrets.ts'

const keyOf = (id: string, byte: number) => `${id}:${Buffer.alloc(32, byte).toString('base64')}`

const read = (encryptionKeys: string) =>
  readConfig({
    DATABASE_URL: 'postgresql://127.0.0.1/rewards',
    ADMIN_API_KEY: 'a key of at least sixteen characters',
    HASH_SECRET: 'a secret of at least thirty-two characters',
    ENCRYPTION_KEYS: encryptionKeys,
  })

describe('ENCRYPTION_KEYS', () => {
  it('are read in order', () => {
    const { encryptionKeys } = read([keyOf('key-2', 2), keyOf('key-1', 1)].join(','))
    expect(encryptionKeys).to.deep.equal([
      { id: 'key-2', key: Buffer.alloc(32, 2) },
      { id: 'key-1', key: Buffer.alloc(32, 1) },
    ])
  })

  it('must not have two keys with the same id', () => {
    const twice = [keyOf('key-1', 1), keyOf('key-2', 2), keyOf('key-1', 3)].join(',')
    expect(() => read(twice)).to.throw(
      ConfigError,
      /^ENCRYPTION_KEYS must not have two keys with the same id$/,
    )
  })

  it('must have the documented form, and are not repeated when they do not', () => {
    for (const keys of ['key-1', `${keyOf('key-1', 1)},`, keyOf('KEY', 1), `key-1:${'A'.repeat(43)}`]) {
      expect(() => read(keys)).to.throw(
        ConfigError,
        /^ENCRYPTION_KEYS must be a comma-separated list of id:base64 of 32 bytes$/,
      )
    }
  })
})

describe('DATABASE_DIRECT_URL', () => {
  const pooled = 'postgresql://127.0.0.1:6432/rewards'
  const direct = 'postgresql://127.0.0.1/rewards'
  const urlsOf = (env: Record<string, string>) => {
    const all = { ...testSecrets, DATABASE_URL: pooled, ...env }
    const { databaseUrl, queue } = readConfig(all)
    const { ownerUrl, directUrl, hasPooler, queue: migratedQueue } = readMigrationConfig(all)
    return {
      service: databaseUrl,
      queues: [queue, migratedQueue],
      owner: ownerUrl,
      tools: [directUrl, readAuditConfig(all).directUrl, readEncryptionConfig(all).directUrl],
      hasPooler,
    }
  }

  it('is the address for migrations, tools and queues in PostgreSQL, but not for the service', () => {
    const queue = { backend: 'postgres', databaseUrl: direct }
    const wanted = {
      service: pooled,
      queues: [queue, queue],
      owner: direct,
      tools: [direct, direct, direct],
      hasPooler: true,
    }
    expect(urlsOf({ DATABASE_DIRECT_URL: direct })).to.deep.equal(wanted)
    const owner = 'postgresql://owner@127.0.0.1/rewards'
    expect(urlsOf({ DATABASE_DIRECT_URL: direct, MIGRATE_DATABASE_URL: owner })).to.deep.equal({
      ...wanted,
      owner,
    })
  })

  it('is by default that of the service', () => {
    const queue = { backend: 'postgres', databaseUrl: pooled }
    expect(urlsOf({})).to.deep.equal({
      service: pooled,
      queues: [queue, queue],
      owner: pooled,
      tools: [pooled, pooled, pooled],
      hasPooler: false,
    })
  })
})

describe('ARCHIVE_AFTER_DAYS', () => {
  const read = (archive: string, feed: string) =>
    readConfig({
      DATABASE_URL: 'postgresql://127.0.0.1/rewards',
      ADMIN_API_KEY: 'a key of at least sixteen characters',
      HASH_SECRET: 'a secret of at least thirty-two characters',
      ENCRYPTION_KEYS: keyOf('key-1', 1),
      ARCHIVE_AFTER_DAYS: archive,
      EVENT_FEED_DAYS: feed,
    }).archiveAfterMs

  it('is off by default, and at least two days more than the feed reaches back', () => {
    expect(read('', '400')).to.equal(undefined)
    expect(read('402', '400')).to.equal(402 * 86_400_000)
    expect(() => read('401', '400')).to.throw(ConfigError, 'ARCHIVE_AFTER_DAYS must be at least 402')
    expect(() => read('59', '30')).to.throw(ConfigError, 'ARCHIVE_AFTER_DAYS')
  })
})

describe('Invalid variables', () => {
  it('are all named in one message, without their values', () => {
    const given = {
      PORT: '70000',
      BASE_PATH: 'canary',
      DATABASE_URL: 'canary://canary',
      QUEUE_PREFIX: 'canary canary',
      ADMIN_API_KEY: 'canary',
      HASH_SECRET: 'canary',
      ENCRYPTION_KEYS: 'canary',
      LOG_LEVEL: 'canary',
      TRUST_PROXY: 'canary',
      OUTBOUND_ALLOW_PRIVATE: 'canary',
      IDEMPOTENCY_RETENTION_DAYS: '29',
    }
    let problems: string[] = []
    try {
      readConfig(given)
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      problems = error.message.split('\n')
    }
    expect(problems.map((problem) => problem.split(' ')[0])).to.have.members(Object.keys(given))
    expect(problems.join()).not.to.contain('canary')
  })
})
