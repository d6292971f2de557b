import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { transform } from 'esbuild'
import { atEndOfTest } from './at-end.ts'

const mocha = join(import.meta.dirname, '../../node_modules/mocha/bin/mocha.js')

/** A suite of its own, in a mocha of its own. */
const suite = (before: string, tests: string) => `
  import { atEndOfSuite, atEndOfTest } from './at-end.mjs'
  describe('a suite', () => {
    const atEnd = atEndOfSuite()
    const atTestEnd = atEndOfTest()
    const undo = (what) => () => console.log('undone', what)
    before(async function () { ${before} })
    ${tests}
  })`

describe('the undoing of hooks', () => {
  const atTestEnd = atEndOfTest()

  async function run(text: string): Promise<{ undone: string[]; code: number; output: string }> {
    const folder = await mkdtemp(join(tmpdir(), 'rewards-at-end-'))
    atTestEnd(() => rm(folder, { recursive: true }))
    const source = await readFile(join(import.meta.dirname, 'at-end.ts'), 'utf8')
    await writeFile(join(folder, 'at-end.mjs'), (await transform(source, { loader: 'ts' })).code)
    const file = join(folder, 'suite.mjs')
    await writeFile(file, text)
    const args = [mocha, '--no-config', '--no-package', file]
    const ended = promisify(execFile)(process.execPath, args).then(
      ({ stdout }) => ({ code: 0, output: stdout }),
      (error: unknown) => {
        const { code, stdout } = error as { code: number; stdout: string }
        return { code, output: stdout }
      },
    )
    const { code, output } = await ended
    return { undone: [...output.matchAll(/undone (\w+)/g)].map(([, what = '']) => what), code, output }
  }

  it('covers the actions of a `before` until it skipped the suite', async () => {
    const begin = "atEnd(undo('one')); this.skip(); atEnd(undo('two'))"
    const { undone, code, output } = await run(suite(begin, "it('runs', () => {})"))
    expect(undone, output).to.deep.equal(['one'])
    expect(code, output).to.equal(0)
  })

  it('covers the actions of a `before` until it failed, and the failure is the only one', async () => {
    const begin = "atEnd(undo('one')); atEnd(undo('two')); throw new Error('half-way')"
    const { undone, code, output } = await run(suite(begin, "it('runs', () => {})"))
    expect(undone, output).to.deep.equal(['two', 'one'])
    expect(output).to.contain('1 failing').and.to.contain('half-way')
    expect(code).to.equal(1)
  })

  it('begins with the latest, runs each test’s own after it, and continues although one fails', async () => {
    const { undone, code, output } = await run(
      suite(
        "atEnd(undo('suite'))",
        `it('one', () => { atTestEnd(undo('first')); atTestEnd(() => { throw new Error('cannot be undone') }) })
         it('two', () => { throw new Error('does not come after a hook that failed') })`,
      ),
    )
    expect(undone, output).to.deep.equal(['first', 'suite'])
    expect(output).to.contain('1 failing').and.to.contain('cannot be undone')
    expect(code).to.equal(1)
  })
})
