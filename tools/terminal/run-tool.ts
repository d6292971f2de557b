import { describeError } from '../../core/platform/logger.ts'
import { InputError } from '../../api/parse-input.ts'

/** Something is wrong with what the person typed, or with a file that was named; the message is one sentence. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}

/**
 * Runs a program that a person started: help with `--help`, problems as sentences instead of stacks, and an exit code: the
 * one that `run` gives, 2 when it could not be done.
 */
export async function runTool(usage: string, run: (args: string[]) => Promise<number>): Promise<void> {
  const args = process.argv.slice(2)
  if (args.includes('--help') || args.includes('-h')) {
    console.log(usage)
    return
  }
  try {
    process.exitCode = await run(args)
  } catch (error) {
    for (const problem of problemsOf(error)) console.error(problem)
    if (isAboutOptions(error)) console.error('\n--help tells how it is used.')
    process.exitCode = 2
  }
}

function problemsOf(error: unknown): string[] {
  if (error instanceof InputError) {
    return Object.values(error.errors).flatMap((problems) => problems.map(({ message }) => message))
  }
  return [String(describeError(error)['message'])]
}

/** `parseArgs` explains unknown options and such in errors with these codes. */
function isAboutOptions(error: unknown): boolean {
  if (error instanceof UsageError) return true
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
}
