import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { expect } from 'chai'
import { ConfigError, readConfig } from '../../../core/platform/config.ts'
import { exampleSecrets } from '../../../core/platform/example-secrets.ts'
import type { OwnSecrets } from '../../../core/platform/example-secrets.ts'
import { loadSecrets } from '../../../local/secrets.ts'
import { runs } from '../../support/runs.ts'

const keyOf = (bytes: Buffer | string) => `key-1:${Buffer.from(bytes).toString('base64')}`

/** As docs/operate/configure.md says how to make them. */
const makeSecrets = (): OwnSecrets => ({
  ADMIN_API_KEY: randomBytes(24).toString('base64url'),
  HASH_SECRET: randomBytes(32).toString('base64url'),
  ENCRYPTION_KEYS: keyOf(randomBytes(32)),
})

function problemsOf(env: Partial<OwnSecrets> & Record<string, string>, mode = 'production'): string[] {
  const complete = {
    DATABASE_URL: 'postgresql://127.0.0.1/rewards',
    NODE_ENV: mode,
    ...makeSecrets(),
    ...env,
  }
  try {
    readConfig(complete)
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n')
    throw error
  }
  return []
}

const namesOf = (problems: string[]) => problems.map((problem) => problem.split(' ')[0])

describe('A production start', () => {
  it('accepts random secrets from any generator', () => {
    for (let i = 0; i < runs(50); i++) {
      expect(problemsOf({})).to.deep.equal([])
      const hexadecimal = {
        ADMIN_API_KEY: randomBytes(16).toString('hex'),
        HASH_SECRET: randomBytes(16).toString('hex'),
      }
      expect(problemsOf(hexadecimal), JSON.stringify(hexadecimal)).to.deep.equal([])
    }
  })

  it('accepts several encryption keys, and an older key of the service', () => {
    const keys = [1, 2, 3].map((n) => `key-${n}:${randomBytes(32).toString('base64')}`)
    expect(problemsOf({ ENCRYPTION_KEYS: keys.join(',') })).to.deep.equal([])
  })

  it('refuses to run without secrets', () => {
    const none = { ADMIN_API_KEY: '', HASH_SECRET: '', ENCRYPTION_KEYS: '' }
    expect(problemsOf(none)).to.have.members(Object.keys(none).map((name) => `${name} is required`))
  })

  for (const [index, example] of exampleSecrets.entries()) {
    it(`refuses the secrets of example ${index + 1}, all in one message`, () => {
      const problems = problemsOf({ ...example })
      expect(namesOf(problems)).to.have.members(['ADMIN_API_KEY', 'HASH_SECRET', 'ENCRYPTION_KEYS'])
      for (const value of Object.values(example)) expect(problems.join()).not.to.contain(value)
      expect(problemsOf({ ...example }, 'development')).to.deep.equal([])
      expect(problemsOf({ ...example }, ' PRODUCTION ')).to.have.length(3)
    })
  }

  it('refuses an example key under another id, and beside a good one', () => {
    for (const { ENCRYPTION_KEYS } of exampleSecrets) {
      const renamed = ENCRYPTION_KEYS.replace(/^[^:]*/, 'mine')
      const both = `${makeSecrets().ENCRYPTION_KEYS},${renamed}`
      expect(namesOf(problemsOf({ ENCRYPTION_KEYS: both }))).to.deep.equal(['ENCRYPTION_KEYS'])
    }
  })

  it('refuses the secrets of npm start', async () => {
    const path = join(tmpdir(), `rewards-secrets-${randomBytes(6).toString('hex')}.json`)
    try {
      const made = await loadSecrets(path)
      expect(namesOf(problemsOf({ ...made }))).to.have.members([
        'ADMIN_API_KEY',
        'HASH_SECRET',
        'ENCRYPTION_KEYS',
      ])
      expect(problemsOf({ ...made }, 'development')).to.deep.equal([])
    } finally {
      rmSync(path, { force: true })
    }
  })

  const guessable = [
    'a'.repeat(40),
    '0123456789abcdefghijklmnopqrstuvwxyz',
    'zyxwvutsrqponmlkjihgfedcba9876543210',
    'abcabcabcabcabcabcabcabcabcabcabcabc',
    'qwertyqwertyqwertyqwertyqwertyqwerty',
    'please-change-me-before-going-live-0x',
    'PASSWORD-of-the-rewards-service-2026',
    'your_secret_of_thirty_two_characters',
  ]
  for (const secret of guessable) {
    it(`refuses "${secret}"`, () => {
      expect(problemsOf({ HASH_SECRET: secret })).to.deep.equal([
        'HASH_SECRET is too easy to guess for production: take random characters',
      ])
      expect(namesOf(problemsOf({ ADMIN_API_KEY: secret }))).to.deep.equal(['ADMIN_API_KEY'])
    })
  }

  const badKeys = {
    'all zero': Buffer.alloc(32),
    'one byte repeated': Buffer.alloc(32, 0xa5),
    'counted up': Buffer.from(Array.from({ length: 32 }, (_, i) => i)),
    'a short key twice': Buffer.alloc(32, randomBytes(16)),
    'a sentence': Buffer.from('correct horse battery staple now'),
    'mostly zero': Buffer.concat([randomBytes(8), Buffer.alloc(24)]),
  }
  for (const [what, bytes] of Object.entries(badKeys)) {
    it(`refuses an encryption key that is ${what}`, () => {
      expect(namesOf(problemsOf({ ENCRYPTION_KEYS: keyOf(bytes) }))).to.deep.equal(['ENCRYPTION_KEYS'])
    })
  }

  it('refuses the same secret for two purposes', () => {
    const { HASH_SECRET } = makeSecrets()
    expect(problemsOf({ HASH_SECRET, ADMIN_API_KEY: HASH_SECRET })).to.deep.equal([
      'HASH_SECRET must differ from ADMIN_API_KEY',
    ])
  })

  it('reports these problems together with all others', () => {
    const problems = problemsOf({ PORT: 'x', HASH_SECRET: 'a'.repeat(32), DATABASE_URL: '' })
    expect(namesOf(problems)).to.have.members(['PORT', 'HASH_SECRET', 'DATABASE_URL'])
  })

  it('lets casinos use private addresses only when a setting allows it for production', () => {
    const allowed = (value: string, mode: string) => {
      const env = { DATABASE_URL: 'postgresql://127.0.0.1/rewards', NODE_ENV: mode, ...makeSecrets() }
      return readConfig({ ...env, OUTBOUND_ALLOW_PRIVATE: value }).allowPrivateAddresses
    }
    expect(namesOf(problemsOf({ OUTBOUND_ALLOW_PRIVATE: 'true' }))).to.deep.equal(['OUTBOUND_ALLOW_PRIVATE'])
    expect(allowed('in-production', 'production')).to.equal(true)
    expect(allowed('', 'production')).to.equal(false)
    expect(allowed('True', 'development')).to.equal(true)
    expect(allowed('FALSE', 'development')).to.equal(false)
  })
})
