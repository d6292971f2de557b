import { parseArgs } from 'node:util'
import { queueKinds } from '../bench-queue.ts'
import type { QueueKind } from '../bench-queue.ts'
import { parseCount, parseNames, warmUpSeconds } from '../options.ts'
import type { ClientName } from '../options.ts'

/** The operations that leave work to the worker. */
export const workOperations = ['cashback', 'order'] as const
export type WorkOperation = (typeof workOperations)[number]

/** The services that have a worker, in the order in which they take turns. */
export const workServices = ['straightforward', 'ours'] as const
export type WorkService = (typeof workServices)[number]

const parts = ['throughput', 'latency'] as const

export interface WorkerBenchOptions {
  parts: readonly (typeof parts)[number][]
  operations: readonly WorkOperation[]
  queues: readonly QueueKind[]
  services: readonly WorkService[]
  /** Numbers of worker processes. */
  workers: readonly number[]
  /** Requests a second, for the latency. */
  rates: readonly number[]
  /** How long requests are made: before the worker begins (throughput), or while it works (latency). */
  seconds: number
  warmUpSeconds: number
  warmUpRequests: number
  rounds: number
  client: ClientName | undefined
  isProfiled: boolean
}

export const usage = `npm run bench:worker -- [options]
  --part throughput,latency          what to measure (both)
  --operation cashback,order         whose work (both; latency is measured of the first)
  --queue redis,postgres             where the jobs are (both)
  --service straightforward,ours     whose worker (both)
  --workers 1,2                      worker processes (throughput only)
  --rate 100,500                     requests a second (latency only)
  --seconds 6            how long requests are made for each measurement
  --rounds 1             how often to measure everything
  --client wrk           wrk or autocannon (wrk when it is on the PATH)
  --quick                one short measurement of everything: does it work at all?
  --cpu-prof             write V8 profiles of the services to .local/bench/profiles`

/** Reads the command line. Throws a UsageError, or one of `parseArgs`. */
export function parseOptions(args: readonly string[]): WorkerBenchOptions {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean', default: false } as const
  const { values } = parseArgs({
    args: [...args],
    options: {
      part: text,
      operation: text,
      queue: text,
      service: text,
      workers: text,
      rate: text,
      seconds: text,
      rounds: text,
      client: text,
      quick: flag,
      'cpu-prof': flag,
    },
  })
  return {
    parts: parseNames('part', values.part, parts),
    operations: parseNames('operation', values.operation, workOperations),
    queues: parseNames('queue', values.queue, queueKinds),
    services: parseNames('service', values.service, workServices),
    workers: parseCounts('workers', values.workers ?? (values.quick ? '1' : '1,2'), 8),
    rates: parseCounts('rate', values.rate ?? (values.quick ? '100' : '100,500'), 5_000),
    seconds: parseCount('seconds', values.seconds ?? (values.quick ? '2' : '6'), 60),
    warmUpSeconds: values.quick ? 1 : warmUpSeconds,
    warmUpRequests: values.quick ? 100 : 4_000,
    rounds: parseCount('rounds', values.rounds ?? '1', 20),
    client:
      values.client === undefined ? undefined : parseNames('client', values.client, ['wrk', 'autocannon'])[0],
    isProfiled: values['cpu-prof'],
  }
}

function parseCounts(option: string, text: string, max: number): number[] {
  return text.split(',').map((part) => parseCount(option, part, max))
}
