import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { secretNames } from '../../../core/platform/config-variables.ts'
import { ConfigError, readConfig, readMigrationConfig } from '../../../core/platform/config.ts'
import { testSecrets } from '../../../core/platform/example-secrets.ts'
import { atEndOfSuite } from '../../support/at-end.ts'

type Env = Record<string, string>

/** The identity provider for which the client secret is needed. */
const provider: Env = {
  OIDC_ISSUER: 'https://login.acme.example',
  OIDC_CLIENT_ID: 'console',
  OIDC_REDIRECT_BASE: 'https://rewards.acme.example',
  OIDC_ROLE_CLAIM: 'groups',
  OIDC_ROLES: '[{"value":"admins","role":"admin","casino_ids":null}]',
}

const secrets: Env = {
  ...testSecrets,
  ...provider,
  OIDC_CLIENT_SECRET: 'top-secret',
  DATABASE_URL: 'postgresql://rewards:top-secret@127.0.0.1/rewards',
  DATABASE_DIRECT_URL: 'postgresql://rewards:top-secret@127.0.0.1/direct',
  MIGRATE_DATABASE_URL: 'postgresql://owner:top-secret@127.0.0.1/rewards',
  DATABASE_REPLICA_URL: 'postgresql://rewards:top-secret@127.0.0.1/replica',
  REDIS_URL: 'redis://default:top-secret@127.0.0.1',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20top-secret',
}

describe('Secrets in files', () => {
  let folder: string
  const atEnd = atEndOfSuite()
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'rewards-secrets-'))
    atEnd(() => {
      rmSync(folder, { recursive: true })
    })
  })

  const write = (name: string, content: string | Buffer) => {
    const path = join(folder, name)
    writeFileSync(path, content)
    return path
  }
  const allInFiles = (ending: string): Env =>
    Object.fromEntries(
      secretNames.map((name) => [`${name}_FILE`, write(name, `${secrets[name] ?? ''}${ending}`)]),
    )
  const problemsOf = (env: Env): string[] => {
    try {
      readConfig(env)
    } catch (error) {
      if (error instanceof ConfigError) return error.message.split('\n')
      throw error
    }
    return []
  }

  for (const [what, ending] of Object.entries({ nothing: '', 'a line break': '\n', 'CR LF': '\r\n' })) {
    it(`mean the same as in variables, followed by ${what}`, () => {
      expect(readConfig({ ...provider, ...allInFiles(ending) })).to.deep.equal(readConfig(secrets))
    })
  }

  it('lose one line break at the end and nothing else', () => {
    const config = readConfig({
      ...secrets,
      HASH_SECRET: '',
      HASH_SECRET_FILE: write('spaced', ` ${'x'.repeat(40)} \n\n`),
    })
    expect(config.hashSecret).to.equal(` ${'x'.repeat(40)} \n`)
  })

  it('serve the migration, which reads no other secrets', () => {
    const {
      DATABASE_URL_FILE = '',
      DATABASE_DIRECT_URL_FILE = '',
      MIGRATE_DATABASE_URL_FILE = '',
      REDIS_URL_FILE = '',
    } = allInFiles('\n')
    const env = {
      DATABASE_URL_FILE,
      DATABASE_DIRECT_URL_FILE,
      MIGRATE_DATABASE_URL_FILE,
      REDIS_URL_FILE,
      ADMIN_API_KEY_FILE: '/nowhere',
    }
    expect(readMigrationConfig(env)).to.deep.equal(readMigrationConfig(secrets))
  })

  it('may not be given twice', () => {
    expect(problemsOf({ ...secrets, HASH_SECRET_FILE: write('twice', 'y'.repeat(40)) })).to.deep.equal([
      'HASH_SECRET and HASH_SECRET_FILE must not both be set',
    ])
  })

  it('that cannot be read are named by their variable, all in one message, without path or content', () => {
    const fifo = join(folder, 'pipe')
    execFileSync('sh', ['-c', 'mkfifo "$0"', fifo])
    const problems = problemsOf({
      ADMIN_API_KEY_FILE: join(folder, 'absent-canary'),
      HASH_SECRET_FILE: write('canary-huge', 'canary'.repeat(20_000)),
      ENCRYPTION_KEYS_FILE: write('canary-empty', '\n'),
      DATABASE_URL_FILE: fifo,
      REDIS_URL_FILE: write('canary-bytes', Buffer.from([0xff, 0xfe, 0x00])),
      PORT: 'canary',
    })
    expect(problems).to.have.members([
      'the file in ADMIN_API_KEY_FILE cannot be read (ENOENT)',
      'the file in HASH_SECRET_FILE must have at most 65536 bytes',
      'the file in ENCRYPTION_KEYS_FILE must not be empty',
      'the file in DATABASE_URL_FILE must be a regular file',
      'the file in REDIS_URL_FILE must be text in UTF-8',
      'PORT must be a number',
    ])
  })

  it('are refused like variables when the value is invalid', () => {
    const problems = problemsOf({
      ...secrets,
      HASH_SECRET: '',
      HASH_SECRET_FILE: write('short', 'canary'),
      REDIS_URL: '',
      REDIS_URL_FILE: write('url', 'canary'),
    })
    expect(problems).to.have.length(2)
    expect(problems.join())
      .to.match(/HASH_SECRET length must be at least 32/)
      .and.not.contain('canary')
  })

  it('may not be folders or have a path with a NUL, which is reported as well', () => {
    expect(problemsOf({ ...secrets, HASH_SECRET: '', HASH_SECRET_FILE: folder })).to.deep.equal([
      'the file in HASH_SECRET_FILE must be a regular file',
    ])
    expect(problemsOf({ ...secrets, HASH_SECRET: '', HASH_SECRET_FILE: 'a\0b' })).to.deep.equal([
      'the file in HASH_SECRET_FILE cannot be read (ERR_INVALID_ARG_VALUE)',
    ])
  })
})
