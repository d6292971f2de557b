import { expect } from 'chai'
import { ConfigError, readConfig } from '../../../core/platform/config.ts'
import { testSecrets } from '../../../core/platform/example-secrets.ts'

type Env = Record<string, string>

const role = { value: 'admins', role: 'admin', casino_ids: null as string[] | null }
const full: Env = {
  OIDC_ISSUER: 'https://login.acme.example',
  OIDC_CLIENT_ID: 'console',
  OIDC_CLIENT_SECRET: 'canary-secret',
  OIDC_REDIRECT_BASE: 'https://rewards.acme.example',
  OIDC_ROLE_CLAIM: 'groups',
  OIDC_ROLES: JSON.stringify([role, { value: 'a', role: 'support', casino_ids: ['acme', 'lucky'] }]),
}

const read = (env: Env) =>
  readConfig({ ...testSecrets, DATABASE_URL: 'postgresql://127.0.0.1/rewards', ...env }).singleSignOn

function problemsOf(env: Env): string[] {
  try {
    read(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n')
    throw error
  }
  return []
}

describe('The variables of single sign-on', () => {
  it('say where operators sign in, and with which role', () => {
    expect(read({})).to.equal(undefined)
    expect(read(full)).to.deep.equal({
      issuer: 'https://login.acme.example/',
      clientId: 'console',
      clientSecret: 'canary-secret',
      redirectUri: 'https://rewards.acme.example/ops/login/oidc/callback',
      scope: 'openid profile email',
      roleClaim: 'groups',
      roles: [
        { value: 'admins', role: 'admin', casinos: 'all' },
        { value: 'a', role: 'support', casinos: ['acme', 'lucky'] },
      ],
      isOnlyWay: false,
    })
    expect(read({ ...full, OIDC_ONLY: 'true', OIDC_SCOPE: 'openid groups' })).to.include({
      isOnlyWay: true,
      scope: 'openid groups',
    })
  })

  it('are given together or not at all', () => {
    for (const name of Object.keys(full)) {
      const { [name]: left = '', ...others } = full
      expect(problemsOf({ [name]: left }).length, `only ${name}`).to.equal(5)
      expect(problemsOf(others), `without ${name}`).to.deep.equal([
        `${name} is required with ${Object.keys(others).join(', ')}`,
      ])
    }
    expect(problemsOf({ OIDC_ONLY: 'true' })).to.have.length(6)
  })

  it('accept only addresses that are safe to send secrets to', () => {
    for (const address of [
      'http://127.0.0.1:3000',
      'http://localhost:8080',
      'http://[::1]:1',
      'https://10.0.0.1',
    ])
      expect(problemsOf({ ...full, OIDC_ISSUER: address }), address).to.deep.equal([])
    const unsafe = [
      'http://login.acme.example',
      'http://127.0.0.1.acme.example',
      'http://localhost@acme.example',
      'https://user:canary@acme.example',
      'https://acme.example/?canary',
      'https://acme.example/#canary',
      'https://acme.example/?',
      'ftp://acme.example',
      'acme.example',
      'https://',
      'https://acme.example\\canary',
    ]
    for (const name of ['OIDC_ISSUER', 'OIDC_REDIRECT_BASE']) {
      for (const address of unsafe) {
        const problems = problemsOf({ ...full, [name]: address })
        expect(problems, address).to.deep.equal([
          `${name} must be an https:// address without user name, query and fragment (http:// only for this machine)`,
        ])
      }
    }
  })

  it('place the console under BASE_PATH', () => {
    const at = (base: string, basePath: string) =>
      problemsOf({ ...full, OIDC_REDIRECT_BASE: base, BASE_PATH: basePath })
    expect(at('https://acme.example/', '')).to.deep.equal([])
    expect(at('https://acme.example/rewards', '/rewards')).to.deep.equal([])
    expect(at('https://acme.example/rewards/', '/rewards')).to.deep.equal([])
    for (const [base, basePath] of [
      ['https://acme.example', '/rewards'],
      ['https://acme.example/ops', ''],
      ['https://acme.example/rewards/ops', '/rewards'],
    ] as const)
      expect(at(base, basePath).join(), base).to.match(/^OIDC_REDIRECT_BASE must end where \/ops begins/)
  })

  it('map values to existing roles, and to casinos by their own ids', () => {
    const wrong: unknown[] = [
      'canary',
      '[]',
      'null',
      '{}',
      [{ ...role, role: 'canary' }],
      [{ ...role, value: '' }],
      [{ ...role, value: 7 }],
      [{ value: 'canary', role: 'admin' }],
      [{ ...role, casino_ids: [] }],
      [{ ...role, casino_ids: ['canary', 'canary'] }],
      [{ ...role, casino_ids: ['canary:test'] }],
      [{ ...role, casino_ids: 'canary' }],
      [{ ...role, more: 'canary' }],
      Array.from({ length: 201 }, () => role),
    ]
    for (const roles of wrong) {
      const text = typeof roles === 'string' ? roles : JSON.stringify(roles)
      const problems = problemsOf({ ...full, OIDC_ROLES: text })
      expect(problems, text).to.have.length(1)
      expect(problems[0], text)
        .to.match(/^OIDC_ROLES must be a JSON list/)
        .and.not.to.contain('canary')
    }
    for (const scope of ['profile', 'openid  canary', 'openid "canary"'])
      expect(problemsOf({ ...full, OIDC_SCOPE: scope })).to.deep.equal([
        'OIDC_SCOPE does not have the documented form',
      ])
  })
})
