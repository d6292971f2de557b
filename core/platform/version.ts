import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The version in package.json, which is above both the sources and the build. */
export function serviceVersion(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) folder = dirname(folder)
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version?: unknown }
  return typeof version === 'string' ? version : 'unknown'
}
