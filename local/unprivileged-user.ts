import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

export interface UnprivilegedUser {
  uid: number
  gid: number
}

/** Tried in this order. `nobody` exists nearly everywhere and serves as well; nothing but one server runs as it here. */
const candidates = ['postgres', 'nobody']

/**
 * PostgreSQL refuses to run as root: the user that runs it instead, or undefined when we are an ordinary user and it can
 * simply run as us. An existing data folder is used by the user who owns it.
 */
export async function findUnprivilegedUser(dataDir: string): Promise<UnprivilegedUser | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const owner = await stat(dataDir).catch(() => undefined)
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  for (const name of candidates) {
    const user = await lookUp(name)
    if (user !== undefined) return user
  }
  throw new Error(
    `PostgreSQL does not run as root, and there is no user ${candidates.join(' or ')} to run it as: ` +
      'start as an ordinary user, or set DATABASE_URL',
  )
}

async function lookUp(name: string): Promise<UnprivilegedUser | undefined> {
  const run = promisify(execFile)
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  } catch {
    return undefined // `id` knows no such user
  }
}

/** Whether the user may enter the folder: it needs the right to search every folder on the way, too. */
export async function canEnter(folder: string, user: UnprivilegedUser): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    const { uid, gid, mode } = await stat(at)
    const search = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
    if ((mode & search) === 0) return false
    if (at === dirname(at)) return true
  }
}
