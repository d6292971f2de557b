import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import { KoaAdapter } from '@bull-board/koa'
import type { Context, Middleware } from 'koa'
import { RewardsError } from '../../core/errors.ts'
import { DeadlineError, isReachable, withinMs } from '../../core/platform/deadline.ts'
import { isOutcome, jobNames, parseJobData } from '../../core/queue/jobs.ts'
import type { JobName } from '../../core/queue/jobs.ts'
import type { QueueBackend } from '../../core/queue/queue-backend.ts'
import type { ApiDeps } from '../deps.ts'
import { renderPage, replyWithErrorPage } from './page.ts'

/**
 * The board's libraries add style elements, so inline styles are allowed here, and here alone: they are harmless where
 * scripts come from our own files only. Its page has a `base`.
 */
export const boardPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** The board asks for several things in turn, each of which may take a Redis command's two seconds. */
const answerTimeoutMs = 5_000
/** How often an open page refreshes. */
const pollEverySeconds = 5

/**
 * The queues for people to look at, read-only: its own API would refuse to change anything, and is never asked to, since
 * only GET requests get here. Throws `queue_unavailable` when the queues do not answer in time.
 */
export function createBoard(
  deps: Pick<ApiDeps, 'queues' | 'backend'>,
  opsPath: string,
): (ctx: Context) => Promise<void> {
  const boardPath = `${opsPath}/queues`
  const dispatch = openBoard(deps, opsPath, boardPath)
  const isAway = async () => !(await isReachable(() => deps.backend.ping()))

  const ask = async (ctx: Context) => {
    if (!isFile(ctx.path.slice(boardPath.length)) && (await isAway()))
      throw new RewardsError('queue_unavailable')
    try {
      await withinMs(Promise.resolve(dispatch(ctx, ends)), answerTimeoutMs)
    } catch (error) {
      // Its file server throws at paths that lead out of its folder.
      if (isRefusal(error)) throw new RewardsError('route_unknown')
      if (error instanceof DeadlineError || (await isAway())) throw new RewardsError('queue_unavailable')
      throw error
    }
  }

  return async (ctx) => {
    const isPage = !isForPrograms(ctx.path.slice(boardPath.length))
    try {
      await ask(ctx)
    } catch (error) {
      if (!isPage || !(error instanceof RewardsError)) throw error
      replyWithErrorPage(ctx, error.code, renderQueuesAway(opsPath, deps.backend))
      return
    }
    if (ctx.status === 404 && !ctx.body) throw new RewardsError('route_unknown')
    if (isPage && typeof ctx.body === 'string') ctx.body = ctx.body.replace(remoteFonts, '')
  }
}

/** The files and calls that the board's page loads by itself; the rest are pages that people go to. */
export function isForPrograms(pathInBoard: string): boolean {
  return isFile(pathInBoard) || /^\/api(\/|$)/.test(pathInBoard)
}

/** The board's scripts and pictures, which are files of the package, not contents of the queues. */
export function isFile(pathInBoard: string): boolean {
  return /^\/static(\/|$)/.test(pathInBoard)
}

/** An error that stands for a 4xx answer. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error) || !('status' in error)) return false
  return typeof error.status === 'number' && error.status >= 400 && error.status < 500
}

function openBoard(deps: Pick<ApiDeps, 'queues'>, opsPath: string, boardPath: string): Middleware {
  const adapter = new KoaAdapter()
  adapter.setBasePath(boardPath)
  createBullBoard({
    serverAdapter: adapter,
    queues: jobNames.map((name) => createQueueAdapter(deps, name)),
    options: {
      uiConfig: {
        boardTitle: 'Casino rewards',
        hideDocsLink: true,
        miscLinks: [{ text: 'Sign out', url: `${opsPath}/login` }],
        pollingInterval: { showSetting: true, forceInterval: pollEverySeconds },
      },
    },
  })
  // The board would answer with the error's own message; ours are told by the error handler.
  adapter.setErrorHandler((error) => {
    throw error
  })
  return adapter.registerPlugin()
}

function createQueueAdapter({ queues }: Pick<ApiDeps, 'queues'>, name: JobName): BullMQAdapter {
  const adapter = new BullMQAdapter(queues.of(name), { readOnlyMode: true })
  // Jobs carry ids only. Should anything else ever get into one, it is not shown.
  adapter.setFormatter('data', (data) => {
    try {
      const works = parseJobData(data)
      const [first, ...others] = works
      return others.length === 0 ? first : { ...first, works: others }
    } catch {
      return 'hidden: not what a job of this queue carries'
    }
  })
  adapter.setFormatter('returnValue', (value: unknown) =>
    value === null || value === undefined || isOutcome(value)
      ? value
      : 'hidden: not what a job of this queue says',
  )
  return adapter
}

/** The policy forbids them anyway; without the link there is nothing to complain about in the browser's console. */
const remoteFonts = /<link href="https:\/\/fonts\.googleapis\.com[^>]*>/

function renderQueuesAway(opsPath: string, { kind }: QueueBackend): string {
  const consequence =
    kind === 'redis'
      ? ' Requests are still recorded, and their work waits in the database until it is back.'
      : ''
  return renderPage(
    opsPath,
    'The queues cannot be reached',
    `<p>The server that holds the queues does not answer.${consequence}</p>
<p><a href="">Try again</a></p>`,
  )
}

const ends = () => Promise.resolve()
