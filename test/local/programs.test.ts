import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { sources } from '../../local/programs.mjs'
import { atEndOfSuite } from '../support/at-end.ts'

const project = join(import.meta.dirname, '../..')

describe('the programs that npm start builds from the sources', () => {
  /** A small project whose `npm start` prints a text of one of its sources, and where that source is. */
  let root: string
  const atEnd = atEndOfSuite()

  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'rewards-programs-'))
    atEnd(() => rm(root, { recursive: true }))
    for (const path of Object.values(sources)) {
      await mkdir(join(root, dirname(path)), { recursive: true })
      await writeFile(join(root, path), '')
    }
    for (const folder of ['core', 'prisma', 'node_modules']) await mkdir(join(root, folder))
    for (const name of ['esbuild', '@esbuild']) {
      await symlink(join(project, 'node_modules', name), join(root, 'node_modules', name))
    }
    for (const name of ['package-lock.json', 'tsconfig.json', 'local/run.mjs', 'local/programs.mjs']) {
      await cp(join(project, name), join(root, name))
    }
    await writeFile(join(root, 'local/main.ts'), "import { text } from '../core/text.ts'\nconsole.log(text)")
  })

  const write = (text: string) =>
    writeFile(
      join(root, 'core/text.ts'),
      `export const text: string = ${JSON.stringify(text)} + ' ' + import.meta.url`,
    )
  const start = async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['local/run.mjs'], { cwd: root })
    return stdout.trim()
  }
  const kept = () => readdir(join(root, 'node_modules/.cache/casino-rewards'))

  it('match the current sources, also after a change and after it was undone', async () => {
    for (const text of ['one', 'two', 'one']) {
      await write(text)
      expect(await start()).to.equal(`${text} file://${join(root, 'core/text.ts')}`)
    }
    expect(await kept()).to.have.length(2)
  })

  it('are limited to the four that were used last', async () => {
    const [first] = await kept()
    for (const text of ['three', 'four', 'five', 'six']) {
      await write(text)
      await start()
    }
    expect(await kept())
      .to.have.length(4)
      .and.not.include(first)
  })
})
