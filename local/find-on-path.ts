import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The file of a program on the search path. */
export function findOnPath(name: string, searchPath = process.env['PATH'] ?? ''): string | undefined {
  const folders = searchPath.split(delimiter).filter((folder) => folder !== '')
  return folders.map((folder) => join(folder, name)).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
