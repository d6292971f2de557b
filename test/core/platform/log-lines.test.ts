import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { joinLinesOfTurn } from '../../../core/platform/log-lines.ts'

describe('the log lines of one turn of the event loop', () => {
  const open = () => {
    const calls: string[] = []
    const destination = joinLinesOfTurn({
      write: (text: string) => calls.push(text) > 0,
      flush: (onEnd?: (error?: Error) => void) => {
        calls.push('flush')
        onEnd?.()
      },
      flushSync: () => calls.push('flushSync'),
    })
    return { calls, destination }
  }

  it('are written together, in their order', async () => {
    const { calls, destination } = open()
    for (const line of ['a\n', 'b\n', 'c\n']) destination.write(line)
    expect(calls).to.deep.equal([])
    await nextTurn()
    destination.write('d\n')
    await nextTurn()
    expect(calls).to.deep.equal(['a\nb\nc\n', 'd\n'])
  })

  it('are written before the log is flushed', async () => {
    const { calls, destination } = open()
    destination.write('a\n')
    let isEnded = false
    destination.flush(() => {
      isEnded = true
    })
    destination.write('b\n')
    destination.flushSync()
    await nextTurn()
    expect(calls).to.deep.equal(['a\n', 'flush', 'b\n', 'flushSync'])
    expect(isEnded).to.equal(true)
  })

  for (const [how, end] of [
    ['exits', 'process.exit(0)'],
    ['ends by itself', ''],
    ['exits when the log is flushed', 'log.flush(() => process.exit(0))'],
  ] as const) {
    it(`are all written when the process ${how}`, async () => {
      const logger = new URL('../../../core/platform/logger.ts', import.meta.url).href
      const program = `import { createLogger } from '${logger}'
        process.stdout // a pipe does not block any more then
        const log = createLogger('test', 'info')
        for (let n = 0; n < 3_000; n++) log.info({ n }, 'line')
        ${end}`
      const args = ['--import', 'tsx', '--input-type=module', '--eval', program]
      const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 30_000 })
      const numbers = stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { n: number }).n)
      expect(numbers).to.deep.equal(Array.from({ length: 3_000 }, (_, n) => n))
    })
  }
})
