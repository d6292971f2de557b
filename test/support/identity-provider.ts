import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import Provider from 'oidc-provider'
import type { Env } from './config.ts'
import { startHttpServer } from './partner-server.ts'

/** A person with an account at the provider: the subject is the key of `people`. */
export interface Account {
  name?: string
  preferred_username?: string
  email?: string
  email_verified?: boolean
  groups?: unknown
}

/** A real OpenID provider (npm's oidc-provider) on this machine, where people sign in with a form. */
export interface TestProvider {
  issuer: string
  people: Map<string, Account>
  /** Its behaviour for the next person who signs in. */
  behaviour: { isRefusing: boolean }
  /** Paths that it was asked for. */
  asked: string[]
  stop(): Promise<void>
}

export const clientId = 'rewards-console'
export const clientSecret = 'a secret of the client, with % and :'

/** The groups of the tests, and what they may do. */
export const roles = [
  { value: 'rewards-admins', role: 'admin', casino_ids: null },
  { value: 'support-acme', role: 'support', casino_ids: ['acme'] },
  { value: 'support-lucky', role: 'support', casino_ids: ['lucky'] },
  { value: 'everybody', role: 'viewer', casino_ids: null },
]

/** The variables of a service whose operators sign in there. */
export function singleSignOnEnv(issuer: string, consoleUrl: string, more: Env = {}): Env {
  return {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    OIDC_REDIRECT_BASE: consoleUrl,
    OIDC_ROLE_CLAIM: 'groups',
    OIDC_ROLES: JSON.stringify(roles),
    ...more,
  }
}

/** `isLean`: the ID token has only the subject, and the rest is in the answer of the userinfo endpoint. */
export async function startIdentityProvider(
  consoleUrl: string,
  { isLean = false, host = '127.0.0.1' }: { isLean?: boolean; host?: string } = {},
): Promise<TestProvider> {
  const people = new Map<string, Account>()
  const behaviour = { isRefusing: false }
  const asked: string[] = []
  let answer: (request: IncomingMessage, response: ServerResponse) => void = () => undefined
  const server = await startHttpServer((request, response) => {
    asked.push((request.url ?? '').replace(/\?.*/, ''))
    answer(request, response)
  })
  const issuer = `http://${host}:${server.port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${consoleUrl}/ops/login/oidc/callback`],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    findAccount: (_: unknown, accountId: string) => {
      const account = people.get(accountId)
      return account === undefined
        ? undefined
        : { accountId, claims: () => Promise.resolve({ sub: accountId, ...account }) }
    },
    claims: {
      openid: ['sub'],
      profile: ['name', 'preferred_username', 'groups'],
      email: ['email', 'email_verified'],
    },
    conformIdTokenClaims: isLean,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    jwks: { keys: [makeKey()] },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
  })
  const listen = provider.callback()
  answer = (request, response) => {
    if (request.url?.startsWith('/interaction/') === true) {
      interact(provider, request, response, behaviour).catch((error: unknown) => {
        response.writeHead(500).end(String(error))
      })
    } else {
      listen(request, response)
    }
  }
  return { issuer, people, behaviour, asked, stop: () => server.stop() }
}

/** A form for the name of the account; signing in is consent. */
async function interact(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
  { isRefusing }: TestProvider['behaviour'],
): Promise<void> {
  const { prompt, session } = await provider.interactionDetails(request, response)
  if (prompt.name === 'consent') {
    const grant = new provider.Grant({ accountId: session?.accountId ?? '', clientId })
    grant.addOIDCScope('openid profile email')
    await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
  } else if (request.method === 'POST') {
    const login = new URLSearchParams(await textOf(request)).get('login') ?? ''
    const refusal = { error: 'access_denied', error_description: '<script>alert(1)</script>' }
    await provider.interactionFinished(
      request,
      response,
      isRefusing ? refusal : { login: { accountId: login } },
    )
  } else {
    response.writeHead(200, { 'Content-Type': 'text/html' })
    response.end(
      '<link rel="icon" href="data:,"><form method="post"><input name="login"><button>Sign in</button></form>',
    )
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

function makeKey(): object {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }
}
