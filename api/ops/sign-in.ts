import type { Context } from 'koa'
import { RewardsError } from '../../core/errors.ts'
import type { ErrorCode } from '../../core/errors.ts'
import { normaliseUsername, signIn } from '../../core/operator/sign-in.ts'
import { endSessions, sessionLifetimeMs } from '../../core/operator/sessions.ts'
import type { SignedIn } from '../../core/operator/sessions.ts'
import { signInWaysOf } from '../../core/operator/sign-in-ways.ts'
import type { SignInWays } from '../../core/operator/sign-in-ways.ts'
import { outcomeOf, storable } from '../audited.ts'
import { clientAddress } from '../middleware/client-address.ts'
import { isCrossSite } from '../middleware/cross-site.ts'
import { readSessionCookie, setSessionCookie } from '../middleware/session-cookie.ts'
import type { ApiDeps } from '../deps.ts'
import { actorOf } from '../route-state.ts'
import { createRecordOps } from './audit.ts'
import { escapeHtml, readForm, renderForm, renderProblem } from './form.ts'
import type { FormProblem } from './form.ts'
import { renderPage, replyWithErrorPage } from './page.ts'
import { isTooLong, safeTarget } from './target.ts'

type Deps = Pick<
  ApiDeps,
  | 'config'
  | 'clock'
  | 'nowMs'
  | 'log'
  | 'database'
  | 'cipher'
  | 'signInGuard'
  | 'codeAttempts'
  | 'findSession'
  | 'recordAudit'
>

/** Signing in to the console and out of it, with a username and a password. */
export interface SignInPages {
  /** Sends a person who is not signed in to the form, and back to the page afterwards. */
  ask: (ctx: Context) => void
  /** `GET /ops/login` */
  show: (ctx: Context) => Promise<void>
  /** `POST /ops/login` */
  enter: (ctx: Context) => Promise<void>
  /** `POST /ops/logout` */
  leave: (ctx: Context) => Promise<void>
  /** The signed-in operator; undefined without a session. */
  find: (ctx: Context) => Promise<SignedIn | undefined>
}

export function createSignInPages(deps: Deps, opsPath: string): SignInPages {
  const { database, cipher, clock } = deps
  const ways = signInWaysOf(deps.config)
  const form = (ctx: Context, username: string, problem?: FormProblem) => {
    const { to } = ctx.query
    const target = { to: safeTarget(opsPath, to), isLost: isTooLong(to) }
    return renderSignIn(opsPath, ways, { ...target, username, problem })
  }
  const recordOps = createRecordOps(deps)
  const action = 'POST /ops/login'
  const find = async (ctx: Context) => {
    const token = readSessionCookie(ctx)
    return token === undefined ? undefined : deps.findSession(token)
  }

  return {
    find,
    ask: (ctx) => {
      redirect(ctx, `${opsPath}/login?to=${encodeURIComponent(ctx.url)}`)
    },
    show: async (ctx) => {
      const signedIn = await find(ctx)
      ctx.type = 'html'
      ctx.body = signedIn === undefined ? form(ctx, '') : renderSignedIn(opsPath, signedIn.operator.name)
    },
    enter: async (ctx) => {
      refuseCrossSite(ctx)
      const typed = await readForm(ctx, ['username', 'password', 'code'])
      const username = normaliseUsername(typed.username)
      const address = clientAddress(ctx)
      const credentials = {
        username,
        password: typed.password,
        code: typed.code.trim() === '' ? undefined : typed.code.replaceAll(/\s/g, ''),
      }
      const from = { address: storable(address), userAgent: storable(ctx.get('User-Agent')) }
      const { codeAttempts } = deps
      const hashSecret = deps.config.hashSecret
      const before = await find(ctx)
      try {
        const { token, operator } = await deps.signInGuard.run({ username, address }, () =>
          signIn({ database, cipher, hashSecret, ways, codeAttempts }, clock.now(), credentials, from),
        )
        // No sign-in goes unrecorded.
        await recordOps(
          ctx,
          { actor: actorOf({ kind: 'person', username: operator.username }), action },
          '303',
        )
        setSessionCookie(ctx, token, sessionLifetimeMs)
        // The browser forgets the earlier session, so it ends here too.
        if (before !== undefined)
          await endSessions(database, clock.now(), {
            operatorId: before.operator.id,
            sessionId: before.sessionId,
          })
        redirect(ctx, safeTarget(opsPath, ctx.query['to']))
      } catch (error) {
        const problem = problemOf(error)
        if (problem === undefined) throw error
        // A password may have been typed as the username, so the username is not recorded.
        if (problem.code !== 'login_limited') await recordOps(ctx, { actor: 'ops', action }, outcomeOf(error))
        deps.log.warn(
          { requestId: String(ctx.state['requestId']), errorCode: problem.code },
          'sign-in refused',
        )
        const page = form(ctx, typed.username, problem)
        replyWithErrorPage(ctx, problem.code, page, retryAfter(error))
      }
    },
    leave: async (ctx) => {
      refuseCrossSite(ctx)
      const signedIn = await find(ctx)
      setSessionCookie(ctx, '', 0)
      redirect(ctx, `${opsPath}/login`)
      // A caller without a session ends none, and must not be able to fill the trail.
      if (signedIn === undefined) return
      const { operator, sessionId } = signedIn
      await endSessions(database, clock.now(), { operatorId: operator.id, sessionId })
      const actor = actorOf({ kind: 'person', username: operator.username })
      await recordOps(ctx, { actor, action: 'POST /ops/logout' }, String(ctx.status))
    },
  }
}

