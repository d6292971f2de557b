import { delimiter } from 'node:path'
import { findOnPath } from '../../local/find-on-path.ts'

/** Debian keeps servers among the programs of the administrator, which are not on every search path. */
const administrators = '/usr/sbin'

/** For a run that is meant to have no Redis, where CI would otherwise miss one. */
export const withoutRedis = 'TEST_WITHOUT_REDIS'

export interface Machine {
  env: Readonly<NodeJS.ProcessEnv>
  say: (line: string) => void
}

const thisMachine: Machine = { env: process.env, say: (line) => void process.stdout.write(line) }

/** The programs that were missed in this process: each is named once. */
const missed = new Set<string>()

/**
 * The file of a program that a test starts, by the first of its names that this machine has. Without one, the tests of
 * this hook or this test are skipped, which one line says; in CI, which installs it (.ci/run), that is an error.
 */
export function needProgram(
  context: Pick<Mocha.Context, 'skip'>,
  names: readonly string[],
  debianPackage: string,
  { env, say }: Machine = thisMachine,
): string {
  const found = names
    .map((name) => findOnPath(name, `${env['PATH'] ?? ''}${delimiter}${administrators}`))
    .find((file) => file !== undefined)
  if (found !== undefined) return found
  const missing = `no ${names.join(' or ')} (Debian: apt-get install ${debianPackage})`
  if (env['CI'] === 'true') throw new Error(`CI needs it, and there is ${missing}`)
  if (!missed.has(missing)) say(`There is ${missing}: its tests are left out.\n`)
  missed.add(missing)
  return context.skip()
}
