import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** `npm run build` puts the pages beside the built program, whether the build or the sources run. */
const parent = join(dirname(fileURLToPath(import.meta.url)), '..')
const folder = join(basename(parent) === 'dist' ? parent : join(parent, 'dist'), 'console')

/** The files of the build: their names, which have a hash of their contents, by their kind. */
type BuiltFiles = Readonly<Record<'console.js' | 'console.css' | 'verify.js' | 'verify.css', string>>

export async function readBuiltFiles(): Promise<BuiltFiles> {
  const path = join(folder, 'files.json')
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new Error(`the pages are not built (npm run build makes ${path})`, { cause })
  })
  return JSON.parse(text) as BuiltFiles
}

/** The text of a file by its name in `readBuiltFiles`. */
export function readBuiltFile(name: string): Promise<string> {
  return readFile(join(folder, name), 'utf8')
}

/** Asks once; a failure is not kept. */
export function keepResult<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let kept: Promise<Value> | undefined
  return () => {
    kept ??= make().catch((error: unknown) => {
      kept = undefined
      throw error
    })
    return kept
  }
}
