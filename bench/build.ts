import { join } from 'node:path'
import { runProgram } from './run-program.ts'

export const projectDir = join(import.meta.dirname, '..')
export const benchDir = join(projectDir, '.local', 'bench')
/** All services are run as production runs ours: compiled by tsc, not by a loader at start. */
export const buildDir = join(benchDir, 'build')

/** Compiles the service and its opponents. Rejects with the compiler's messages. */
export async function build(): Promise<void> {
  await runProgram(
    process.execPath,
    [join('node_modules', 'typescript', 'bin', 'tsc'), '-p', join('bench', 'tsconfig.build.json')],
    { cwd: projectDir, timeoutMs: 180_000 },
  )
}
