import { expect } from 'chai'
import { Cluster, Redis } from 'ioredis'
import { ConfigError, readConfig } from '../../../core/platform/config.ts'
import { testSecrets } from '../../../core/platform/example-secrets.ts'
import { createLogger } from '../../../core/platform/logger.ts'
import { parseRedisUrl } from '../../../core/platform/redis-url.ts'
import { openConsumerRedis, openProducerRedis } from '../../../core/platform/redis.ts'
import type { RedisConnection } from '../../../core/platform/redis.ts'

const noLogIn = { username: undefined, password: undefined }
const noSentinelLogIn = { sentinelUsername: undefined, sentinelPassword: undefined }

describe('The URL of a Redis', () => {
  it('names one server, as ioredis reads it', () => {
    for (const url of ['redis://host', 'rediss://user:secret@host:6380/2', 'unix:///run/redis.sock'])
      expect(parseRedisUrl(url)).to.deep.equal({ kind: 'server', url })
  })

  it('names sentinels, the master that they watch and a database', () => {
    expect(parseRedisUrl('redis+sentinel://one,two:26380,[fd00::3]:26381/my%20master/2')).to.deep.equal({
      kind: 'sentinel',
      sentinels: [
        { host: 'one', port: 26_379 },
        { host: 'two', port: 26_380 },
        { host: 'fd00::3', port: 26_381 },
      ],
      name: 'my master',
      db: 2,
      isTls: false,
      ...noLogIn,
      ...noSentinelLogIn,
    })
  })

  it('has the names and passwords of the servers, and others for the sentinels', () => {
    expect(
      parseRedisUrl(
        'rediss+sentinel://a%3Ab:p%40s%2Fs@one:1/main?sentinel_username=watch&sentinel_password=a+b%26c',
      ),
    ).to.deep.equal({
      kind: 'sentinel',
      sentinels: [{ host: 'one', port: 1 }],
      name: 'main',
      db: 0,
      isTls: true,
      username: 'a:b',
      password: 'p@s/s',
      sentinelUsername: 'watch',
      sentinelPassword: 'a+b&c',
    })
  })

  it('names nodes of a Cluster, of which one is enough', () => {
    expect(parseRedisUrl('REDIS+CLUSTER://one,two:7000/')).to.deep.equal({
      kind: 'cluster',
      nodes: [
        { host: 'one', port: 6_379 },
        { host: 'two', port: 7_000 },
      ],
      isTls: false,
      ...noLogIn,
    })
    expect(parseRedisUrl('rediss+cluster://:secret@10.0.0.1:6379')).to.deep.include({
      isTls: true,
      username: undefined,
      password: 'secret',
    })
  })

  const problemOf = (url: string): string => {
    try {
      readConfig({ ...testSecrets, DATABASE_URL: 'postgresql://host/rewards', REDIS_URL: url })
    } catch (error) {
      if (error instanceof ConfigError) return error.message
      throw error
    }
    return 'accepted'
  }

  const refused: [url: string, problem: string][] = [
    ['http://canary', 'must be a URL such as redis://host:6379'],
    ['redis://canary:6379,canary:6380', 'must be a URL such as redis://host:6379'],
    ['redis+canary://canary', 'must be a URL such as redis://host:6379'],
    ['redis+sentinel://canary:26379', 'must name the master after the sentinels: redis+sentinel://'],
    [
      'redis+sentinel://canary/canary/zero',
      'nothing after the name of the master but the number of a database',
    ],
    [
      'redis+sentinel://canary/canary/0/1',
      'nothing after the name of the master but the number of a database',
    ],
    [
      'redis+sentinel://canary/canary?db=1',
      'no parameters but one sentinel_username and one sentinel_password',
    ],
    ['redis+sentinel://canary/canary?sentinel_password=a&sentinel_password=b', 'no parameters but one'],
    ['redis+sentinel://canary/canary?sentinel_password=', 'no parameters but one'],
    ['redis+sentinel://canary/%canary', 'must have a % only before two hexadecimal digits'],
    ['redis+sentinel://canary@host/main', 'must have a user name and a password before the @, or :password'],
    ['redis+sentinel://canary:@host/main', 'must have a user name and a password before the @, or :password'],
    [
      'redis+sentinel://canary:b:c@host/main',
      'must have a user name and a password before the @, or :password',
    ],
    ['redis+sentinel://a:can@ary@host/main', 'with other marks in names and passwords percent-encoded'],
    ['redis+sentinel://a:can#ary@host/main', 'with other marks in names and passwords percent-encoded'],
    ['redis+cluster://', 'must have the form redis+cluster://user:password@host:6379,host:6379'],
    ['redis+cluster://canary:0', 'must list hosts and their ports: redis+cluster://'],
    ['redis+cluster://canary:65536', 'must list hosts and their ports: redis+cluster://'],
    ['redis+cluster://canary,,canary', 'must list hosts and their ports: redis+cluster://'],
    ['redis+cluster://canary/1', 'must have no path: a Cluster has one database'],
    ['redis+cluster://canary?sentinel_password=canary', 'must have no parameters'],
  ]
  for (const [url, problem] of refused) {
    it(`is refused with a reason that repeats no part of it: ${url}`, () => {
      expect(problemOf(url))
        .to.match(/^REDIS_URL must /)
        .and.to.contain(problem)
      expect(problemOf(url)).not.to.contain('canary')
    })
  }

  it('is accepted by the configuration in every form', () => {
    for (const url of [
      'redis://127.0.0.1',
      'unix:///run/redis.sock',
      'redis+sentinel://:secret@one,two,three/main',
      'rediss+sentinel://one/main/1?sentinel_password=secret',
      'rediss+cluster://user:secret@one,two',
    ])
      expect(problemOf(url), url).to.equal('accepted')
  })
})

