import { parseArgs } from 'node:util'
import { UsageError } from '../core/platform/main-program.ts'
import { operations } from './operations.ts'
import type { OperationName } from './operations.ts'
import { serviceNames } from './services.ts'
import type { ServiceName } from './services.ts'

export type ClientName = 'wrk' | 'autocannon'

/** Until V8 has compiled what is called often. */
export const warmUpSeconds = 24
/** More requests a second than any service will answer; if one does, the run is invalid. */
export const requestsPerSecondMax = 24_000

export interface BenchOptions {
  operations: readonly OperationName[]
  services: readonly ServiceName[]
  connections: readonly number[]
  seconds: number
  /** The load before the measurement: both at least. */
  warmUpSeconds: number
  warmUpRequests: number
  /** How often everything is measured; more than once shows how far the figures can be trusted. */
  rounds: number
  /** Undefined: wrk when there is one, otherwise autocannon. */
  client: ClientName | undefined
  /** The folder of PostgreSQL's programs; undefined: those of the npm package. */
  postgres: string | undefined
  /** Writes a V8 profile of every process of the services. */
  isProfiled: boolean
}

export const usage = `npm run bench -- [options]
  --operation order,cashback,box,box-stock             what to call (all)
  --service ${serviceNames.join(',')}
                         whom to call (all)
  --connections 16,64,256                              concurrent connections
  --seconds 10           length of a measurement
  --rounds 1             how often to measure everything
  --client wrk           wrk or autocannon (wrk when it is on the PATH)
  --postgres DIR         another PostgreSQL than the npm package's, which is compiled to be small (DIR/bin/postgres)
  --quick                one short measurement of everything: does it work at all?
  --cpu-prof             write V8 profiles of the services to .local/bench/profiles`

/** Reads the command line. Throws a UsageError, or one of `parseArgs`. */
export function parseOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      operation: { type: 'string' },
      service: { type: 'string' },
      connections: { type: 'string' },
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      client: { type: 'string' },
      postgres: { type: 'string' },
      quick: { type: 'boolean', default: false },
      'cpu-prof': { type: 'boolean', default: false },
    },
  })
  return {
    operations: parseNames('operation', values.operation, Object.keys(operations) as OperationName[]),
    services: parseNames('service', values.service, serviceNames),
    connections: (values.connections ?? (values.quick ? '16' : '16,64,256'))
      .split(',')
      .map((text) => parseCount('connections', text, 1_024)),
    seconds: parseCount('seconds', values.seconds ?? (values.quick ? '2' : '10'), 300),
    warmUpSeconds: values.quick ? 1 : warmUpSeconds,
    warmUpRequests: values.quick ? 100 : 4_000,
    rounds: parseCount('rounds', values.rounds ?? '1', 20),
    client:
      values.client === undefined ? undefined : parseNames('client', values.client, ['wrk', 'autocannon'])[0],
    postgres: values.postgres,
    isProfiled: values['cpu-prof'],
  }
}

/** Names of a comma-separated list; all that are known when nothing is said. */
export function parseNames<Name extends string>(
  option: string,
  text: string | undefined,
  known: readonly Name[],
): readonly Name[] {
  if (text === undefined) return known
  return text.split(',').map((part) => {
    const name = known.find((candidate) => candidate === part)
    if (name === undefined) throw new UsageError(`--${option}: ${part} is none of ${known.join(', ')}`)
    return name
  })
}

export function parseCount(option: string, text: string, max: number): number {
  const count = Number(text)
  if (!Number.isInteger(count) || count < 1 || count > max) {
    throw new UsageError(`--${option}: ${text} is no whole number from 1 to ${max}`)
  }
  return count
}
