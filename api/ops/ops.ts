import type { Context, Middleware } from 'koa'
import { RewardsError } from '../../core/errors.ts'
import type { ApiDeps } from '../deps.ts'
import { authenticateAdmin } from '../middleware/authenticate.ts'
import type { RouteState } from '../route-state.ts'
import { createRecordLook, createRecordOps } from './audit.ts'
import { createBoard, isForPrograms } from './board.ts'
import { createLogin, redirect } from './login.ts'

type Deps = Pick<
  ApiDeps,
  | 'config'
  | 'clock'
  | 'nowMs'
  | 'log'
  | 'metrics'
  | 'queues'
  | 'backend'
  | 'adminAttempts'
  | 'failedAttempts'
  | 'recordAudit'
>

interface OpsRoute {
  /** Also everything below it, when it is the board's. */
  path: string
  withSubpaths?: true
  GET?: (ctx: Context) => Promise<void> | void
  POST?: (ctx: Context) => Promise<void> | void
}

/**
 * Beside what all answers have (middleware/security-headers.ts): nothing is loaded from elsewhere or shown in a frame. The
 * board and the pages set styles inline, which is harmless where scripts come from our own files only. With the referrer
 * policy `no-referrer` browsers would send `Origin: null` with our own login form.
 */
const pageHeaders = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
}

/** The pages for operators under /ops; everything else goes on to what comes next. */
export function createOps(deps: Deps): Middleware<RouteState> {
  const opsPath = `${deps.config.basePath}/ops`
  const login = createLogin(deps, opsPath)
  const board = createBoard(deps, opsPath)
  const recordOps = createRecordOps(deps)
  const recordLook = createRecordLook(deps, `${opsPath}/queues`)
  const routes: OpsRoute[] = [
    {
      path: '/',
      GET: (ctx) => {
        redirect(ctx, `${opsPath}/queues`)
      },
    },
    { path: '/login', GET: login.show, POST: login.enter },
    {
      path: '/logout',
      POST: async (ctx) => {
        const hadSession = login.hasSession(ctx)
        login.leave(ctx)
        // Who has no session leaves nothing, and must not be able to fill the trail.
        if (hadSession) await recordOps(ctx, { actor: 'ops', action: 'POST /ops/logout' }, String(ctx.status))
      },
    },
    {
      path: '/queues',
      withSubpaths: true,
      GET: async (ctx) => {
        const actor = hasAdminKey(ctx, deps) ? 'admin' : login.hasSession(ctx) ? 'ops' : undefined
        if (actor !== undefined) {
          await recordLook(ctx, actor, () => board(ctx))
        } else if (isForPrograms(ctx.path.slice(`${opsPath}/queues`.length))) {
          throw new RewardsError('api_key_invalid')
        } else {
          redirect(ctx, `${opsPath}/login`)
        }
      },
    },
  ]

  deps.metrics.expectRoutes(routes.map(({ path }) => `/ops${path}`))
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

function isRead(ctx: Context): boolean {
  return ctx.method === 'GET' || ctx.method === 'HEAD'
}

/** For scripts: `Authorization: Bearer <admin key>`. Throws when it is another one. */
function hasAdminKey(ctx: Context, deps: Deps): boolean {
  if (ctx.get('Authorization') === '') return false
  authenticateAdmin(ctx, deps)
  return true
}
