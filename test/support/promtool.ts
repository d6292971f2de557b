import { spawn } from 'node:child_process'
import { findOnPath } from '../../local/find-on-path.ts'
import { needProgram } from './need-program.ts'

/** The output of promtool for a file, and whether it accepts it. */
export interface Verdict {
  isAccepted: boolean
  said: string
}

/** Skips a test or the tests of a hook where a program of Prometheus is missing. */
export function needPrometheus(context: Mocha.Context): void {
  for (const name of ['promtool', 'prometheus']) needProgram(context, [name], 'prometheus')
}

/** Runs promtool, with `input` on its standard input. */
export async function runPromtool(args: readonly string[], input = ''): Promise<Verdict> {
  const program = findOnPath('promtool')
  if (program === undefined) throw new Error('there is no promtool on the PATH')
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], timeout: 60_000 })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)))
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  child.stdin.end(input)
  return { isAccepted: (await ended) === 0, said }
}
