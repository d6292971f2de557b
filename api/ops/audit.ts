import type { Context } from 'koa'
import { createOncePerTime } from '../../core/limit/once-per-time.ts'
import { outcomeOf, paramsIn, recordOutcome, storable } from '../audited.ts'
import type { ApiDeps } from '../deps.ts'
import { clientAddress } from '../middleware/client-address.ts'
import { isFile, isForPrograms } from './board.ts'

type Deps = Pick<ApiDeps, 'clock' | 'nowMs' | 'log' | 'recordAudit'>

interface Visit {
  /** `operator:<username>`, `admin` for the admin key, `ops` for a person who is not signed in. */
  actor: string
  action: string
  params?: Readonly<Record<string, string>>
}

/** Records the actions of operators on these pages, in the trail of the service. */
export function createRecordOps(deps: Deps): (ctx: Context, visit: Visit, outcome: string) => Promise<void> {
  return (ctx, { actor, action, params = {} }, outcome) => {
    const where = { casinoId: '', address: storable(clientAddress(ctx)), reason: null }
    const what = { actor, action, params: paramsIn(params), requestId: String(ctx.state['requestId']) }
    return recordOutcome(deps, { ...where, ...what }, outcome)
  }
}

/** An open page refreshes every few seconds; the visit gets an audit entry, not each refresh. */
const looksOnceMs = 15 * 60_000

/**
 * Shows the board and records its visitors: each visit to a page, and of the requests for data, which open pages and
 * programs repeat, the first in a quarter of an hour for each actor and address. Requests for the board's own scripts
 * and pictures are not recorded. A page is not shown if its visit cannot be recorded.
 */
export function createRecordLook(
  deps: Deps,
  boardPath: string,
): (ctx: Context, actor: string, show: () => Promise<void>) => Promise<void> {
  const recordOps = createRecordOps(deps)
  const isFirst = createOncePerTime({ onceMs: looksOnceMs, nowMs: deps.nowMs })
  return async (ctx, actor, show) => {
    const path = ctx.path.slice(boardPath.length)
    const isData = isForPrograms(path)
    if (isFile(path) || (isData && !isFirst(`${actor} ${clientAddress(ctx)}`))) {
      await show()
      return
    }
    const visit = { actor, action: `GET /ops/queues${isData ? '/api' : ''}`, params: { path } }
    const failure = await show().then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
    const outcome = failure === undefined ? String(ctx.status) : outcomeOf(failure.error)
    try {
      await recordOps(ctx, visit, outcome)
    } catch (error) {
      if (outcome === '200') throw error
      // Nothing was shown. The visitor gets the first error, which is more useful: both may have the same cause.
      deps.log.error(
        { err: error, requestId: String(ctx.state['requestId']) },
        'cannot record a visit to the queue dashboard',
      )
    }
    if (failure !== undefined) throw failure.error
  }
}
