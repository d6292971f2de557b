import type { RootHookObject } from 'mocha'
import { listTestDatabases, startEnvironment, stopEnvironment } from './environment.ts'
import { findLeaks } from './personal-data.ts'

let hasFailures = false

/**
 * Shared servers start before the first test of a run and stop after the last. Whatever the tests were about: none may
 * have left an address in a log or in the clear in a database.
 */
export const mochaHooks: RootHookObject = {
  async beforeAll(this: Mocha.Context) {
    this.timeout(60_000)
    await startEnvironment()
  },
  afterEach(this: Mocha.Context) {
    if (this.currentTest?.state === 'failed') hasFailures = true
  },
  async afterAll(this: Mocha.Context) {
    this.timeout(120_000)
    let leaks: string[] = []
    try {
      leaks = await findLeaks(await listTestDatabases())
    } finally {
      await stopEnvironment(hasFailures || leaks.length > 0)
    }
    if (leaks.length > 0) throw new Error(`personal data where none may be:\n${leaks.join('\n')}`)
  },
}
