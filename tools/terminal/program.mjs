/** Like core/platform/main-program.ts, but for programs that run where nothing is installed or compiled yet. */
import { parseArgs } from 'node:util'

/** As in core/platform/main-program.ts, which explains them. */
export const exitCodes = { done: 0, problemFound: 1, wrongUsage: 2, failed: 3 }

/**
 * Runs a program: prints its usage with `--help`, refuses unknown arguments, and ends with the exit code that `run`
 * gives. `positionalsMax` is how many arguments may stand beside the options.
 */
export function runMain({ usage, problemFound, positionalsMax = 0 }, run) {
  const args = process.argv.slice(2)
  process.stdout.on('error', endWithReader)
  if (args.includes('--help') || args.includes('-h')) {
    console.log(renderHelp(usage, problemFound))
    return
  }
  try {
    const { positionals } = parseArgs({ args, options: {}, allowPositionals: true })
    if (positionals.length > positionalsMax) refuse(`Unexpected argument '${positionals[positionalsMax]}'`)
    else process.exitCode = run(positionals)
  } catch (error) {
    if (String(error.code).startsWith('ERR_PARSE_ARGS')) refuse(error.message)
    else {
      console.error(`Failed: ${error.message}`)
      process.exitCode = exitCodes.failed
    }
  }
}

/** The reader has gone, as after `| head`: so no reader is left for an error either. */
function endWithReader(error) {
  if (error.code !== 'EPIPE') throw error
  process.exit()
}

function renderHelp(usage, problemFound) {
  const lines = [
    `  ${exitCodes.done}  done`,
    ...(problemFound === undefined ? [] : [`  ${exitCodes.problemFound}  ${problemFound}`]),
    `  ${exitCodes.wrongUsage}  wrong usage: an option, a file or a setting`,
    `  ${exitCodes.failed}  it could not be done`,
  ]
  return [usage, '', 'Exit codes:', ...lines].join('\n')
}

function refuse(message) {
  console.error(`${message}\n\n--help shows how to use it.`)
  process.exitCode = exitCodes.wrongUsage
}
