import { RewardsError } from '../../core/errors.ts'
import { countRestingWork, readOutboxState } from '../../core/outbox/outbox-state.ts'
import { monotonicMs } from '../../core/platform/clock.ts'
import { reachableWithinMs, withinMs } from '../../core/platform/deadline.ts'
import { heartbeatIdleMs } from '../../core/process/heartbeat.ts'
import { minuteMs } from '../../core/process/process-counts.ts'
import type { CountName, JobStep, OperationEnd } from '../../core/process/process-counts.ts'
import { findProcesses, sumMinutes } from '../../core/process/read-processes.ts'
import type { MinuteSum } from '../../core/process/read-processes.ts'
import { readQueueStates } from '../../core/queue/count-jobs.ts'
import type { QueueState } from '../../core/queue/count-jobs.ts'
import { jobNames } from '../../core/queue/jobs.ts'
import type { ApiDeps } from '../deps.ts'
import type { AdminEndpoint } from '../endpoint.ts'
import { success } from './render.ts'
import { scopeOf } from './scope.ts'
import { operations, serviceState } from './state-shapes.ts'
import type { Minute, Reached } from './state-shapes.ts'

type Deps = Pick<ApiDeps, 'database' | 'clock' | 'queues' | 'backend' | 'pingDatabase' | 'replica' | 'log'>

const minutesShown = 60
/** Four heartbeats, and time to write one. */
const aliveMs = 4 * heartbeatIdleMs + 5_000

/**
 * `GET /admin/state`: the queues, the outbox, the processes and the servers, for the admin key and operators of all
 * casinos.
 */
export function createGetState(deps: Deps): AdminEndpoint {
  const { clock, backend } = deps
  return async ({ caller }) => {
    if (scopeOf(caller) !== 'all') throw new RewardsError('right_missing')
    const now = clock.now()
    // The calls of other servers are under way while the database is read, one statement after the other.
    const asked = Promise.all([reach(deps.pingDatabase), reach(() => backend.ping()), readQueues(deps)])
    const [sums, processes, { depth, ageSeconds }, snoozed] = await readTables(deps, now)
    const [reachedDatabase, reachedQueues, states] = await asked
    const minutes = minutesOf(sums, now)
    return {
      body: success(
        serviceState.render({
          at: now,
          queues: jobNames.map((name) => {
            const state = states?.find((one) => one.name === name)
            return {
              name,
              state,
              oldestAgeSeconds: ageOf(state, now),
              minutes: minutes<JobStep>({ in: `${name}.in`, out: `${name}.out`, failed: `${name}.failed` }),
            }
          }),
          outbox: { due: depth, snoozed, oldestDueAgeSeconds: depth === 0 ? null : ageSeconds },
          processes: processes.map((process) => ({
            ...process,
            isAlive: now.getTime() - process.seenAt.getTime() <= aliveMs,
          })),
          database: reachedDatabase,
          replica: deps.replica?.state(),
          queueServer: { kind: backend.kind, ...reachedQueues },
          operations: operations.map((operation) => ({
            operation,
            minutes: minutes<OperationEnd>({
              ok: `${operation}.ok`,
              refused: `${operation}.refused`,
              failed: `${operation}.failed`,
            }),
          })),
        }),
      ),
    }
  }
}

async function readTables({ database }: Deps, now: Date) {
  return [
    await sumMinutes(database, new Date(firstMinute(now))),
    await findProcesses(database, now),
    await readOutboxState(database),
    await countRestingWork(database),
  ] as const
}

async function reach(ping: () => Promise<void>): Promise<Reached> {
  const startedMs = monotonicMs()
  try {
    await withinMs(ping(), reachableWithinMs)
    return { latencyMs: Math.round((monotonicMs() - startedMs) * 10) / 10 }
  } catch {
    return { latencyMs: null } // that it is away is the answer
  }
}

/** Undefined while the queue backend does not answer. */
async function readQueues({ queues, log }: Deps): Promise<QueueState[] | undefined> {
  try {
    return await withinMs(readQueueStates(queues), reachableWithinMs)
  } catch (error) {
    log.warn({ err: error }, 'cannot read the state of the queues')
    return undefined
  }
}

/** The process that added the job has a clock of its own, which may be ahead. */
function ageOf(state: QueueState | undefined, now: Date): number | null {
  const addedAt = state?.oldestAddedAt ?? null
  return addedAt === null ? null : Math.max(0, now.getTime() - addedAt.getTime()) / 1000
}

function firstMinute(now: Date): number {
  return (Math.floor(now.getTime() / minuteMs) - minutesShown + 1) * minuteMs
}

/** Gives the minutes for some counts: those without any are there, too. */
function minutesOf(sums: readonly MinuteSum[], now: Date) {
  const counts = new Map(
    sums.map(({ minute, name, count }) => [`${minute.getTime()} ${name}`, Number(count)]),
  )
  const first = firstMinute(now)
  return <Name extends string>(names: Readonly<Record<Name, CountName>>): Minute<Name>[] =>
    Array.from({ length: minutesShown }, (_, index) => {
      const at = first + index * minuteMs
      const counted = Object.entries<CountName>(names).map(([name, stored]) => [
        name,
        counts.get(`${at} ${stored}`) ?? 0,
      ])
      return { at: new Date(at), counts: Object.fromEntries(counted) as Record<Name, number> }
    })
}
