import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ReplacedFileError } from './store.ts'
import type { Store } from './store.ts'

/** A file gets its name when it is on the disk. */
export function createFolderStore(folder: string): Store {
  const placeOf = (name: string) => join(folder, name)
  return {
    placeOf,
    open: async (name) => {
      const version = await findVersion(placeOf(name))
      return version === undefined ? undefined : { version, content: read(placeOf(name)) }
    },
    put: async (name, content, replaces) => {
      const path = placeOf(name)
      const partial = `${path}.partial`
      await rm(partial, { force: true })
      await pipeline(content, createWriteStream(partial))
      await sync(partial)
      if ((await findVersion(path)) !== replaces) throw new ReplacedFileError(path)
      await rename(partial, path)
      await sync(folder) // its names too
    },
  }
}

async function findVersion(path: string): Promise<string | undefined> {
  try {
    const { ino, size, mtimeNs } = await stat(path, { bigint: true })
    return `${ino}-${size}-${mtimeNs}`
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Opens the file when it is read. */
async function* read(path: string): AsyncGenerator<Buffer> {
  yield* createReadStream(path) as AsyncIterable<Buffer>
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
