import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

/**
 * The command line of a running process, or undefined if no process has that id. A process id in a file may have been
 * given to another user's process since: compare the command line before you act on it.
 */
export async function findCommandLine(pid: number): Promise<string | undefined> {
  if (!isAlive(pid)) return undefined
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim() || undefined
  } catch {
    // No /proc (macOS), or the process has just ended.
  }
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)])
    return stdout.trim() || undefined
  } catch {
    return undefined
  }
}

/** Whether a process of this id exists, ours or not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

const pollMs = 50

/**
 * Ends a process that another process has started: first with the signal, and after `waitMs` with SIGKILL. Resolves to whether
 * it is gone.
 */
export async function endProcess(pid: number, signal: NodeJS.Signals, waitMs: number): Promise<boolean> {
  for (const each of [signal, 'SIGKILL'] as const) {
    try {
      process.kill(pid, each)
      process.kill(pid, 'SIGCONT')
    } catch {
      // Gone already, or not ours to end; the next check shows which.
    }
    for (let waitedMs = 0; waitedMs < waitMs; waitedMs += pollMs) {
      if (!isAlive(pid)) return true
      await delay(pollMs)
    }
  }
  return !isAlive(pid)
}
