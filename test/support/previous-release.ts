import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { findProgram } from '../../local/programs.mjs'

const project = join(import.meta.dirname, '../..')
const revisionFile = 'test/flows/schema/previous-release.txt'
const run = promisify(execFile)

/** The code of the previous release, unpacked and ready to start. */
export interface PreviousRelease {
  /** The file of one of its programs, made of its own sources by its own build. */
  findProgram: typeof findProgram
  /** The migrations that it has. */
  migrationNames: readonly string[]
  remove: () => Promise<void>
}

/** The tag or commit that test/flows/schema/previous-release.txt names. */
export async function readPreviousRevision(): Promise<string> {
  return (await readFile(join(project, revisionFile), 'utf8')).trim()
}

/** The newest tag of a release; undefined where there is none. */
export async function findNewestRelease(): Promise<string | undefined> {
  const [newest] = (await git('tag', '--list', 'v*.*.*', '--sort=-version:refname')).split('\n')
  return newest === '' ? undefined : newest
}

/** Skips the suite or test where the previous release cannot be unpacked, which in CI is a failure. */
export async function needPreviousRelease(context: Mocha.Context): Promise<void> {
  const problem = await whyNoPreviousRelease()
  if (problem === undefined) return
  if (process.env['CI'] === 'true') throw new Error(problem)
  process.stderr.write(`      skipped: ${problem}\n`)
  context.skip()
}

/** Why the previous release cannot be unpacked here; undefined if it can. */
async function whyNoPreviousRelease(): Promise<string | undefined> {
  const revision = await readPreviousRevision()
  return git('cat-file', '-e', `${revision}^{commit}`).then(
    () => undefined,
    () => `git has no ${revision} here (see ${revisionFile}): fetch the whole history and its tags`,
  )
}

/**
 * Unpacks it beside the packages of this checkout, or installs its own of production if it names others: its tools
 * are always this checkout's. Its Prisma client is made of its own schema.
 */
export async function unpackPreviousRelease(): Promise<PreviousRelease> {
  const revision = await readPreviousRevision()
  const root = await mkdtemp(join(tmpdir(), 'previous-release-'))
  const archive = join(root, 'release.tar')
  await git('archive', '--output', archive, revision)
  await run('tar', ['-xf', archive, '-C', root])
  if (!(await haveItsPackages(root))) {
    const options = ['--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit']
    await run('npm', ['ci', ...options], { cwd: root })
  }
  await linkPackages(join(root, 'node_modules'))
  await run(process.execPath, [join(root, 'node_modules/prisma/build/index.js'), 'generate'], {
    cwd: root,
    // Generating does not use the engine, but asks for it.
    env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath },
  })
  const programs = (await import(pathToFileURL(join(root, 'local/programs.mjs')).href)) as Pick<
    PreviousRelease,
    'findProgram'
  >
  return {
    findProgram: programs.findProgram,
    migrationNames: await readdir(join(root, 'prisma/migrations')),
    remove: () => rm(root, { recursive: true, force: true }),
  }
}

async function git(...args: string[]): Promise<string> {
  return (await run('git', args, { cwd: project })).stdout.trim()
}

/**
 * Whether the packages that it names are here in the same versions. Their own dependencies are then here too, in a
 * version that suits them.
 */
async function haveItsPackages(root: string): Promise<boolean> {
  const [old, now] = await Promise.all([readLock(root), readLock(project)])
  const names = Object.keys(old.packages['']?.dependencies ?? {})
  const versionIn = ({ packages }: Lock, name: string) => packages[`node_modules/${name}`]?.version
  return names.length > 0 && names.every((name) => versionIn(old, name) === versionIn(now, name))
}

interface Lock {
  packages: Record<string, { version?: string; dependencies?: Record<string, string> }>
}

async function readLock(folder: string): Promise<Lock> {
  return JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as Lock
}

/** Those that the folder lacks, one by one, so that what is cached beside them stays its own. */
async function linkPackages(folder: string): Promise<void> {
  const packages = join(project, 'node_modules')
  await mkdir(folder, { recursive: true })
  const installed = new Set(await readdir(folder))
  for (const name of await readdir(packages)) {
    if (name !== '.cache' && !installed.has(name)) await symlink(join(packages, name), join(folder, name))
  }
}
