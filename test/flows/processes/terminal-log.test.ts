import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { stripVTControlCharacters, promisify } from 'node:util'
import { expect } from 'chai'
import { needProgram } from '../../support/need-program.ts'

const run = promisify(execFile)

describe('the log on standard output', function () {
  this.timeout(60_000)

  it('is JSON where that is not a terminal', async () => {
    const { stdout } = await run(process.execPath, program, { env: environment('development') })
    expect(JSON.parse(stdout)).to.include({ level: 'info', ...fields })
  })

  it('is JSON in production, and readable text elsewhere, where that is a terminal', async function () {
    const script = needProgram(this, ['script'], 'bsdutils')
    expect(JSON.parse(await runAtTerminal(script, 'production'))).to.include({ level: 'info', ...fields })
    expect(stripVTControlCharacters(await runAtTerminal(script, 'development'))).to.match(
      /^\[\d\d:\d\d:\d\d\.\d{3}\] INFO <key:k1>: request POST \/box\/open 200 {"service":"api","boxId":"gold","trace_id":"4bf9"}$/,
    )
  })
})

/** The fields of a log line about a request. */
const fields = {
  method: 'POST',
  route: '/box/open',
  status: 200,
  caller: 'key:k1',
  boxId: 'gold',
  trace_id: '4bf9',
}

const program = ['--import', 'tsx', '--input-type=module', '-e'].concat(
  [
    'import { createLogger } from "./core/platform/logger.ts"',
    'import { readConfig } from "./core/platform/config.ts"',
    `createLogger("api", "info", readConfig()).info(${JSON.stringify(fields)}, "request")`,
  ].join('\n'),
)

/** util-linux' `script` gives the program a terminal. */
async function runAtTerminal(script: string, nodeEnv: string): Promise<string> {
  const command = [process.execPath, ...program].map((part) => `'${part}'`).join(' ')
  const { stdout } = await run(script, ['-qefc', command, '/dev/null'], { env: environment(nodeEnv) })
  return stdout.trim()
}

/** A configuration that is accepted in production too. */
function environment(nodeEnv: string): Record<string, string | undefined> {
  return {
    PATH: process.env['PATH'],
    NODE_ENV: nodeEnv,
    DATABASE_URL: 'postgresql://127.0.0.1:1/none',
    REDIS_URL: 'redis://127.0.0.1:1',
    ADMIN_API_KEY: randomBytes(24).toString('base64url'),
    HASH_SECRET: randomBytes(32).toString('base64url'),
    ENCRYPTION_KEYS: `key-1:${randomBytes(32).toString('base64')}`,
  }
}
