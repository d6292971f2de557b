import { parseArgs } from 'node:util'
import { runMain, UsageError } from '../core/platform/main-program.ts'
import { runMocha } from './support/run-mocha.ts'

const usage = `npm run test:model -- [options]

Runs the model-based tests (test/flows/processes/model*.test.ts) for longer than \`npm test\` does, or repeats a failure.

  --runs N        how many lists of commands (200)
  --seed S        an integer; without it another one each time
  --commands N    the most commands in a list (60)
  --path P        with --seed, what a failure has printed as "path": goes straight to that list
  --replay R      what a failure has printed as replayPath: the shortened list itself
  --only WORDS    only tests whose name has these words
`

await runMain({ usage, problemFound: 'a test failed' }, (args) => {
  const { values } = parseArgs({
    args,
    options: {
      runs: { type: 'string', default: '200' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
      commands: { type: 'string', default: '60' },
      path: { type: 'string' },
      replay: { type: 'string' },
      only: { type: 'string' },
    },
  })
  for (const name of ['runs', 'seed', 'commands'] as const) {
    if (!/^-?\d{1,10}$/.test(values[name])) throw new UsageError(`--${name} must be an integer`)
  }
  console.log(`seed ${values.seed}, ${values.runs} runs`)
  const only = values.only === undefined ? [] : ['--grep', values.only]
  return runMocha(['test/flows/processes/model*.test.ts', ...only], {
    MODEL_RUNS: values.runs,
    MODEL_SEED: values.seed,
    MODEL_COMMANDS: values.commands,
    ...(values.path === undefined ? {} : { MODEL_PATH: values.path }),
    ...(values.replay === undefined ? {} : { MODEL_REPLAY: values.replay }),
  })
})