/** 303: go there with GET, also after a POST. */
export function redirect(ctx: Context, path: string): void {
  ctx.redirect(path)
  ctx.status = 303
}

export function refuseCrossSite(ctx: Context): void {
  if (isCrossSite(ctx)) throw new RewardsError('cross_site_refused')
}

interface SignInProblem extends FormProblem {
  code: ErrorCode
}

/** The message for a person who was refused; undefined where the person did not cause that. */
function problemOf(error: unknown): SignInProblem | undefined {
  if (!(error instanceof RewardsError)) return undefined
  switch (error.code) {
    case 'sign_in_refused':
      return { code: error.code, message: 'Wrong username, password or code. Try again.' }
    case 'second_factor_code_required':
      return { code: error.code, field: 'code', message: 'Enter the code from your authenticator app too.' }
    case 'passwords_off':
      return { code: error.code, message: 'Passwords are off. Use single sign-on to sign in.' }
    case 'login_limited':
      return { code: error.code, message: 'Too many failed attempts. Try again later.' }
    default:
      return undefined
  }
}

export function retryAfter(error: unknown): Record<string, string> {
  const seconds = error instanceof RewardsError ? error.retryAfterSeconds : undefined
  return seconds === undefined ? {} : { 'Retry-After': String(seconds) }
}

function renderSignIn(
  opsPath: string,
  ways: SignInWays,
  {
    username,
    to,
    isLost,
    problem,
  }: { username: string; to: string; isLost: boolean; problem: FormProblem | undefined },
): string {
  const lost = isLost ? tooLongNote : ''
  const elsewhere =
    ways.issuer === undefined
      ? ''
      : `<p><a class="button" href="${opsPath}/login/oidc?to=${encodeURIComponent(to)}">Single sign-on</a></p>\n`
  if (!ways.passwords)
    return renderPage(
      opsPath,
      'Sign in',
      `${lost}${problem === undefined ? '' : renderProblem(problem.message)}${elsewhere}`,
    )
  const form = renderForm({
    action: `${opsPath}/login${to === `${opsPath}/` ? '' : `?to=${encodeURIComponent(to)}`}`,
    button: 'Sign in',
    fields: [
      {
        name: 'username',
        label: 'Username',
        autocomplete: 'username',
        value: username.slice(0, 100),
        maxlength: 100,
      },
      {
        name: 'password',
        label: 'Password',
        type: 'password',
        autocomplete: 'current-password',
        maxlength: 256,
      },
      {
        name: 'code',
        label: 'Code',
        autocomplete: 'one-time-code',
        hint: 'From your authenticator app, if you have set one up.',
        maxlength: 12,
        isOptional: true,
        isCode: true,
      },
    ],
    problem,
  })
  return renderPage(
    opsPath,
    'Sign in',
    `${lost}${form}
${elsewhere}<p><a href="${opsPath}/invitation">I have an invitation</a> · <a href="${opsPath}/setup">Make the first operator</a></p>`,
  )
}

const tooLongNote =
  '<p class="hint">The address of the page that you wanted is too long to be kept. It stays in the history of your browser: sign in, then go back to it.</p>\n'

function renderSignedIn(opsPath: string, name: string): string {
  return renderPage(
    opsPath,
    'You are signed in',
    `<p>As ${escapeHtml(name)}. <a href="${opsPath}/queues">Go to the queues</a></p>
<form method="post" action="${opsPath}/logout"><button>Sign out</button></form>`,
  )
}
