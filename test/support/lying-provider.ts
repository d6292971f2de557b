import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { clientId, clientSecret } from './identity-provider.ts'
import { startHttpServer } from './partner-server.ts'

/** The faults of an identity provider, or of an attacker in its place. Missing ones are as they should be. */
export interface Lie {
  /** Instead of the ID token's claims. */
  claims?: (right: Record<string, unknown>) => Record<string, unknown>
  /** Instead of the discovery document. */
  document?: (right: Record<string, unknown>) => Record<string, unknown>
  /** Instead of the query with which the browser is sent back. */
  query?: (right: Record<string, string>) => Record<string, string>
  signing?: 'another key' | 'none' | 'the client secret' | 'nothing after the dots'
  /** Instead of a path's usual answer. */
  answers?: Readonly<
    Record<string, { status?: number; type?: string; headers?: Record<string, string>; body: string }>
  >
  userinfo?: Record<string, unknown>
}

export interface LyingProvider {
  issuer: string
  lie: Lie
  /** Signs a person in without asking: the address that a browser would be sent back to. */
  authorise(url: string): string
  stop(): Promise<void>
}

const keyId = 'key-1'

/** A provider that tells the truth until `lie` says otherwise. It checks nothing: that is for the real one. */
export async function startLyingProvider(
  subject: string,
  groups: unknown = ['rewards-admins'],
): Promise<LyingProvider> {
  const [own, other] = [
    generateKeyPairSync('rsa', { modulusLength: 2048 }),
    generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ]
  let nonce = ''
  const json = (body: unknown) => ({ body: JSON.stringify(body) })
  const server = await startHttpServer((request, response) => {
    const path = (request.url ?? '').replace(/\?.*/, '')
    const { lie } = provider
    const told = lie.answers?.[path] ?? answerTo(path)
    response.writeHead(told.status ?? 200, {
      'Content-Type': told.type ?? 'application/json',
      ...told.headers,
    })
    response.end(told.body)
  })
  const answerTo = (path: string): NonNullable<Lie['answers']>[string] => {
    const { lie, issuer } = provider
    switch (path) {
      case '/.well-known/openid-configuration': {
        const right = {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/jwks`,
          ...(lie.userinfo === undefined ? {} : { userinfo_endpoint: `${issuer}/userinfo` }),
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
          authorization_response_iss_parameter_supported: true,
          token_endpoint_auth_methods_supported: ['client_secret_post'],
        }
        return json(lie.document?.(right) ?? right)
      }
      case '/jwks':
        return json({
          keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: keyId, use: 'sig', alg: 'RS256' }],
        })
      case '/token': {
        const seconds = Math.floor(Date.now() / 1_000)
        const right = {
          iss: issuer,
          sub: subject,
          aud: clientId,
          nonce,
          groups,
          iat: seconds,
          exp: seconds + 300,
        }
        const claims = lie.claims?.(right) ?? right
        const keys = { own: own.privateKey, other: other.privateKey }
        return json({
          access_token: 'canary-access-token',
          token_type: 'bearer',
          id_token: tokenOf(claims, keys, lie.signing),
        })
      }
      case '/userinfo':
        return json(lie.userinfo)
      default:
        return { status: 404, body: '{}' }
    }
  }
  const provider: LyingProvider = {
    issuer: server.url,
    lie: {},
    authorise: (url) => {
      const { searchParams } = new URL(url)
      nonce = searchParams.get('nonce') ?? ''
      const right = { code: 'canary-code', state: searchParams.get('state') ?? '', iss: provider.issuer }
      const query = new URLSearchParams(provider.lie.query?.(right) ?? right)
      return `${searchParams.get('redirect_uri') ?? ''}?${query.toString()}`
    },
    stop: () => server.stop(),
  }
  return provider
}

function tokenOf(
  claims: object,
  keys: { own: KeyObject; other: KeyObject },
  signing: Lie['signing'],
): string {
  const alg = signing === 'none' ? 'none' : signing === 'the client secret' ? 'HS256' : 'RS256'
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part({ alg, typ: 'JWT', kid: keyId })}.${part(claims)}`
  const signature = () => {
    if (signing === 'none' || signing === 'nothing after the dots') return ''
    if (signing === 'the client secret')
      return createHmac('sha256', clientSecret).update(signed).digest('base64url')
    const key = signing === 'another key' ? keys.other : keys.own
    return sign('sha256', Buffer.from(signed), key).toString('base64url')
  }
  return `${signed}.${signature()}`
}
