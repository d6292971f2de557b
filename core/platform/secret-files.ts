import { closeSync, fstatSync, openSync, readFileSync, constants } from 'node:fs'
import { secretNames } from './config-variables.ts'

/** The problem of a variable; never contains its value. */
export interface Problem {
  name: string
  message: string
}

/** Far more than the longest secret. A wrong path may lead to a log or a disk. */
const fileBytesMax = 64 * 1024

/**
 * Reads secrets from files, as containers get them: `HASH_SECRET_FILE` names the file with `HASH_SECRET`. Only those of
 * `names` are read. One line break at the end is not part of the secret: editors and `echo` add it.
 */
export function readSecretFiles(
  names: readonly string[],
  env: Record<string, string | undefined>,
): { values: Record<string, string>; problems: Problem[] } {
  const values: Record<string, string> = {}
  const problems: Problem[] = []
  for (const name of secretNames.filter((secret) => names.includes(secret))) {
    const path = env[`${name}_FILE`]
    if (path === undefined || path === '') continue
    const read = env[name] ? { problem: `${name} and ${name}_FILE must not both be set` } : readSecret(path)
    if ('secret' in read) values[name] = read.secret
    else problems.push({ name, message: read.problem.replace('{file}', `the file in ${name}_FILE`) })
  }
  return { values, problems }
}

/** The path is not repeated either: if the variables were mixed up, it is the secret. */
function readSecret(path: string): { secret: string } | { problem: string } {
  let bytes: Buffer
  try {
    // Opening a named pipe would wait for its writer.
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const stat = fstatSync(file)
      if (!stat.isFile()) return { problem: '{file} must be a regular file' }
      if (stat.size > fileBytesMax) return { problem: `{file} must have at most ${fileBytesMax} bytes` }
      bytes = readFileSync(file)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    return { problem: `{file} cannot be read (${codeOf(error)})` }
  }
  const secret = decode(bytes)
  if (secret === undefined) return { problem: '{file} must be text in UTF-8' }
  return secret === '' ? { problem: '{file} must not be empty' } : { secret }
}

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '')
  } catch {
    return undefined
  }
}

/** `ENOENT`, `EACCES` … */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
}
