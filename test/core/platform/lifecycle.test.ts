import { execFile } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'

const platform = pathToFileURL(`${import.meta.dirname}/../../../core/platform/`).href

/** A process whose only thread for writing is busy while it logs and stops. */
const script = `
  import { pbkdf2 } from 'node:crypto'
  import { stopOnSignals } from '${platform}lifecycle.ts'
  import { createLogger } from '${platform}logger.ts'
  import { watchSignals } from '${platform}signals.ts'
  const log = createLogger('test', 'info')
  const stop = () => Promise.resolve()
  const { stopNow } = stopOnSignals({ signals: watchSignals(), log, stop, timeoutMs: 30_000 })
  pbkdf2('', '', 300_000, 64, 'sha512', () => undefined)
  log.info('working')
  stopNow(0)`

describe('stopping a process', () => {
  it('ends it when all lines of its log are written, in order', async () => {
    const env = { PATH: process.env['PATH'], UV_THREADPOOL_SIZE: '1' }
    const args = ['--import', 'tsx', '--input-type=module', '--eval', script]
    const { stdout } = await promisify(execFile)(process.execPath, args, { env })
    const messages = stdout
      .trimEnd()
      .split('\n')
      .map((line) => /"msg":"(.*?)"/.exec(line)?.[1])
    expect(messages).to.deep.equal(['working', 'stopped'])
  })
})
