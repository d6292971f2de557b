import type { Context, Middleware } from 'koa'
import { RewardsError } from '../../core/errors.ts'
import type { ApiDeps } from '../deps.ts'
import type { OperatorRecord } from '../../core/operator/operator.ts'
import { authenticateAdmin, authenticateSession } from '../middleware/authenticate.ts'
import { readSessionCookie } from '../middleware/session-cookie.ts'
import type { RouteState } from '../route-state.ts'
import { createRecordLook } from './audit.ts'
import { boardPolicy, createBoard, isForPrograms } from './board.ts'
import { consolePages, consolePolicy, createConsole } from './console.ts'
import { createInvitationPage, createSetupPage } from './join.ts'
import { pageStyleName, showPageStyle } from './page-style.ts'
import { createSignInPages } from './sign-in.ts'
import { createSingleSignOnPages } from './single-sign-on.ts'

type Deps = Pick<
  ApiDeps,
  | 'config'
  | 'clock'
  | 'nowMs'
  | 'log'
  | 'metrics'
  | 'queues'
  | 'backend'
  | 'database'
  | 'cipher'
  | 'findSession'
  | 'rateLimiter'
  | 'signInGuard'
  | 'codeAttempts'
  | 'singleSignOnGuard'
  | 'identityProvider'
  | 'adminAttempts'
  | 'failedAttempts'
  | 'recordAudit'
>

interface OpsRoute {
  path: string
  /** Also everything below it. */
  withSubpaths?: true
  GET?: (ctx: Context) => Promise<void> | void
  POST?: (ctx: Context) => Promise<void> | void
}

/**
 * Beside the headers of all answers (middleware/security-headers.ts). The board has a policy of its own. With the referrer
 * policy `no-referrer` browsers would send `Origin: null` with our own login form.
 */
const pageHeaders = {
  'Content-Security-Policy': consolePolicy,
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
}

/** The pages for operators under /ops; all other requests pass to the next middleware. */
export function createOps(deps: Deps): Middleware<RouteState> {
  const opsPath = `${deps.config.basePath}/ops`
  const signIn = createSignInPages(deps, opsPath)
  const invitation = createInvitationPage(deps, opsPath)
  const setup = createSetupPage(deps, opsPath)
  const { singleSignOn: settings } = deps.config
  const { identityProvider: provider } = deps
  const oidc =
    settings === undefined || provider === undefined
      ? undefined
      : createSingleSignOnPages(deps, { opsPath, provider, settings })
  const board = createBoard(deps, opsPath)
  const recordLook = createRecordLook(deps, `${opsPath}/queues`)
  const console = createConsole(deps.config.basePath)
  const showConsole = async (ctx: Context) => {
    if ((await signIn.find(ctx)) === undefined) signIn.ask(ctx)
    else await console.showPage(ctx)
  }
  const routes: OpsRoute[] = [
    { path: '/', GET: showConsole },
    ...consolePages.map((path): OpsRoute => ({ path, withSubpaths: true, GET: showConsole })),
    {
      path: '/files',
      withSubpaths: true,
      GET: async (ctx) => {
        const name = ctx.path.slice(`${opsPath}/files/`.length)
        if (name === pageStyleName) showPageStyle(ctx)
        else await console.showFile(ctx, name)
      },
    },
    { path: '/login', GET: signIn.show, POST: signIn.enter },
    ...(oidc === undefined
      ? []
      : [
          { path: '/login/oidc', GET: oidc.begin },
          { path: '/login/oidc/callback', GET: oidc.finish },
        ]),
    { path: '/logout', POST: signIn.leave },
    { path: '/invitation', GET: invitation.show, POST: invitation.enter },
    { path: '/setup', GET: setup.show, POST: setup.enter },
    {
      path: '/queues',
      withSubpaths: true,
      GET: async (ctx) => {
        ctx.set('Content-Security-Policy', boardPolicy)
        if (hasAdminKey(ctx, deps)) {
          await recordLook(ctx, 'admin', () => board(ctx))
          return
        }
        const isProgram = isForPrograms(ctx.path.slice(`${opsPath}/queues`.length))
        if (!isProgram && (await signIn.find(ctx)) === undefined) {
          signIn.ask(ctx)
          return
        }
        if (readSessionCookie(ctx) === undefined) throw new RewardsError('api_key_invalid')
        const { operator } = await authenticateSession(ctx, deps)
        refuseUnlessOfAll(operator)
        await recordLook(ctx, `operator:${operator.username}`, () => board(ctx))
      },
    },
  ]

  deps.metrics.expectRoutes(
    routes.flatMap(({ path, GET, POST }) =>
      Object.entries({ GET, POST }).flatMap(([method, handle]) =>
        handle === undefined ? [] : [{ method, path: `/ops${path}` }],
      ),
    ),
  )
  return async (ctx, next) => {
    if (ctx.path !== opsPath && !ctx.path.startsWith(`${opsPath}/`)) {
      await next()
      return
    }
    ctx.set(pageHeaders)
    const path = ctx.path.slice(opsPath.length) || '/'
    const route = routes.find(
      (candidate) =>
        candidate.path === path || (candidate.withSubpaths && path.startsWith(`${candidate.path}/`)),
    )
    if (route === undefined) throw new RewardsError('route_unknown')
    ctx.state.route = `/ops${route.path}`
    const handle = ctx.method === 'POST' ? route.POST : isRead(ctx) ? route.GET : undefined
    if (handle === undefined) {
      ctx.set('Allow', [...(route.GET ? ['GET', 'HEAD'] : []), ...(route.POST ? ['POST'] : [])].join(', '))
      throw new RewardsError('method_not_allowed')
    }
    await handle(ctx)
  }
}

/** The queues hold the jobs of all casinos. */
function refuseUnlessOfAll({ casinos, isSecondFactorRequired, hasSecondFactor }: OperatorRecord): void {
  if (isSecondFactorRequired && !hasSecondFactor) throw new RewardsError('second_factor_required')
  if (casinos !== 'all') throw new RewardsError('right_missing')
}

function isRead(ctx: Context): boolean {
  return ctx.method === 'GET' || ctx.method === 'HEAD'
}

/** For scripts: `Authorization: Bearer <admin key>`. Throws for another key. */
function hasAdminKey(ctx: Context, deps: Deps): boolean {
  if (ctx.get('Authorization') === '') return false
  authenticateAdmin(ctx, deps)
  return true
}
