import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { exitCodes } from '../../core/platform/main-program.ts'
import type { ExitCode } from '../../core/platform/main-program.ts'

/** Runs tests with more variables. Mocha ends with the number of failures, which are not exit codes of ours. */
export async function runMocha(args: readonly string[], env: Record<string, string>): Promise<ExitCode> {
  const root = join(import.meta.dirname, '../..')
  const mocha = join(root, 'node_modules/mocha/bin/mocha.js')
  const child = spawn(process.execPath, [mocha, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code === 0 ? exitCodes.done : exitCodes.problemFound
}
