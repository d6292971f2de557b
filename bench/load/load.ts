import type { Operation } from '../operations.ts'

/** Requests numbered from `first`, each sent once, in order, as fast as they are answered; `last` is never reached. */
export interface Load {
  url: string
  apiKey: string
  operation: Operation
  connections: number
  seconds: number
  first: number
  last: number
}

export interface LoadResult {
  /** Requests answered with 2xx. Those that were in progress at the end do not count. */
  acknowledged: number
  /** Requests that failed: another status, a broken connection, a time-out. */
  failed: number
  seconds: number
  p50Ms: number
  p99Ms: number
}

/** The load generator: the same program, with the same settings, for every service of a run. */
export interface Client {
  name: string
  run(load: Load): Promise<LoadResult>
}

/** The beginning of the line with the result, which a client prints when it ends. */
const resultPrefix = 'RESULT '

export function parseResult(output: string): LoadResult {
  const line = output.split('\n').find((candidate) => candidate.startsWith(resultPrefix))
  if (line === undefined) throw new Error(`the client printed no result:\n${output}`)
  return JSON.parse(line.slice(resultPrefix.length)) as LoadResult
}

export function formatResult(result: LoadResult): string {
  return `${resultPrefix}${JSON.stringify(result)}`
}

/** The number of a request, as its body has it. */
export function formatNumber(n: number): string {
  return n.toString(16).padStart(32, '0')
}
