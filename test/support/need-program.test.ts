import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { atEndOfTest } from './at-end.ts'
import { needProgram } from './need-program.ts'

describe('needProgram', () => {
  const atEnd = atEndOfTest()

  /** A machine with these programs, and what it says. */
  const makeMachine = (programs: readonly string[], more: Record<string, string> = {}) => {
    const folder = mkdtempSync(join(tmpdir(), 'need-program-'))
    atEnd(() => {
      rmSync(folder, { recursive: true })
    })
    for (const name of programs) writeFileSync(join(folder, name), '', { mode: 0o755 })
    // No program, although it has the name of one.
    writeFileSync(join(folder, 'a-text'), '', { mode: 0o644 })
    const said: string[] = []
    const env = { PATH: `/nowhere:${folder}`, ...more }
    return { folder, said, machine: { env, say: (line: string) => void said.push(line) } }
  }
  const skipped = new Error('skipped')
  const context = {
    skip: () => {
      throw skipped
    },
  }

  it('gives the file of the first name that the machine has', () => {
    const { folder, machine, said } = makeMachine(['second', 'third'])
    const file = needProgram(context, ['first', 'second', 'third'], 'some-package', machine)
    expect(file).to.equal(join(folder, 'second'))
    expect(said).to.deep.equal([])
  })

  it('finds the programs of the administrator, which are not on the search path of everybody', () => {
    const { machine } = makeMachine([])
    expect(needProgram(context, ['nologin', 'chroot'], 'login', machine)).to.match(/^\/usr\/sbin\//)
  })

  it('skips the tests without it, and says so once', () => {
    const { machine, said } = makeMachine([])
    for (const names of [['a-text', 'another'], ['a-text', 'another'], ['a-text']])
      expect(() => needProgram(context, names, 'some-package', machine)).to.throw(skipped)
    expect(said).to.deep.equal([
      'There is no a-text or another (Debian: apt-get install some-package): its tests are left out.\n',
      'There is no a-text (Debian: apt-get install some-package): its tests are left out.\n',
    ])
  })

  it('fails without it in CI, which installs every program', () => {
    const { machine, said } = makeMachine([], { CI: 'true' })
    expect(() => needProgram(context, ['a-text'], 'some-package', machine)).to.throw(
      'CI needs it, and there is no a-text (Debian: apt-get install some-package)',
    )
    expect(said).to.deep.equal([])
  })
})
