import { open, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startChild } from './child.ts'
import type { Child } from './child.ts'
import { findProgram } from './programs.mjs'

/** The project's own folder. */
const projectDir = join(dirname(fileURLToPath(import.meta.url)), '..')
/** A service stops by itself within its own bound; we wait this much longer. */
const graceMs = 2_000

/**
 * Starts the API or the worker, made of the sources, as a process of its own that writes into a log file. The log of the run
 * before is kept beside it as `….previous.log`.
 */
export async function startService(options: {
  name: 'api' | 'worker'
  logFile: string
  env: NodeJS.ProcessEnv
  localDir: string
  shutdownTimeoutMs: number
}): Promise<Child> {
  const { name, logFile, env } = options
  await keepPreviousLog(logFile)
  const log = await open(logFile, 'a', 0o600)
  try {
    return await startChild({
      command: process.execPath,
      args: ['--enable-source-maps', await findProgram(name), ownerMark(options.localDir)],
      cwd: projectDir,
      env,
      stdio: ['ignore', log.fd, log.fd],
      stopSteps: [{ signal: 'SIGTERM', waitMs: options.shutdownTimeoutMs + graceMs }],
    })
  } finally {
    await log.close()
  }
}

/**
 * Given to a service as an argument, which it ignores, so that its command line names the folder that it belongs to.
 */
export const ownerMark = (localDir: string) => `--local-dir=${localDir}`

/** So that logs do not grow over many starts, and the reason of a crash survives the next one. */
export async function keepPreviousLog(logFile: string): Promise<void> {
  await rename(logFile, logFile.replace(/\.log$/, '.previous.log')).catch(() => undefined) // the first run has none
}
