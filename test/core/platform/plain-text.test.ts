import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'

const root = join(import.meta.dirname, '../../..')

/** In a process of its own, because it takes over the console until its process ends. */
const program = `
  import { createLogger } from '${root}/core/platform/logger.ts'
  import { logPlainText } from '${root}/core/platform/plain-text.ts'
  logPlainText(createLogger('test', 'info'))
  console.warn('It should be "%s"', 'noeviction')
  console.warn('It should be "%s"', 'noeviction')
  console.error('Unexpected Error', new Error('lost'))
  console.log('two\\nlines')
  process.emitWarning('is old', 'DeprecationWarning')`

describe('the output of libraries and Node', () => {
  it('is in the log as lines of JSON, and each text once', async () => {
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '--eval', program],
      { cwd: root },
    )
    expect(stderr).to.equal('')
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map(
        (line) =>
          JSON.parse(line) as { level: string; source: string; msg: string; err?: { message: string } },
      )
    expect(
      lines.map(({ level, source, msg, err }) => [level, source, msg, ...(err ? [err.message] : [])]),
    ).to.deep.equal([
      ['warn', 'console', 'It should be "noeviction"'],
      ['error', 'console', 'Unexpected Error', 'lost'],
      ['info', 'console', 'two\nlines'],
      ['warn', 'node', 'DeprecationWarning', 'is old'],
    ])
  })
})
