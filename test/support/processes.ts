import { join } from 'node:path'
import { describeEnding, settlesWithin, startChild } from '../../local/child.ts'
import { findProgram } from '../../local/programs.mjs'
import type { Env } from './config.ts'
import { queueBackends } from './environment.ts'
import { inspect } from './personal-data.ts'
import { casesOf } from './runs.ts'

/** A service as its own process, as it runs in production. */
export interface ServiceProcess {
  /** Its log so far, line by line. */
  lines: readonly string[]
  /** Where it listens; empty for a worker. */
  url: string
  pid: number
  /** As a crash does: no clean-up, no goodbye. */
  kill(): Promise<void>
  /** As an orchestrator does: SIGTERM; resolves to the exit code. */
  terminate(): Promise<number | null>
}

/**
 * The queues of tests that start processes: those that this machine can run, of which `npm test` takes the first. In CI
 * one run has Redis, and another one has none.
 */
export const queuesOfProcesses = casesOf(queueBackends.slice(0, 1), queueBackends.slice(1))

const root = join(import.meta.dirname, '../..')
const startTimeoutMs = 60_000

/** The log messages of a service that runs. */
const runsMessages = ['API listens', 'worker runs']

/**
 * Starts the API or the worker and waits until it says that it runs, or says one of other messages. Its machine's clock
 * may be ahead, or behind by a negative number. It ends with our own process, however that ends.
 */
export async function startProcess(
  service: 'api' | 'manage' | 'worker',
  env: Env,
  {
    logLevel = 'info',
    clockAheadMs = 0,
    messages = runsMessages,
    release = { findProgram },
  }: {
    logLevel?: string
    clockAheadMs?: number
    messages?: readonly string[]
    /** The release of the program: by default this one. */
    release?: { findProgram: typeof findProgram }
  } = {},
): Promise<ServiceProcess> {
  const lines: string[] = []
  let url: string | undefined
  let tellStarted: () => void = () => undefined
  const started = new Promise<void>((resolve) => {
    tellStarted = resolve
  })
  const shift = clockAheadMs === 0 ? [] : ['--import', './test/support/shifted-clock.mjs']
  const child = await startChild({
    command: process.execPath,
    args: [...shift, await release.findProgram(service)],
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      ...env,
      LOG_LEVEL: logLevel,
      CLOCK_AHEAD_MS: String(clockAheadMs),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    stopSteps: [],
    onLine: (line) => {
      lines.push(line)
      inspect(line, 'a log')
      if (!messages.some((message) => line.includes(`"msg":${JSON.stringify(message)}`))) return
      url ??= (JSON.parse(line) as { url?: string }).url ?? ''
      tellStarted()
    },
  })
  const signal = async (name: NodeJS.Signals) => {
    if (!child.hasEnded()) process.kill(child.pid, name)
    return child.ended
  }
  await settlesWithin(Promise.race([started, child.ended]), startTimeoutMs)
  if (url === undefined) {
    const hadEnded = child.hasEnded()
    const ending = describeEnding(await signal('SIGKILL'))
    throw new Error(`${hadEnded ? `ended at start (${ending})` : 'did not start'}:\n${lines.join('\n')}`)
  }
  return {
    lines,
    url,
    pid: child.pid,
    kill: async () => {
      await signal('SIGKILL')
    },
    terminate: async () => (await signal('SIGTERM')).code,
  }
}
