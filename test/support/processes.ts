import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Env } from './config.ts'
import { inspect } from './personal-data.ts'

/** A service as its own process, as it runs in production. */
export interface ServiceProcess {
  /** What it has logged so far, line by line. */
  lines: readonly string[]
  /** Where it listens; empty for a worker. */
  url: string
  pid: number
  /** As a crash does: no clean-up, no goodbye. */
  kill(): Promise<void>
  /** As an orchestrator does: SIGTERM; resolves to the exit code. */
  terminate(): Promise<number | null>
}

const root = join(import.meta.dirname, '../..')
const startTimeoutMs = 60_000

/** What a service logs when it runs. */
const runsMessages = ['API listens', 'worker runs']

/**
 * Starts `api/main.ts` or `worker/main.ts` and waits until it says that it runs, or says one of other messages. Its
 * machine's clock may be ahead, or behind by a negative number.
 */
export async function startProcess(
  service: 'api' | 'worker',
  env: Env,
  {
    logLevel = 'info',
    clockAheadMs = 0,
    messages = runsMessages,
  }: { logLevel?: string; clockAheadMs?: number; messages?: readonly string[] } = {},
): Promise<ServiceProcess> {
  const shift = clockAheadMs === 0 ? [] : ['--import', './test/support/shifted-clock.mjs']
  const child = spawn(process.execPath, [...shift, '--import', 'tsx', `${service}/main.ts`], {
    cwd: root,
    env: {
      ...{ PATH: process.env['PATH'], ...env },
      ...{ LOG_LEVEL: logLevel, CLOCK_AHEAD_MS: String(clockAheadMs) },
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  const lines: string[] = []
  const started = readUntil(messages, child, lines)
  try {
    const url = await started
    return {
      lines,
      url,
      pid: child.pid ?? 0,
      kill: async () => {
        child.kill('SIGKILL')
        await exited
      },
      terminate: async () => {
        if (child.exitCode === null) child.kill('SIGTERM')
        await exited
        return child.exitCode
      },
    }
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
}

function readUntil(messages: readonly string[], child: ChildProcess, lines: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(`did not start:\n${lines.join('\n')}`))
    }, startTimeoutMs)
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line)
        inspect(line, 'a log')
        if (!messages.some((message) => line.includes(`"msg":${JSON.stringify(message)}`))) return
        clearTimeout(timer)
        resolve((JSON.parse(line) as { url?: string }).url ?? '')
      })
    }
    child.once('exit', () => {
      clearTimeout(timer)
      reject(new Error(`ended at start:\n${lines.join('\n')}`))
    })
  })
}
