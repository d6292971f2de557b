import { readFile, rename, writeFile } from 'node:fs/promises'

/**
 * Keeps a secret where only we can read it. Written under another name first, so that a start that is interrupted
 * leaves either the whole file or no file.
 */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const partial = `${path}.partial`
  await writeFile(partial, text, { mode: 0o600 })
  await rename(partial, path)
}

/** The file's text, or undefined when there is no such file. */
export async function findFileText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
