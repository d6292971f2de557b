import { findWaitingApprovals } from '../../core/act/waiting-approvals.ts'
import { findWaitingCashbacks } from '../../core/cashback/waiting-cashbacks.ts'
import type { WaitingCashbackState } from '../../core/cashback/waiting-cashbacks.ts'
import { findPausedSettings } from '../../core/casino/paused-settings.ts'
import { settingNames } from '../../core/casino/setting-values.ts'
import type { SettingName } from '../../core/casino/setting-values.ts'
import type { CasinoScope } from '../../core/operator/rights.ts'
import type { Database } from '../../core/platform/database.ts'
import { reachableWithinMs, withinMs } from '../../core/platform/deadline.ts'
import { waitingMax } from '../../core/platform/waiting-work.ts'
import type { CasinoChoice, WaitingWork } from '../../core/platform/waiting-work.ts'
import { findHeldOrders, findWaitingOrders } from '../../core/prize-order/waiting-orders.ts'
import type { WaitingOrderState } from '../../core/prize-order/waiting-orders.ts'
import { findFailedJobs } from '../../core/queue/count-jobs.ts'
import type { Queues } from '../../core/queue/queues.ts'
import { boolean, count, id, list, nullable, oneOf, time } from '../../core/shape/json-schema.ts'
import { requestOf } from '../../core/shape/request-shape.ts'
import { field, shapeOf } from '../../core/shape/shape.ts'
import { findFailingEndpoints } from '../../core/webhook/failing-endpoints.ts'
import type { ApiDeps } from '../deps.ts'
import type { AdminEndpoint } from '../endpoint.ts'
import { idInQuery, parseInput } from '../parse-input.ts'
import { success } from './render.ts'
import { chooseCasinos, scopeOf } from './scope.ts'

type Deps = Pick<ApiDeps, 'database' | 'queues' | 'log'>

const workKinds = [
  'order_unconfirmed',
  'order_held',
  'order_exception',
  'order_cancel_requested',
  'cashback_unknown',
  'cashback_manual_review',
  'cashback_reversal_unknown',
  'cashback_reversal_review',
  'setting_paused',
  'endpoint_failing',
  'act_pending_approval',
  'job_failed',
] as const
type WorkKind = (typeof workKinds)[number]

interface WorkLine {
  kind: WorkKind
  casinoId: string | null
  setting: SettingName | null
  count: number
  oldestAt: Date | null
}

interface WorkList {
  lines: readonly WorkLine[]
  isPartial: boolean
  unanswered: readonly WorkKind[]
}

const workLine = shapeOf<WorkLine>()('WorkLine', {
  kind: field(oneOf(workKinds), (line) => line.kind, { description: 'The kind of work that waits.' }),
  casino_id: field(nullable(id), (line) => line.casinoId, {
    description: 'The casino; null for what concerns no single one.',
    example: 'acme',
  }),
  setting: field(nullable(oneOf(settingNames)), (line) => line.setting, {
    description: 'The paused setting; null for other kinds.',
    example: null,
  }),
  count: field(count, (line) => Math.min(line.count, waitingMax), {
    description: `The number of waiting objects, up to ${waitingMax}.`,
    example: 3,
  }),
  is_capped: field(boolean, (line) => line.count > waitingMax, {
    description: 'Whether there are more than `count`.',
    example: false,
  }),
  oldest_at: field(nullable(time), (line) => line.oldestAt, {
    description: 'Since when the oldest has waited; null if that is not known.',
    example: '2030-01-31T12:00:00.000Z',
  }),
})

export const workList = shapeOf<WorkList>()('WorkList', {
  lines: field(list(workLine.type), ({ lines }) => lines.map(workLine.render), {
    description: 'The work that waits for a person, by kind and casino, the oldest first.',
  }),
  is_partial: field(boolean, ({ isPartial }) => isPartial, {
    description: 'Whether there are more lines than the answer has: the newest are missing.',
    example: false,
  }),
  unanswered: field(list(oneOf(workKinds)), ({ unanswered }) => unanswered, {
    description: 'The kinds that cannot be counted now, because the queue backend does not answer.',
    example: [],
  }),
})

