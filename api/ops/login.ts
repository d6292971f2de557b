import bodyParser from 'koa-bodyparser'
import type { Context } from 'koa'
import { isSameSecret } from '../../core/casino/api-key.ts'
import { RewardsError } from '../../core/errors.ts'
import { newId } from '../../core/platform/ids.ts'
import { storable } from '../audited.ts'
import { clientAddress } from '../middleware/client-address.ts'
import type { ApiDeps } from '../deps.ts'
import { isCrossSite } from './cross-site.ts'
import { renderPage, replyWithErrorPage } from './page.ts'
import { createSessions, sessionLifetimeMs } from './session.ts'

const cookieName = 'ops_session'

/**
 * Over TLS the name says what browsers then insist on: that this very host has set the cookie over TLS, for all its paths.
 * No other host of the same site can put one of its own in its place. A browser takes no such cookie over plain HTTP.
 */
function cookieOf(ctx: Context, opsPath: string): { name: string; path: string } {
  return ctx.secure ? { name: `__Host-${cookieName}`, path: '/' } : { name: cookieName, path: opsPath }
}

/** The login of the operations pages: whoever knows the admin key gets a session cookie for this part of the site. */
export interface Login {
  /** `GET /ops/login` */
  show: (ctx: Context) => void
  /** `POST /ops/login` */
  enter: (ctx: Context) => Promise<void>
  /** `POST /ops/logout` */
  leave: (ctx: Context) => void
  hasSession: (ctx: Context) => boolean
}

export function createLogin(
  deps: Pick<ApiDeps, 'config' | 'clock' | 'adminAttempts' | 'log' | 'recordAudit'>,
  opsPath: string,
): Login {
  const { adminApiKey, hashSecret } = deps.config
  const sessions = createSessions(deps)
  const { adminAttempts } = deps

  const setCookie = (ctx: Context, token: string, maxAgeMs: number) => {
    const { name, path } = cookieOf(ctx, opsPath)
    ctx.cookies.set(name, token, {
      path,
      httpOnly: true,
      sameSite: 'strict',
      secure: ctx.secure,
      maxAge: maxAgeMs,
      overwrite: true,
    })
  }
  /** Nobody gets in, or is told that the key is wrong, without a trace. */
  const record = (ctx: Context, outcome: string) => {
    const at = deps.clock.now()
    return deps.recordAudit({
      id: newId('aud', at),
      casinoId: '',
      at,
      actor: 'ops',
      address: storable(clientAddress(ctx)),
      action: 'POST /ops/login',
      params: '{}',
      reason: null,
      requestId: String(ctx.state['requestId']),
      outcome,
    })
  }
  const hasSession = (ctx: Context) => sessions.isValid(ctx.cookies.get(cookieOf(ctx, opsPath).name) ?? '')

  return {
    hasSession,
    show: (ctx) => {
      ctx.type = 'html'
      ctx.body = hasSession(ctx) ? renderLoggedIn(opsPath) : renderLogin(opsPath)
    },
    enter: async (ctx) => {
      refuseCrossSite(ctx)
      const address = clientAddress(ctx)
      const isKey = isSameSecret(await readKey(ctx), adminApiKey, hashSecret)
      const waitSeconds = adminAttempts.waitSeconds(address)
      if (waitSeconds > 0) {
        const page = renderLogin(opsPath, 'Too many failed attempts. Try again in a minute.')
        replyWithErrorPage(ctx, 'login_limited', page, { 'Retry-After': String(waitSeconds) })
        return
      }
      if (!isKey) {
        adminAttempts.recordFailure(address)
        await record(ctx, '401 api_key_invalid')
        deps.log.warn({ requestId: String(ctx.state['requestId']) }, 'failed login to the operations pages')
        replyWithErrorPage(ctx, 'api_key_invalid', renderLogin(opsPath, 'This is not the admin key.'))
        return
      }
      await record(ctx, '303')
      setCookie(ctx, sessions.create(), sessionLifetimeMs)
      redirect(ctx, `${opsPath}/queues`)
    },
    leave: (ctx) => {
      refuseCrossSite(ctx)
      setCookie(ctx, '', 0)
      redirect(ctx, `${opsPath}/login`)
    },
  }
}

/** 303: whatever the method was, go there with GET. */
export function redirect(ctx: Context, path: string): void {
  ctx.redirect(path)
  ctx.status = 303
}

function refuseCrossSite(ctx: Context): void {
  if (isCrossSite(ctx)) throw new RewardsError('cross_site_refused')
}

/** A key of 256 characters, each written as three. */
const parseForm = bodyParser({
  enableTypes: ['form'],
  formLimit: '1kb',
  onerror: (error) => {
    throw error
  },
})

/** The key of the form; empty, which is no key, for anything that is no such form. */
async function readKey(ctx: Context): Promise<string> {
  try {
    await parseForm(ctx, () => Promise.resolve())
  } catch {
    ctx.set('Connection', 'close') // what is left of the body is not wanted
    return ''
  }
  const { body } = ctx.request
  return typeof body === 'object' && body !== null && 'key' in body && typeof body.key === 'string'
    ? body.key
    : ''
}

function renderLogin(opsPath: string, error?: string): string {
  return renderPage(
    'Log in',
    `${error === undefined ? '' : `<p class="error" role="alert" id="error">${error}</p>\n`}<form method="post" action="${opsPath}/login">
<input name="username" value="admin" autocomplete="username" hidden>
<label for="key">Admin key</label>
<input id="key" name="key" type="password" autocomplete="current-password" maxlength="256" required autofocus${error === undefined ? '' : ' aria-invalid="true" aria-describedby="error"'}>
<button>Log in</button>
</form>`,
  )
}

function renderLoggedIn(opsPath: string): string {
  return renderPage(
    'You are logged in',
    `<p><a href="${opsPath}/queues">Go to the queues</a></p>
<form method="post" action="${opsPath}/logout"><button>Log out</button></form>`,
  )
}
