import { parseArgs } from 'node:util'
import { runMain, UsageError } from '../core/platform/main-program.ts'
import { runMocha } from './support/run-mocha.ts'

const usage = `npm run test:campaign -- [options]

Runs test/flows/processes/campaign.test.ts for longer than CI does: two APIs and two workers under load,
while processes, PostgreSQL and Redis are killed, frozen and emptied.

  --seconds N     how long faults happen (600)
  --seed S        an integer; without it another one each time
`

await runMain({ usage, problemFound: 'a test failed' }, (args) => {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '600' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    },
  })
  if (!/^[1-9]\d{0,4}$/.test(values.seconds)) throw new UsageError('--seconds must be from 1 to 99999')
  if (!/^\d{1,10}$/.test(values.seed)) throw new UsageError('--seed must be an integer')
  console.log(`seed ${values.seed}, ${values.seconds} seconds`)
  return runMocha(['test/flows/processes/campaign.test.ts'], {
    CAMPAIGN_SECONDS: values.seconds,
    CAMPAIGN_SEED: values.seed,
    // Only the long form has it.
    TEST_RUNS_FACTOR: '2',
  })
})
