import { chmod, cp, mkdir, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { runProgram } from './run-program.ts'

const projectDir = join(import.meta.dirname, '..')
/** The folder for files that are kept after a run: results and profiles. */
export const benchDir = join(projectDir, '.local', 'bench')

/** A folder of this run alone (two may run at the same time), removed at its end: programs, data and logs. */
export async function makeRunDir(): Promise<string> {
  await mkdir(benchDir, { recursive: true })
  const runDir = await mkdtemp(join(benchDir, 'run-'))
  await chmod(runDir, 0o755) // PostgreSQL may run as another user, who needs access
  return runDir
}

/**
 * Compiles the service and its opponents and returns the folder of the programs. All of them are compiled by tsc, as in
 * production, and not by a loader at start. Rejects with the compiler's messages.
 */
export async function build(runDir: string): Promise<string> {
  const buildDir = join(runDir, 'build')
  await runProgram(
    process.execPath,
    [
      join('node_modules', 'typescript', 'bin', 'tsc'),
      '-p',
      join('bench', 'tsconfig.build.json'),
      '--outDir',
      buildDir,
    ],
    { cwd: projectDir, timeoutMs: 180_000 },
  )
  // Programs compare the database with the migrations that stand beside them.
  await cp(join(projectDir, 'prisma', 'migrations'), join(buildDir, 'prisma', 'migrations'), {
    recursive: true,
  })
  return buildDir
}
