import type { Context } from 'koa'
import { RewardsError } from '../../core/errors.ts'
import type { IdentityProvider } from '../../core/operator/identity-provider.ts'
import type { Identity } from '../../core/operator/identity.ts'
import { createSession, sessionLifetimeMs } from '../../core/operator/sessions.ts'
import { hashState, openTicket, sealTicket, ticketLifetimeMs } from '../../core/operator/sign-on-ticket.ts'
import type { SignOnTicket } from '../../core/operator/sign-on-ticket.ts'
import { admitIdentity, findByIdentity } from '../../core/operator/single-sign-on.ts'
import type { SingleSignOnConfig } from '../../core/platform/single-sign-on.ts'
import { outcomeOf, storable } from '../audited.ts'
import type { ApiDeps } from '../deps.ts'
import { errorMeanings } from '../error-response.ts'
import { clientAddress } from '../middleware/client-address.ts'
import { readSignOnCookie, setSessionCookie, setSignOnCookie } from '../middleware/session-cookie.ts'
import { actorOf } from '../route-state.ts'
import { createRecordOps } from './audit.ts'
import { escapeHtml } from './form.ts'
import { renderPage, replyWithErrorPage } from './page.ts'
import { redirect, retryAfter } from './sign-in.ts'
import { isTooLong, safeTarget } from './target.ts'

type Deps = Pick<
  ApiDeps,
  'config' | 'clock' | 'nowMs' | 'log' | 'database' | 'singleSignOnGuard' | 'recordAudit'
>

/** The way in through an identity provider (OpenID Connect). */
export interface SingleSignOnPages {
  /** `GET /ops/login/oidc` */
  begin: (ctx: Context) => Promise<void>
  /** `GET /ops/login/oidc/callback` */
  finish: (ctx: Context) => Promise<void>
}

export function createSingleSignOnPages(
  deps: Deps,
  {
    opsPath,
    provider,
    settings,
  }: { opsPath: string; provider: IdentityProvider; settings: SingleSignOnConfig },
): SingleSignOnPages {
  const { clock, database, config } = deps
  const { hashSecret } = config
  const recordOps = createRecordOps(deps)
  const action = 'GET /ops/login/oidc/callback'

  /** A page instead of an error: a person waits for it. Others are told as everywhere. */
  const refuse = (ctx: Context, error: unknown) => {
    if (!(error instanceof RewardsError) || !told.has(error.code)) throw error
    const { cause } = error
    deps.log.warn(
      {
        requestId: String(ctx.state['requestId']),
        errorCode: error.code,
        ...(cause instanceof Error ? { problem: cause.message } : {}),
      },
      'single sign-on refused',
    )
    const message = error.message === error.code ? errorMeanings[error.code].message : error.message
    replyWithErrorPage(ctx, error.code, renderRefused(opsPath, message), retryAfter(error))
  }

  const enter = async (ctx: Context, ticket: SignOnTicket) => {
    let identity: Identity | undefined
    try {
      const { admitted, token } = await deps.singleSignOnGuard.run(
        { address: clientAddress(ctx) },
        async () => {
          identity = await provider.finish(ctx.querystring, ticket)
          const admitted = await admitIdentity(database, clock.now(), settings, identity)
          const token = await createSession({ database, hashSecret }, clock.now(), {
            operatorId: admitted.operator.id,
            address: storable(clientAddress(ctx)),
            userAgent: storable(ctx.get('User-Agent')),
            signOnHash: hashState(hashSecret, ticket.state),
          })
          return { admitted, token }
        },
      )
      const { operator, note } = admitted
      const actor = actorOf({ kind: 'person', username: operator.username })
      // No sign-in goes unrecorded.
      await recordOps(ctx, { actor, action }, note === undefined ? '200' : `200 ${note}`)
      return token
    } catch (error) {
      // Refusals by a limit must not fill the trail.
      if (!(error instanceof RewardsError) || !['login_limited', 'overloaded'].includes(error.code)) {
        const visit = { actor: await nameOf(identity), action, params: subjectOf(identity) }
        await recordOps(ctx, visit, outcomeOf(error))
      }
      throw error
    }
  }

  const nameOf = async (identity: Identity | undefined) => {
    const operator = identity === undefined ? undefined : await findByIdentity(database, identity)
    return operator === undefined ? 'ops' : actorOf({ kind: 'person', username: operator.username })
  }

  return {
    begin: async (ctx) => {
      refuseHead(ctx)
      try {
        const { url, secrets } = await provider.begin()
        const expiresAt = new Date(clock.now().getTime() + ticketLifetimeMs)
        const { to } = ctx.query
        const wanted = { target: safeTarget(opsPath, to), isTargetLost: isTooLong(to) }
        const ticket = sealTicket(hashSecret, { ...secrets, ...wanted, expiresAt })
        setSignOnCookie(ctx, ticket, ticketLifetimeMs)
        redirect(ctx, url)
      } catch (error) {
        refuse(ctx, error)
      }
    },
    finish: async (ctx) => {
      refuseHead(ctx)
      const sealed = readSignOnCookie(ctx) ?? ''
      setSignOnCookie(ctx, '', 0)
      try {
        const state = typeof ctx.query['state'] === 'string' ? ctx.query['state'] : ''
        const ticket = openTicket(hashSecret, clock.now(), { sealed, state })
        // Not in the trail: any website can send browsers here without a ticket.
        if (ticket === undefined) throw new RewardsError('single_sign_on_stale')
        const token = await enter(ctx, ticket)
        setSessionCookie(ctx, token, sessionLifetimeMs)
        showWayOn(ctx, opsPath, ticket)
      } catch (error) {
        refuse(ctx, error)
      }
    },
  }
}

const tooLongNote =
  '<p>The address of the page that you wanted is too long to be kept. It stays in the history of your browser: go back to it.</p>\n'

const told: ReadonlySet<string> = new Set([
  'single_sign_on_refused',
  'single_sign_on_stale',
  'identity_provider_failed',
  'login_limited',
  'overloaded',
])

/** Programs that ask for headers only (previews of links, scanners) would use up a code. */
function refuseHead(ctx: Context): void {
  if (ctx.method === 'GET') return
  ctx.set('Allow', 'GET')
  throw new RewardsError('method_not_allowed')
}

function subjectOf(identity: Identity | undefined): Record<string, string> {
  return identity === undefined ? {} : { subject: identity.subject }
}

/**
 * No redirect: browsers would count it as coming from the identity provider's site, and leave out the session's cookie
 * (SameSite=Strict). This page is ours, so the next page gets the cookie. It stays where the wanted page was lost, so that
 * the person can read that.
 */
function showWayOn(ctx: Context, opsPath: string, { target, isTargetLost }: SignOnTicket): void {
  const href = escapeHtml(target)
  ctx.set('Referrer-Policy', 'no-referrer') // the address has the code
  ctx.type = 'html'
  ctx.body = renderPage(
    opsPath,
    'You are signed in',
    `${isTargetLost ? tooLongNote : ''}<p><a href="${href}">Continue</a></p>`,
    isTargetLost ? '' : `<meta http-equiv="refresh" content="0;url=${href}">`,
  )
}

function renderRefused(opsPath: string, message: string): string {
  return renderPage(
    opsPath,
    'You are not signed in',
    `<p class="error" role="alert">${escapeHtml(message)}</p>
<p><a href="${opsPath}/login">Back to the sign-in page</a></p>`,
  )
}
