import type { SeenProcess } from '../../core/process/read-processes.ts'
import { replicaProblems } from '../../core/platform/replica.ts'
import type { ReplicaState } from '../../core/platform/replica.ts'
import type { QueueState } from '../../core/queue/count-jobs.ts'
import { jobNames } from '../../core/queue/jobs.ts'
import type { JobName } from '../../core/queue/jobs.ts'
import {
  boolean,
  count,
  list,
  matching,
  nullable,
  number,
  oneOf,
  string,
  time,
} from '../../core/shape/json-schema.ts'
import { field, shapeOf } from '../../core/shape/shape.ts'

const instantExample = '2030-01-31T12:00:00.000Z'

/** The counts of a minute, by their names. */
export interface Minute<Name extends string> {
  at: Date
  counts: Readonly<Record<Name, number>>
}

const queueMinute = shapeOf<Minute<'in' | 'out' | 'failed'>>()('QueueMinute', {
  at: field(time, ({ at }) => at, { description: 'When the minute began.', example: instantExample }),
  in: field(count, ({ counts }) => counts.in, {
    description: 'Jobs added; one that is added again counts again.',
    example: 12,
  }),
  out: field(count, ({ counts }) => counts.out, { description: 'Jobs that ended.', example: 12 }),
  failed: field(count, ({ counts }) => counts.failed, {
    description: 'Tries that failed; a job is tried several times.',
    example: 0,
  }),
})

const operationMinute = shapeOf<Minute<'ok' | 'refused' | 'failed'>>()('OperationMinute', {
  at: field(time, ({ at }) => at, { description: 'When the minute began.', example: instantExample }),
  ok: field(count, ({ counts }) => counts.ok, { description: 'Answers of success.', example: 340 }),
  refused: field(count, ({ counts }) => counts.refused, { description: 'Answers 4xx.', example: 5 }),
  failed: field(count, ({ counts }) => counts.failed, { description: 'Answers 5xx.', example: 0 }),
})

export interface QueueView {
  name: JobName
  /** Undefined while the queue backend does not answer. */
  state: QueueState | undefined
  oldestAgeSeconds: number | null
  minutes: readonly Minute<'in' | 'out' | 'failed'>[]
}

const jobs = (what: string, example: number) => ({
  description: `${what}; null while the queue backend does not answer.`,
  example,
})
const queueState = shapeOf<QueueView>()('QueueState', {
  name: field(oneOf(jobNames), (queue) => queue.name, { description: 'The queue.' }),
  waiting: field(nullable(count), ({ state }) => state?.waiting ?? null, jobs('Jobs that wait', 3)),
  active: field(nullable(count), ({ state }) => state?.active ?? null, jobs('Jobs that run', 1)),
  delayed: field(
    nullable(count),
    ({ state }) => state?.delayed ?? null,
    jobs('Jobs that are tried again later', 0),
  ),
  failed: field(
    nullable(count),
    ({ state }) => state?.failed ?? null,
    jobs('Jobs that failed permanently', 0),
  ),
  oldest_age_seconds: field(nullable(number), (queue) => queue.oldestAgeSeconds, {
    description:
      'How long the next job has waited; null if none waits. Jobs of casinos with much work come later, and may be older.',
    example: 0.2,
  }),
  minutes: field(list(queueMinute.type), ({ minutes }) => minutes.map(queueMinute.render), {
    description: 'The last 60 minutes, the oldest first; the last one is not over.',
  }),
})

const seenProcess = shapeOf<SeenProcess & { isAlive: boolean }>()('SeenProcess', {
  process_id: field(
    matching(/^prc_[0-9a-f]{32}$/, 'prc_01b977d7aa0076a1b2c3d4e5f6071820'),
    (process) => process.processId,
    { description: 'The process, from its start to its end.' },
  ),
  kind: field(oneOf(['api', 'manage', 'worker']), (process) => process.kind, {
    description: 'The kind of process; `manage` serves management only.',
  }),
  host: field(string, (process) => process.host, {
    description: 'The name of its machine.',
    example: 'api-1',
  }),
  version: field(string, (process) => process.version, {
    description: 'Of the service.',
    example: '1.0.0',
  }),
  started_at: field(time, (process) => process.startedAt, {
    description: 'When it started.',
    example: instantExample,
  }),
  seen_at: field(time, (process) => process.seenAt, {
    description: 'When it last reported; it does so every ten seconds.',
    example: instantExample,
  }),
  is_alive: field(boolean, (process) => process.isAlive, {
    description:
      'Whether it has reported within 45 seconds. A process that has ended is shown for ten minutes.',
    example: true,
  }),
})

