import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const usage = `npm run attack:generate -- [options]

Sends odd requests, made after the OpenAPI document, for longer than \`npm test\` does, or repeats a failure.

  --requests N    how many (100000)
  --seed S        an integer; without it another one each time
`

const root = join(import.meta.dirname, '..')

try {
  const { values } = parseArgs({
    options: {
      requests: { type: 'string', default: '100000' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    },
  })
  for (const name of ['requests', 'seed'] as const) {
    if (!/^[1-9]\d{0,9}$/.test(values[name])) throw new TypeError(`--${name} must be a positive integer`)
  }
  process.stdout.write(`seed ${values.seed}, ${values.requests} requests\n`)
  const child = spawn('npx', ['mocha', 'test/attacks/odd-requests*.test.ts'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ATTACK_REQUESTS: values.requests, ATTACK_SEED: values.seed },
  })
  child.on('exit', (code) => {
    process.exitCode = code ?? 1
  })
} catch (error) {
  if (!(error instanceof TypeError)) throw error
  process.stderr.write(`${error.message}\n\n${usage}`)
  process.exitCode = 2
}