export const workInput = requestOf({
  casino_id: idInQuery.description('Only this casino, which may be a sandbox.').example('acme'),
})

/** More than a person reads; the ones left out have waited least. */
const linesMax = 1_000

/** `GET /admin/work`: the work that waits for operators, in the caller's live casinos or in the requested casino. */
export function createGetWork({ database, queues, log }: Deps): AdminEndpoint {
  return async ({ query, caller }) => {
    const { casino_id: casinoId } = parseInput(workInput, { kind: 'object', value: query })
    const scope = scopeOf(caller)
    const casinos = await chooseCasinos(database, scope, casinoId)
    const ofCasinos = await readLines(database, casinos)
    const jobs = isOfService(scope, casinoId) ? await readFailedJobs(queues, log) : []
    const lines = [...ofCasinos, ...(jobs ?? [])].sort(byAge)
    return {
      body: success(
        workList.render({
          lines: lines.slice(0, linesMax),
          isPartial: lines.length > linesMax,
          unanswered: jobs === undefined ? ['job_failed'] : [],
        }),
      ),
    }
  }
}

/** Jobs belong to no casino: they concern operators of the whole service. */
function isOfService(scope: CasinoScope, casinoId: string | undefined): boolean {
  return scope === 'all' && casinoId === undefined
}

function byAge(one: WorkLine, other: WorkLine): number {
  return (one.oldestAt?.getTime() ?? Infinity) - (other.oldestAt?.getTime() ?? Infinity)
}

const orderKinds: Record<WaitingOrderState, WorkKind> = {
  pending_confirmation: 'order_unconfirmed',
  exception: 'order_exception',
  cancel_requested: 'order_cancel_requested',
}

const cashbackKinds: Record<WaitingCashbackState, WorkKind> = {
  unknown: 'cashback_unknown',
  manual_review: 'cashback_manual_review',
  reversal_unknown: 'cashback_reversal_unknown',
  reversal_review: 'cashback_reversal_review',
}

/** One after the other: a page of an operator takes one connection. */
async function readLines(database: Database, casinos: CasinoChoice): Promise<WorkLine[]> {
  const orders = await findWaitingOrders(database, casinos)
  const held = await findHeldOrders(database, casinos)
  const cashbacks = await findWaitingCashbacks(database, casinos)
  const paused = await findPausedSettings(database, casinos)
  const endpoints = await findFailingEndpoints(database, casinos)
  const approvals = await findWaitingApprovals(database, casinos)
  return [
    ...orders.map((work) => lineOf(orderKinds[work.state], work)),
    ...held.map((work) => lineOf('order_held', work)),
    ...cashbacks.map((work) => lineOf(cashbackKinds[work.state], work)),
    ...paused.map(({ casinoId, name, pausedAt }) => ({
      ...lineOf('setting_paused', { casinoId, count: 1, oldestAt: pausedAt }),
      setting: name,
    })),
    ...endpoints.map((work) => lineOf('endpoint_failing', work)),
    ...approvals.map((work) => lineOf('act_pending_approval', work)),
  ]
}

function lineOf(kind: WorkKind, { casinoId, count, oldestAt }: WaitingWork): WorkLine {
  return { kind, casinoId, setting: null, count, oldestAt }
}

/** Undefined while the queue backend does not answer: the rest of the list does not need it. */
async function readFailedJobs(queues: Queues, log: Deps['log']): Promise<WorkLine[] | undefined> {
  try {
    const failed = await withinMs(findFailedJobs(queues), reachableWithinMs)
    if (failed.count === 0) return []
    return [{ kind: 'job_failed', casinoId: null, setting: null, ...failed }]
  } catch (error) {
    log.warn({ err: error }, 'cannot read from the queues which jobs have failed')
    return undefined
  }
}
