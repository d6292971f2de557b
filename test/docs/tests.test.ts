import { readdirSync } from 'node:fs'
import { expect } from 'chai'
import { readDocument, readSection } from './markdown.ts'

describe('docs/contribute/tests.md', () => {
  const map = readSection(readDocument('docs/contribute/tests.md'), '## The map of test/support')

  it('says what each file of test/support gives, once', () => {
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
})
