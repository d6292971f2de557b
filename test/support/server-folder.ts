import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from '../../local/process-table.ts'

/** Linux keeps what is in here in memory. Containers often have very little of it. */
const memory = '/dev/shm'
const neededBytes = 2 * 1024 ** 3
const prefix = 'casino-rewards-test-'

/**
 * A new folder for the data of servers that tests start: in memory where there is room, otherwise in `elsewhere`. A new
 * database is hundreds of files, and making them on a disk takes many times the CPU of all the rest. The caller removes
 * the folder; the next run removes those of processes that were killed.
 */
export function makeServerFolder(elsewhere = tmpdir()): string {
  const folder = mkdtempSync(join(hasRoom() ? memory : elsewhere, `${prefix}${process.pid}-`))
  chmodSync(folder, 0o711) // PostgreSQL may run as another user
  return folder
}

function hasRoom(): boolean {
  try {
    removeOrphans()
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize > neededBytes
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (isAbsent) return false
    throw error
  }
}

function removeOrphans(): void {
  for (const name of readdirSync(memory)) {
    if (name.startsWith(prefix) && !isAlive(Number.parseInt(name.slice(prefix.length)))) {
      rmSync(join(memory, name), { recursive: true, force: true })
    }
  }
}
