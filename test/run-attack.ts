import { parseArgs } from 'node:util'
import { runMain, UsageError } from '../core/platform/main-program.ts'
import { runMocha } from './support/run-mocha.ts'

const usage = `npm run attack:generate -- [options]

Sends odd requests, made after the OpenAPI document, for longer than \`npm test\` does, or repeats a failure.

  --requests N    how many (100000)
  --seed S        an integer; without it another one each time
`

await runMain({ usage, problemFound: 'a test failed' }, (args) => {
  const { values } = parseArgs({
    args,
    options: {
      requests: { type: 'string', default: '100000' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    },
  })
  for (const name of ['requests', 'seed'] as const) {
    if (!/^[1-9]\d{0,9}$/.test(values[name])) throw new UsageError(`--${name} must be a positive integer`)
  }
  console.log(`seed ${values.seed}, ${values.requests} requests`)
  return runMocha(['test/attacks/odd-requests*.test.ts'], {
    ATTACK_REQUESTS: values.requests,
    ATTACK_SEED: values.seed,
  })
})
