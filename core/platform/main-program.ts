import { ConfigError } from './config.ts'
import { describeError } from './logger.ts'

/** The exit codes of every program; docs/operate/tools.md and tools/terminal/program.mjs have the same. */
export const exitCodes = { done: 0, problemFound: 1, wrongUsage: 2, failed: 3 } as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** Invalid input, or a problem with a named file; the message is one sentence. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}

/** For `parseArgs`, of tools that work on a database: see `chooseVariables`. */
export const localOption = { local: { type: 'boolean', default: false } } as const

/** The output of `--help`. */
export interface Help {
  /** The program's usage, purpose and options. */
  usage: string
  /** The meaning of exit code 0. */
  done?: string
  /** The meaning of exit code 1, for a program that looks for problems. */
  problemFound?: string
  /** The meaning of exit code 3. */
  failed?: string
}

/**
 * Runs a program started by a person or an orchestrator. `--help` prints its usage. A failure is one sentence instead
 * of a stack, and an exit code. `run` gets the arguments, and parses them before it does anything.
 */
export async function runMain(
  help: Help,
  run: (args: string[]) => Promise<ExitCode> | ExitCode,
): Promise<void> {
  const args = process.argv.slice(2)
  process.stdout.off('error', endWithReader).on('error', endWithReader)
  // The first process of a container, such as a task on Kubernetes, ignores signals that it does not listen to.
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.off(name, endAtSignal).on(name, endAtSignal)
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(`${renderHelp(help)}\n`)
    return
  }
  try {
    const code = await run(args)
    // A program may consist of two: the second one does not undo the first one's finding.
    if (code !== exitCodes.done && process.exitCode !== exitCodes.problemFound) process.exitCode = code
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`)
    // Open connections must not keep a failed program alive.
    process.exit(isWrongUsage(error) ? exitCodes.wrongUsage : exitCodes.failed)
  }
}

/** A program with handlers of its own stops in its own way, and possibly with success. */
function endAtSignal(name: NodeJS.Signals): void {
  if (process.listenerCount(name) > 1) return
  process.stderr.write(`Failed: stopped by ${name}\n`)
  process.exit(exitCodes.failed)
}

/** The reader has closed the pipe, as after `| head`: an error message would have no reader either. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
  process.exit()
}

function renderHelp({ usage, done, problemFound, failed }: Help): string {
  const meanings: [ExitCode, string | undefined][] = [
    [exitCodes.done, done ?? 'done'],
    [exitCodes.problemFound, problemFound],
    [exitCodes.wrongUsage, 'wrong usage: an option, a file or a setting'],
    [exitCodes.failed, failed ?? 'it could not be done'],
  ]
  const lines = meanings.flatMap(([code, meaning]) =>
    meaning === undefined ? [] : [`  ${code}  ${meaning}`],
  )
  return [usage.trimEnd(), '', 'Exit codes:', ...lines].join('\n')
}

function explain(error: unknown): string {
  if (error instanceof ConfigError) return `Bad configuration: ${error.message.replaceAll('\n', '; ')}`
  const message = String(describeError(error)['message'])
  return isWrongUsage(error) ? `${message}\n\n--help shows how to use it.` : `Failed: ${message}`
}

/** `parseArgs` reports unknown options and the like in errors with these codes. */
function isWrongUsage(error: unknown): boolean {
  if (error instanceof UsageError || error instanceof ConfigError) return true
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
}
