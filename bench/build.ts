import { chmod, cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { runProgram } from './run-program.ts'

export const projectDir = join(import.meta.dirname, '..')
/** The folder for files that are kept after a run: results and profiles. */
export const benchDir = join(projectDir, '.local', 'bench')

/** A folder of this run alone (two may run at the same time), removed at its end: programs, data and logs. */
export async function makeRunDir(): Promise<string> {
  await mkdir(benchDir, { recursive: true })
  const runDir = await mkdtemp(join(benchDir, 'run-'))
  await chmod(runDir, 0o755) // PostgreSQL may run as another user, who needs access
  return runDir
}

/** Compiles the service and its opponents, and returns the folder of the programs. Rejects with the compiler's messages. */
export function build(runDir: string): Promise<string> {
  return compile(projectDir, join(runDir, 'build'))
}

/** The same of another checkout, in whose folder its packages are found. The programs stay there until the next run. */
export async function buildCheckout(checkoutDir: string): Promise<string> {
  const buildDir = join(checkoutDir, '.local', 'bench', 'pairs')
  await rm(buildDir, { recursive: true, force: true })
  return compile(checkoutDir, buildDir)
}

/** By tsc, as in production, and not by a loader at start. */
async function compile(fromDir: string, buildDir: string): Promise<string> {
  const compiler = join('node_modules', 'typescript', 'bin', 'tsc')
  const project = join('bench', 'tsconfig.build.json')
  await runProgram(process.execPath, [compiler, '-p', project, '--outDir', buildDir], {
    cwd: fromDir,
    timeoutMs: 180_000,
  })
  // Programs compare the database with the migrations that stand beside them.
  await cp(join(fromDir, 'prisma', 'migrations'), join(buildDir, 'prisma', 'migrations'), { recursive: true })
  return buildDir
}
