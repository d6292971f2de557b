import type { RootHookObject } from 'mocha'
import { startEnvironment, stopEnvironment } from './environment.ts'

let hasFailures = false

/** Shared servers start before the first test of a run and stop after the last. */
export const mochaHooks: RootHookObject = {
  async beforeAll(this: Mocha.Context) {
    this.timeout(60_000)
    await startEnvironment()
  },
  afterEach(this: Mocha.Context) {
    if (this.currentTest?.state === 'failed') hasFailures = true
  },
  async afterAll(this: Mocha.Context) {
    this.timeout(60_000)
    await stopEnvironment(hasFailures)
  },
}
