import { existsSync, readdirSync } from 'node:fs'
import { expect } from 'chai'
import { readDocument, readSection } from './markdown.ts'

describe('docs/contribute/tests.md', () => {
  const map = readSection(readDocument('docs/contribute/tests.md'), '## The map of test/support')

  it('describes each file of test/support, once', () => {
    const rows = [...map.matchAll(/^\| `([^`]+)` +\| (.*?) *\|$/gm)]
    const described = rows.map(([, name]) => name)
    const there = readdirSync('test/support')
    expect({
      missing: there.filter((name) => !described.includes(name)),
      gone: described.filter((name) => !there.includes(name ?? '')),
      twice: described.filter((name, at) => described.indexOf(name) !== at),
    }).to.deep.equal({ missing: [], gone: [], twice: [] })
    for (const [, name, gives] of rows) expect(gives, name).to.match(/\w{3}.*\.$/)
  })

  it('is right that tests of one file or folder are found under its path', () => {
    const mirrored = ['api', 'client', 'core', 'local', 'prisma', 'tools', 'worker']
    const endings = ['.ts', '.mjs', '']
    const homeless = mirrored
      .flatMap((folder) => findTests(folder))
      .filter((path) => !endings.some((ending) => existsSync(path + ending)))
    expect(homeless, 'or it belongs to test/flows, contract, attacks or docs').to.deep.equal([])
  })
})

/** The paths of the tests below a folder of test/, without `test/` and `.test.ts`. */
function findTests(folder: string): string[] {
  return readdirSync(`test/${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `${folder}/${name.replace(/\.test\.ts$/, '')}`)
}
