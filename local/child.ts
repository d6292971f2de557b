import { spawn } from 'node:child_process'
import type { StdioOptions } from 'node:child_process'
import { createInterface } from 'node:readline'

/** How a child process ended: with an exit code or by a signal. */
export interface Ending {
  code: number | null
  signal: NodeJS.Signals | null
}

export interface Child {
  pid: number
  /** Resolves when the process has ended, for any reason; never rejects. */
  ended: Promise<Ending>
  hasEnded: () => boolean
  /** Sends the stop signals one after another until the process has ended. Stopping twice is harmless. */
  stop: () => Promise<void>
}

/** A signal that asks a process to end, and how long we wait for it before the next one. */
export interface StopStep {
  signal: NodeJS.Signals
  waitMs: number
}

interface ChildOptions {
  command: string
  args: readonly string[]
  cwd?: string
  env: NodeJS.ProcessEnv
  /** Run as this user; only root can ask for it. */
  user?: { uid: number; gid: number } | undefined
  stdio: StdioOptions
  stopSteps: readonly StopStep[]
  /** Gets every line of standard output and standard error, if they are piped. */
  onLine?: (line: string) => void
}

/** After SIGKILL only the kernel stands between us and the end; this is for a process stuck in the kernel itself. */
const killWaitMs = 5_000

/**
 * Starts a program in a process group of its own, so that Ctrl-C in a terminal reaches only us and we decide in which
 * order things stop. Should our own process end without having stopped the child, even by SIGKILL, the child gets its
 * first stop signal.
 * Rejects when the program cannot be run.
 */
export async function startChild(options: ChildOptions): Promise<Child> {
  const { command, args, cwd, env, user, stdio, stopSteps } = options
  const child = spawn(command, args, { cwd, env, stdio, detached: true, ...user })
  for (const stream of [child.stdout, child.stderr]) {
    if (stream !== null && options.onLine) createInterface({ input: stream }).on('line', options.onLine)
  }
  const ended = new Promise<Ending>((resolve) => {
    child.once('close', (code, signal) => {
      resolve({ code, signal })
    })
  })
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', reject)
  })
  child.on('error', () => undefined) // a signal that could not be delivered shows as a process that still runs
  const pid = child.pid ?? 0

  endWhenWeDie(pid, stopSteps[0]?.signal ?? 'SIGKILL', ended)

  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const stop = async () => {
    for (const { signal, waitMs } of [...stopSteps, { signal: 'SIGKILL', waitMs: killWaitMs } as const]) {
      if (hasEnded()) break
      child.kill(signal)
      child.kill('SIGCONT') // a process that was halted would not see the signal before
      if (await settlesWithin(ended, waitMs)) return
    }
    await settlesWithin(ended, killWaitMs)
  }
  let stopping: Promise<void> | undefined
  return { pid, ended, hasEnded, stop: () => (stopping ??= stop()) }
}

/**
 * A shell waits at the end of a pipe whose other end only we hold: a line says that the child has ended, and the end of
 * the pipe without one says that we have, however that came.
 */
function endWhenWeDie(pid: number, signal: NodeJS.Signals, ended: Promise<unknown>): void {
  const script = `read -r line || kill -s ${signal.replace('SIG', '')} ${pid}`
  const guard = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  guard.on('error', () => undefined) // without a shell only this protection is missing
  guard.stdin.on('error', () => undefined) // another process ended the guard; then there is no reader
  void ended.then(() => guard.stdin.end('\n'))
}

/** Whether the promise settles within the time. */
export async function settlesWithin(promise: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, false)
  })
  const settled = promise.then(
    () => true,
    () => true,
  )
  try {
    return await Promise.race([settled, timeout])
  } finally {
    clearTimeout(timer)
  }
}

/** `exit code 1` or `signal SIGKILL`, for a line that a person reads. */
export function describeEnding({ code, signal }: Ending): string {
  return signal === null ? `exit code ${code ?? 'unknown'}` : `signal ${signal}`
}
