import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** In the folder of `npm start`, while it runs: the settings of its API and worker. Only the owner may read it. */
export const localServiceFile = 'service.json'

/**
 * The settings of the service that `npm start` runs with this folder. Throws an Error with one sentence if none runs,
 * or if the file was not written by `npm start`.
 */
export function readLocalService(folder: string): Record<string, string> {
  const path = join(resolve(folder), localServiceFile)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw new Error(
      code === 'ENOENT'
        ? `no npm start runs with the folder ${resolve(folder)}: start it first, or name its folder in LOCAL_DIR`
        : `${path} cannot be read (${code})`,
      { cause: error },
    )
  }
  const settings = parse(text)
  if (settings === undefined) throw new Error(`${path} is damaged: npm start writes it again`)
  return settings
}

function parse(text: string): Record<string, string> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return undefined
    const entries = Object.entries(value)
    return entries.every((entry): entry is [string, string] => typeof entry[1] === 'string')
      ? Object.fromEntries(entries)
      : undefined
  } catch {
    return undefined
  }
}
