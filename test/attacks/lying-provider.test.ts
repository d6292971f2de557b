import { expect } from 'chai'
import { pino } from 'pino'
import { atEndOfSuite, atEndOfTest } from '../support/at-end.ts'
import type { Reply } from '../support/client.ts'
import { clientId, clientSecret, singleSignOnEnv } from '../support/identity-provider.ts'
import { startLyingProvider } from '../support/lying-provider.ts'
import type { Lie, LyingProvider } from '../support/lying-provider.ts'
import { startHttpServer } from '../support/partner-server.ts'
import { startService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'
import { createVisitor } from '../support/visitor.ts'
import type { Visitor } from '../support/visitor.ts'

const consoleUrl = 'http://localhost:3002'
const hourAgo = () => Math.floor(Date.now() / 1_000) - 3_600

/** Each of these lets no one in, and shows a page with the problem. */
const lies: Record<string, Lie> = {
  'a token for another sign-on': { claims: (right) => ({ ...right, nonce: 'of another one' }) },
  'a token without a nonce': { claims: ({ nonce: _, ...rest }) => rest },
  'a token of another issuer': { claims: (right) => ({ ...right, iss: 'https://evil.example' }) },
  'a token for another client': { claims: (right) => ({ ...right, aud: 'another-client' }) },
  'a token that others may use too': { claims: (right) => ({ ...right, aud: [clientId, 'x'], azp: 'x' }) },
  'an expired token': { claims: (right) => ({ ...right, exp: hourAgo() }) },
  'a token without an end': { claims: ({ exp: _, ...rest }) => rest },
  'a token from the future': { claims: (right) => ({ ...right, nbf: hourAgo() + 7_200 }) },
  'a token about nobody': { claims: ({ sub: _, ...rest }) => rest },
  'a token about an empty name': { claims: (right) => ({ ...right, sub: '' }) },
  'a token about what cannot be stored': { claims: (right) => ({ ...right, sub: 'a\0b' }) },
  'a token about half a character': { claims: (right) => ({ ...right, sub: '\ud800' }) },
  'a token about a novel': { claims: (right) => ({ ...right, sub: 'x'.repeat(256) }) },
  'a token that another key has signed': { signing: 'another key' },
  'a token that nobody has signed': { signing: 'none' },
  'a token without its signature': { signing: 'nothing after the dots' },
  'a token that who knows the client secret has signed': { signing: 'the client secret' },
  'an answer of another provider (mix-up)': { query: (right) => ({ ...right, iss: 'https://evil.example' }) },
  'an answer that hides whose it is': { query: ({ code = '', state = '' }) => ({ code, state }) },
  'an answer without a code': { query: ({ state = '', iss = '' }) => ({ state, iss }) },
  'a failure of the provider': {
    query: ({ state = '', iss = '' }) => ({ state, iss, error: 'server_error' }),
  },
  'no token': { answers: { '/token': { body: '{"access_token":"a","token_type":"bearer"}' } } },
  'a wrong client secret': { answers: { '/token': { status: 401, body: '{"error":"invalid_client"}' } } },
  'an error nobody knows': { answers: { '/token': { status: 400, body: '{"error":"<script>"}' } } },
  'a page instead of a token': { answers: { '/token': { type: 'text/html', body: '<html>' } } },
  'half a token': { answers: { '/token': { body: '{"id_token":' } } },
  'a token that is none': {
    answers: { '/token': { body: '{"access_token":"a","token_type":"bearer","id_token":"a.b.c"}' } },
  },
  'a token without end': { answers: { '/token': { body: `{"access_token":"${'x'.repeat(1_000_000)}"}` } } },
  'a way to somewhere else': {
    answers: { '/token': { status: 307, headers: { Location: 'http://127.0.0.1:9/' }, body: '' } },
  },
  'no keys': { answers: { '/jwks': { status: 500, body: '' } } },
  'keys that are none': { answers: { '/jwks': { body: '{"keys":[{"kty":"RSA"},7]}' } } },
  'more about somebody else': {
    claims: ({ groups: _, ...rest }) => rest,
    userinfo: { sub: 'somebody else', groups: ['rewards-admins'] },
  },
  'too much about somebody': {
    claims: ({ groups: _, ...rest }) => rest,
    userinfo: { sub: 'sub-lies', groups: Array.from({ length: 20_000 }, () => 'rewards-admins') },
  },
}

/** If the provider's own document is wrong, no browser is sent to the provider. */
const documents: Record<string, Lie> = {
  'the document of another issuer': { document: (right) => ({ ...right, issuer: 'https://evil.example' }) },
  'no issuer': { document: ({ issuer: _, ...rest }) => rest },
  'no page to sign in': { document: ({ authorization_endpoint: _, ...rest }) => rest },
  'a script to sign in': {
    document: (right) => ({ ...right, authorization_endpoint: 'javascript:alert(1)' }),
  },
  'a page without TLS': { document: (right) => ({ ...right, authorization_endpoint: 'http://10.0.0.1/' }) },
  'no document': { answers: { '/.well-known/openid-configuration': { status: 404, body: 'none' } } },
  'a broken document': { answers: { '/.well-known/openid-configuration': { body: '[' } } },
  'a list': { answers: { '/.well-known/openid-configuration': { body: '[]' } } },
  'a document without end': {
    answers: { '/.well-known/openid-configuration': { body: `{"a":"${'x'.repeat(1_000_000)}"}` } },
  },
}

describe('an identity provider that lies', () => {
  let provider: LyingProvider
  let service: TestService
  let nowMs = 0
  const logged: string[] = []

  const atEnd = atEndOfSuite()
  const atEndOfThis = atEndOfTest()
  before(async () => {
    provider = await startLyingProvider('sub-lies')
    atEnd(() => provider.stop())
    service = await startService({
      env: singleSignOnEnv(provider.issuer, consoleUrl),
      nowMs: () => nowMs,
      log: pino({}, { write: (line: string) => void logged.push(line) }),
    })
    atEnd(() => service.stop())
  })
  beforeEach(() => {
    provider.lie = {}
    nowMs += 3_600_000 // everything is looked up again
  })

  const visit = (at: TestService = service) => createVisitor({ [consoleUrl]: at.url })
  const begin = async (visitor: Visitor): Promise<string> => {
    const begun = await visitor.ask(`${consoleUrl}/ops/login/oidc`)
    expect(begun.status, begun.text).to.equal(303)
    return begun.headers.get('Location') ?? ''
  }
  const signIn = async (visitor: Visitor): Promise<Reply> =>
    visitor.ask(provider.authorise(await begin(visitor)))
  const expectPage = (reply: Reply, visitor: Visitor, what: string) => {
    expect([reply.status, reply.headers.get('X-Error-Code')], what).to.deep.equal([
      502,
      'identity_provider_failed',
    ])
    expect(reply.headers.get('Content-Type'), what).to.equal('text/html; charset=utf-8')
    expect(reply.text, what)
      .to.contain('role="alert"')
      .and.not.to.match(/<script|canary|evil/)
    expect(visitor.cookiesOf(consoleUrl).has('ops_session'), what).to.equal(false)
  }

  it('does not get anyone signed in, and the person sees a page that says so', async () => {
    for (const [what, lie] of Object.entries(lies)) {
      provider.lie = lie
      nowMs += 3_600_000
      const visitor = visit()
      expectPage(await signIn(visitor), visitor, what)
    }
    expect(await service.database.operator.count()).to.equal(0)
    expect(await service.database.operatorSession.count()).to.equal(0)
    const outcomes = await service.database.auditEntry.findMany({ select: { actor: true, outcome: true } })
    expect(outcomes).to.deep.equal(
      Object.keys(lies).map(() => ({ actor: 'ops', outcome: '502 identity_provider_failed' })),
    )
  })

  it('sends no browser away with a document that cannot be trusted', async () => {
    for (const [what, lie] of Object.entries(documents)) {
      const other = await startService({ env: { ...service.env } })
      atEndOfThis(() => other.stop())
      provider.lie = lie
      const visitor = visit(other)
      expectPage(await visitor.ask(`${consoleUrl}/ops/login/oidc`), visitor, what)
    }
  })

  it('is accepted when its answers are true', async () => {
    const visitor = visit()
    const reply = await signIn(visitor)
    expect(reply.status, reply.text).to.equal(200)
    expect((await visitor.ask(`${consoleUrl}/admin/operators`)).status).to.equal(200)
  })

  it('causes log lines that say why, without the content that it has sent', () => {
    const text = logged.join('')
    expect(text).to.contain('"errorCode":"identity_provider_failed"').and.to.contain('"problem":')
    for (const secret of [clientSecret, 'canary', 'eyJ', 'evil', 'sub-lies'])
      expect(text.includes(secret), secret).to.equal(false)
  })

  it('does not stop the service from starting when it is away, and is asked again when it is back', async () => {
    const away = await startHttpServer((_, response) => response.end())
    const env = singleSignOnEnv(away.url, consoleUrl)
    await away.stop()
    let ownMs = 0
    const other = await startService({ env, nowMs: () => ownMs })
    atEndOfThis(() => other.stop())
    const visitor = visit(other)
    expectPage(await visitor.ask(`${consoleUrl}/ops/login/oidc`), visitor, 'nobody listens')
    expect((await other.client.send('GET', '/ops/login')).status).to.equal(200)
    expect((await other.client.send('GET', '/readyz')).status).to.equal(200)

    const flaky = await startService({ env: { ...service.env }, nowMs: () => ownMs })
    atEndOfThis(() => flaky.stop())
    provider.lie = { answers: { '/.well-known/openid-configuration': { status: 503, body: '' } } }
    expectPage(await visit(flaky).ask(`${consoleUrl}/ops/login/oidc`), visitor, 'away')
    provider.lie = {}
    expectPage(await visit(flaky).ask(`${consoleUrl}/ops/login/oidc`), visitor, 'not asked again yet')
    ownMs += 2_000
    const entered = visit(flaky)
    expect((await entered.ask(provider.authorise(await begin(entered)))).status).to.equal(200)
    provider.lie = { answers: { '/.well-known/openid-configuration': { status: 503, body: '' } } }
    ownMs += 3_600_000
    expect(await begin(visit(flaky)), 'what is known stays in use').to.contain(provider.issuer)
  })

  it('is asked no more often than the limit allows', async () => {
    const env = { ...service.env, FAILED_KEYS_PER_MINUTE: '3' }
    const limited = await startService({ env, nowMs: () => nowMs })
    atEndOfThis(() => limited.stop())
    provider.lie = { answers: { '/token': { status: 400, body: '{"error":"invalid_grant"}' } } }
    for (let attempt = 1; attempt <= 4; attempt++) {
      const visitor = visit(limited)
      const reply = await visitor.ask(provider.authorise(await begin(visitor)))
      expect(reply.headers.get('X-Error-Code'), String(attempt)).to.equal(
        attempt <= 3 ? 'single_sign_on_stale' : 'login_limited',
      )
      expect(reply.headers.get('Content-Type')).to.equal('text/html; charset=utf-8')
    }
    nowMs += 60_000
    provider.lie = {}
    const visitor = visit(limited)
    expect((await visitor.ask(provider.authorise(await begin(visitor)))).status).to.equal(200)
  })
})
