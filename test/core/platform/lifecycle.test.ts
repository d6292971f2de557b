import { execFile } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { startLoop } from '../../../core/platform/lifecycle.ts'
import { createLogger } from '../../../core/platform/logger.ts'
import { atEndOfTest } from '../../support/at-end.ts'
import { eventually } from '../../support/eventually.ts'

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

describe('a loop', () => {
  const atEnd = atEndOfTest()

  it('rests when there has been no work for a while, until it is woken or finds some', async () => {
    let turns = 0
    let work = 0
    const loop = startLoop({
      name: 'test',
      idleMs: 1,
      rest: { afterMs: 30, ms: 3_600_000 },
      log: createLogger('test', 'silent'),
      runOnce: () => {
        turns += 1
        return Promise.resolve(work-- > 0 ? 1 : 0)
      },
    })
    atEnd(() => loop.stop())
    const itRests = () =>
      eventually('it rests', async () => {
        const before = turns
        await setTimeout(50)
        return turns === before
      })
    await itRests()
    expect(turns).to.be.greaterThan(3)
    for (const found of [0, 5]) {
      const before = turns
      work = found
      loop.wake()
      await eventually('it turns several times', () => turns > before + 3)
      await itRests()
    }
  })
})

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
