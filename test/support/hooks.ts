import fc from 'fast-check'
import type { RootHookObject, Suite } from 'mocha'
import { endRun } from './at-end.ts'
import { dropTestDatabase, listTestDatabases, takeMadeDatabases } from './environment.ts'
import { findLeaks, takeInspected } from './personal-data.ts'
import { isLongForm } from './runs.ts'
import { startServers } from './servers.ts'
import type { Servers } from './servers.ts'
import { needsServer } from './unit-tests.ts'

// Reporters do not show the cause of an error.
fc.configureGlobal({ includeErrorInReport: true })

let servers: Servers | undefined

/** A twentieth of the CPU of the short form. CI does it, and the long form. */
const looksForLeaks = isLongForm || process.env['CI'] === 'true'

/** In the process that was called: the servers start before the first file, unless all files are unit tests. */
export async function mochaGlobalSetup(this: Mocha.Runner): Promise<void> {
  if (needServers(this.suite.suites)) servers = await startServers()
}

/** Files that run in other processes are not known here: there may be any. */
function needServers(suites: readonly Suite[]): boolean {
  return suites.length === 0 || suites.some(({ file }) => file === undefined || needsServer(file))
}

/**
 * They stop after the last. Databases that are still there (of files that failed, or whose process died) are looked
 * through like those of the others.
 */
export async function mochaGlobalTeardown(this: Mocha.Runner): Promise<void> {
  await endRun()
  if (servers === undefined) return
  let hasFailed = true
  try {
    if (looksForLeaks) refuse(await findLeaks(await listTestDatabases()), 'databases that are left')
    hasFailed = this.failures > 0
  } finally {
    await servers.stop(hasFailed)
  }
}

/**
 * In every process that runs files, for each of them; together where one process runs several. Whatever the tests were
 * about: they may have left no address in a log or in the clear in a database, and nothing that is still connected.
 */
export const mochaHooks: RootHookObject = {
  async afterAll(this: Mocha.Context) {
    this.timeout(120_000)
    const root = this.test?.parent
    if (root === undefined) throw new Error('mocha calls this hook for a suite')
    const files = [...new Set(root.suites.map(({ file }) => file))].join(', ')
    const databases = takeMadeDatabases()
    refuse([...takeInspected(), ...(looksForLeaks ? await findLeaks(databases) : [])], files)
    // Of what failed they stay, to be looked into.
    if (!hasPassed(root)) return
    for (const url of databases) {
      await dropTestDatabase(url).catch((error: unknown) => {
        throw new Error(`${files}: a connection to the database was left open`, { cause: error })
      })
    }
  },
}

/** A test that never ran counts as failed: a hook before it did. */
function hasPassed(suite: Suite): boolean {
  return suite.tests.every((test) => test.isPassed() || test.isPending()) && suite.suites.every(hasPassed)
}

function refuse(leaks: readonly string[], files: string): void {
  if (leaks.length > 0) throw new Error(`${files}: personal data where none may be:\n${leaks.join('\n')}`)
}
