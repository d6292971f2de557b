import {
  AuthorizationResponseError,
  ClientSecretBasic,
  ClientSecretPost,
  ResponseBodyError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import type { ClientAuth, Configuration, CustomFetch } from 'openid-client'
import { RewardsError } from '../errors.ts'
import type { NoAnswerReason, SendRequest } from '../partner/http-client.ts'
import { isSafeAddress } from '../platform/single-sign-on.ts'
import type { SingleSignOnConfig } from '../platform/single-sign-on.ts'
import { createCached } from './cached.ts'
import { readIdentity } from './identity.ts'
import type { Identity } from './identity.ts'

/** The values that have to be the same when the browser comes back. */
export interface SignOnSecrets {
  state: string
  nonce: string
  verifier: string
}

/** The identity provider (OpenID Connect, authorization code flow with PKCE). */
export interface IdentityProvider {
  /** Where to send the browser. Throws `identity_provider_failed`. */
  begin: () => Promise<{ url: string; secrets: SignOnSecrets }>
  /**
   * The identity of the person who has come back, by the query of the address. Throws `single_sign_on_refused` if the
   * provider refuses, `single_sign_on_stale` for a code that is not good any more, or `identity_provider_failed`.
   */
  finish: (query: string, secrets: SignOnSecrets) => Promise<Identity>
}

/** People wait for up to four calls. */
const callTimeoutMs = 5_000
/** Providers announce a change of their addresses long before. Signing keys are looked up more often, by the library. */
const keepDiscoveredMs = 60 * 60_000
/** A provider that is away is not asked more often. */
const retryAfterMs = 2_000
/** How far the clocks of this machine and the provider may be apart. */
const toleranceSeconds = 30

/**
 * Discovery happens at the first sign-on, so that a provider that is away does not keep the service from starting.
 * Everything else is checked by the library: state, issuer (also of the answer, RFC 9207), nonce, audience, times, and the
 * signature of the ID token.
 */
export function createIdentityProvider(
  config: SingleSignOnConfig,
  { send, nowMs }: { send: SendRequest; nowMs: () => number },
): IdentityProvider {
  const findConfiguration = createCached({
    load: () => discover(config, send),
    keepMs: keepDiscoveredMs,
    retryAfterMs,
    nowMs,
  })
  return {
    begin: () =>
      told(async () => {
        const configuration = await findConfiguration()
        const secrets = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
        const url = buildAuthorizationUrl(configuration, {
          redirect_uri: config.redirectUri,
          response_type: 'code',
          scope: config.scope,
          state: secrets.state,
          nonce: secrets.nonce,
          code_challenge: await calculatePKCECodeChallenge(secrets.verifier),
          code_challenge_method: 'S256',
        })
        if (!isCallable(url.href)) throw new CallFailure('url_invalid')
        return { url: url.href, secrets }
      }),
    finish: (query, { state, nonce, verifier }) =>
      told(async () => {
        const configuration = await findConfiguration()
        const url = new URL(config.redirectUri)
        url.search = query
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier }
        const tokens = await authorizationCodeGrant(configuration, url, checks)
        const claims = tokens.claims()
        if (claims === undefined) throw new CallFailure('no_id_token')
        const more = Object.hasOwn(claims, config.roleClaim)
          ? {}
          : await askForMore(configuration, tokens.access_token, claims.sub)
        const identity = readIdentity({ ...more, ...claims }, config.issuer, config.roleClaim)
        if (identity === undefined) throw new CallFailure('subject_invalid')
        return identity
      }),
  }
}

async function discover(config: SingleSignOnConfig, send: SendRequest): Promise<Configuration> {
  const { issuer, clientId, clientSecret } = config
  return discovery(
    new URL(issuer),
    clientId,
    { client_secret: clientSecret, [clockTolerance]: toleranceSeconds },
    createClientAuth(clientSecret),
    {
      [customFetch]: createFetch(send),
      execute: [
        enableNonRepudiationChecks,
        // Only on this machine (isCallable). A provider elsewhere cannot lead us to an address without TLS.
        // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so that it stands out; there is no other way
        ...(new URL(issuer).protocol === 'http:' ? [allowInsecureRequests] : []),
      ],
    },
  )
}

/** Providers that say nothing take the first way (OpenID Connect Core, section 9). */
function createClientAuth(clientSecret: string): ClientAuth {
  const [basic, post] = [ClientSecretBasic(clientSecret), ClientSecretPost(clientSecret)]
  return (as, ...rest) => {
    const { token_endpoint_auth_methods_supported: methods } = as
    const isBasic = methods === undefined || methods.includes('client_secret_basic')
    const authenticate = isBasic ? basic : post
    authenticate(as, ...rest)
  }
}

/** Some providers keep the ID token small, and have the rest elsewhere. */
async function askForMore(
  configuration: Configuration,
  accessToken: string,
  subject: string,
): Promise<Record<string, unknown>> {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return {}
  return fetchUserInfo(configuration, accessToken, subject)
}

/** Why a provider was no use; `cause` is for the log. */
class CallFailure extends TypeError {
  readonly code: string

  constructor(code: NoAnswerReason | 'no_id_token' | 'subject_invalid') {
    super(code)
    this.code = code
  }
}

/** The library's calls go out as all others do: bounded in time and size, over verified TLS, without redirects. */
function createFetch(send: SendRequest): CustomFetch {
  return async (url, { method, headers, body }) => {
    if (!isCallable(url)) throw new CallFailure('url_invalid')
    const result = await send({
      // Names are looked up for everybody who signs in together.
      casinoId: '',
      method: method === 'POST' ? 'POST' : 'GET',
      url,
      headers,
      ...(body instanceof URLSearchParams ? { body: body.toString() } : {}),
      timeoutMs: callTimeoutMs,
    })
    if (result.kind === 'no_answer') throw new CallFailure(result.reason)
    const { status } = result
    if (status < 200 || status > 599) throw new CallFailure('connection_lost')
    const hasBody = ![204, 205, 304].includes(status)
    return new Response(hasBody ? result.body : null, { status, headers: result.headers })
  }
}

/** The addresses in a provider's document, like its own: over TLS, or on this machine. They may have a query. */
function isCallable(url: string): boolean {
  return isSafeAddress(url.replace(/[?#].*$/s, ''))
}

/** Turns the library's errors into our codes, without any data that were sent or received. */
async function told<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof RewardsError || !(error instanceof Error)) throw error
    if (error instanceof AuthorizationResponseError && !isFailure(error.error)) {
      throw new RewardsError('single_sign_on_refused', 'The identity provider has not let you in.')
    }
    if (error instanceof ResponseBodyError && error.error === 'invalid_grant') {
      throw new RewardsError('single_sign_on_stale')
    }
    throw new RewardsError('identity_provider_failed', undefined, { cause: new Error(problemOf(error)) })
  }
}

function isFailure(error: string): boolean {
  return error === 'server_error' || error === 'temporarily_unavailable'
}

const problemLengthMax = 200

/** The library's messages are fixed sentences; the provider's data stand in causes, which are left out. */
function problemOf(error: Error): string {
  const { cause } = error
  const inner = cause instanceof Error ? `: ${cause.message}` : ''
  const said =
    error instanceof ResponseBodyError && /^[a-z_]{1,60}$/.test(error.error) ? error.error : undefined
  const code = 'code' in error ? ` (${said ?? String(error.code)})` : ''
  return `${error.message}${code}${inner}`.slice(0, problemLengthMax)
}
