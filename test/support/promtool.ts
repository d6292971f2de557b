import { spawn } from 'node:child_process'
import { findOnPath } from '../local/run-start.ts'

/** The output of promtool for a file, and whether it accepts it. */
export interface Verdict {
  isAccepted: boolean
  said: string
}

let hasSaid = false

/** Skips a test or a suite where a program of Prometheus is missing. CI installs them (.ci/run), so it may not. */
export function needsPrometheus(this: Mocha.Context): void {
  const missing = ['promtool', 'prometheus'].filter((name) => findOnPath(name) === undefined)
  if (missing.length === 0) return
  const problem = `No ${missing.join(' and no ')} on the PATH: what needs Debian's package prometheus is left out.`
  if (process.env['CI'] === 'true') throw new Error(problem)
  if (!hasSaid) process.stdout.write(`${problem}\n`)
  hasSaid = true
  this.skip()
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
