import { parseArgs } from 'node:util'
import { runMain } from '../core/platform/main-program.ts'
import { runMocha } from './support/run-mocha.ts'
import { findUnitTests } from './support/unit-tests.ts'

const usage = `npm run test:unit

Runs the tests that need no database, no queue and no other process: in seconds, without starting PostgreSQL or Redis.
test/support/unit-tests.ts says how they are found. \`npm test\` runs them too.
`

await runMain({ usage, problemFound: 'a test failed' }, (args) => {
  parseArgs({ args, options: {} })
  return runMocha(findUnitTests(), {})
})