describe('A connection to Redis', () => {
  const log = createLogger('test', 'silent')
  /** Nothing listens there. */
  const optionsOf = <Connection extends RedisConnection>(redis: Connection): Connection['options'] => {
    redis.disconnect()
    return redis.options
  }

  it('asks sentinels for the master, leaves one that was replaced, and is TLS to both if the URL says so', () => {
    const url = 'rediss+sentinel://user:secret@127.0.0.1:1/main/3?sentinel_password=other'
    for (const open of [openProducerRedis, openConsumerRedis]) {
      const redis = open(url, log)
      expect(redis).to.be.instanceOf(Redis)
      expect(optionsOf(redis)).to.deep.include({
        sentinels: [{ host: '127.0.0.1', port: 1 }],
        name: 'main',
        role: 'master',
        db: 3,
        username: 'user',
        password: 'secret',
        sentinelPassword: 'other',
        enableTLSForSentinelMode: true,
        tls: {},
        sentinelTLS: {},
        failoverDetector: true,
        maxRetriesPerRequest: null,
      })
    }
    const plain = optionsOf(openProducerRedis('redis+sentinel://127.0.0.1:1/main', log))
    expect(plain).to.deep.include({ enableTLSForSentinelMode: false, username: null, password: null })
    expect(plain).not.to.have.any.keys('tls', 'sentinelTLS', 'sentinelPassword')
  })

  it('reads and writes only at the masters of a Cluster', () => {
    for (const open of [openProducerRedis, openConsumerRedis]) {
      const cluster = open('rediss+cluster://user:secret@127.0.0.1:1', log)
      if (!(cluster instanceof Cluster)) throw new Error('this is not a Cluster')
      const options = optionsOf(cluster)
      expect(options.scaleReads).to.equal('master')
      expect(options.redisOptions).to.deep.include({
        username: 'user',
        password: 'secret',
        tls: {},
        maxRetriesPerRequest: null,
      })
    }
  })

  for (const url of [
    'redis://127.0.0.1:1',
    'redis+sentinel://127.0.0.1:1/main',
    'redis+cluster://127.0.0.1:1',
  ]) {
    it(`fails a producer's command within two seconds while nothing answers: ${url}`, async () => {
      const redis = openProducerRedis(url, log)
      const startedMs = performance.now()
      const failures: unknown[] = await Promise.all([
        redis.get('key').catch((error: unknown) => error),
        redis.eval('return 1', 1, 'key').catch((error: unknown) => error),
        redis
          .pipeline()
          .get('key')
          .exec()
          .then((answers) => answers?.[0]?.[0])
          .catch((error: unknown) => error),
      ])
      redis.disconnect()
      for (const failure of failures) expect(failure).to.be.instanceOf(Error)
      expect(performance.now() - startedMs).to.be.lessThan(2_500)
    })
  }
})