const outboxState = shapeOf<StateView['outbox']>()('OutboxState', {
  due: field(count, ({ due }) => due, {
    description: 'Work that is due and not finished, up to 100,000.',
    example: 4,
  }),
  resting: field(count, ({ snoozed }) => snoozed, {
    description: 'Snoozed work, up to 10,000 rows.',
    example: 20,
  }),
  oldest_due_age_seconds: field(nullable(number), (outbox) => outbox.oldestDueAgeSeconds, {
    description: 'How long the oldest due work has waited; null if none is due.',
    example: 0.3,
  }),
})

const latency = {
  description: 'How long an answer took, in milliseconds; null without one.',
  example: 0.6,
}
const databaseState = shapeOf<Reached>()('DatabaseState', {
  is_up: field(boolean, ({ latencyMs }) => latencyMs !== null, {
    description: 'Whether it answered within two seconds.',
    example: true,
  }),
  latency_ms: field(nullable(number), ({ latencyMs }) => latencyMs, latency),
})
const queueServerState = shapeOf<StateView['queueServer']>()('QueueServerState', {
  kind: field(oneOf(['redis', 'postgres']), ({ kind }) => kind, { description: 'Which one it is.' }),
  ...databaseState.fields,
})

const replicaState = shapeOf<ReplicaState>()('ReplicaState', {
  is_used: field(boolean, ({ problem }) => problem === undefined, {
    description: 'Whether lists and reports are read from it; otherwise they are read from the database.',
    example: true,
  }),
  problem: field(nullable(oneOf(replicaProblems)), ({ problem }) => problem ?? null, {
    description: 'Why it is not used; null while it is.',
    example: null,
  }),
  lag_seconds: field(number, ({ lagSeconds }) => lagSeconds, {
    description: 'For how long it has lacked something that the database has; 0 if it has everything.',
    example: 0,
  }),
})

/** How long a server took to answer; null if it did not. */
export interface Reached {
  latencyMs: number | null
}

export interface StateView {
  at: Date
  queues: readonly QueueView[]
  outbox: { due: number; snoozed: number; oldestDueAgeSeconds: number | null }
  processes: readonly (SeenProcess & { isAlive: boolean })[]
  database: Reached
  /** Undefined where none is configured. */
  replica: ReplicaState | undefined
  queueServer: Reached & { kind: 'redis' | 'postgres' }
  operations: readonly OperationView[]
}

export const operations = ['box_open', 'prize_order', 'prize_cashback'] as const

export interface OperationView {
  operation: (typeof operations)[number]
  minutes: readonly Minute<'ok' | 'refused' | 'failed'>[]
}

const operationState = shapeOf<OperationView>()('OperationState', {
  operation: field(oneOf(operations), ({ operation }) => operation, { description: 'The operation.' }),
  minutes: field(list(operationMinute.type), ({ minutes }) => minutes.map(operationMinute.render), {
    description: 'The last 60 minutes, the oldest first; the last one is not over.',
  }),
})

export const serviceState = shapeOf<StateView>()('ServiceState', {
  at: field(time, ({ at }) => at, { description: 'When these figures were read.', example: instantExample }),
  queues: field(list(queueState.type), ({ queues }) => queues.map(queueState.render), {
    description: 'Every queue.',
  }),
  outbox: field(outboxState.type, ({ outbox }) => outboxState.render(outbox), {
    description: 'The work that is not finished.',
  }),
  processes: field(list(seenProcess.type), ({ processes }) => processes.map(seenProcess.render), {
    description: 'The processes of the service.',
  }),
  database: field(databaseState.type, ({ database }) => databaseState.render(database), {
    description: 'PostgreSQL.',
  }),
  replica: field(
    nullable(replicaState.type),
    ({ replica }) => (replica === undefined ? null : replicaState.render(replica)),
    {
      description: 'The replica of the database for lists and reports; null without one.',
    },
  ),
  queue_server: field(queueServerState.type, ({ queueServer }) => queueServerState.render(queueServer), {
    description: 'Where the queues are.',
  }),
  operations: field(list(operationState.type), (state) => state.operations.map(operationState.render), {
    description: 'How the requests of the three operations ended, in all processes.',
  }),
})
