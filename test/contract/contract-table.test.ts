import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'

const testDir = join(import.meta.dirname, '..')
const rowId = /\[([a-z][a-z0-9]*(?:-[a-z0-9]+)+)\]/g

/** The ids in brackets in the titles of the tests below a folder. */
function idsInTitles(folder: string): Set<string> {
  const files = readdirSync(join(testDir, folder), { recursive: true, encoding: 'utf8' })
  const titles = files
    .filter((name) => name.endsWith('.test.ts'))
    .flatMap((name) => {
      const text = readFileSync(join(testDir, folder, name), 'utf8')
      return [...text.matchAll(/\bit\(\s*(['`"])((?:(?!\1)[^\\]|\\.)*)\1/g)].map((match) => match[2] ?? '')
    })
  return new Set(titles.flatMap(idsIn))
}

function idsIn(text: string): string[] {
  return [...text.matchAll(rowId)].map((match) => match[1] ?? '')
}

describe('docs/integrate/contract.md', () => {
  const documented = new Set(idsIn(readFileSync(join(testDir, '../docs/integrate/contract.md'), 'utf8')))

  it('has enough rows to be the contract', () => {
    expect(documented.size).to.be.greaterThan(50)
  })

  it('names a test for every row', () => {
    const tested = idsInTitles('.')
    expect([...documented].filter((id) => !tested.has(id))).to.deep.equal([])
  })

  it('has a row for every test of the contract', () => {
    const tested = new Set([...idsInTitles('contract'), ...idsInTitles('flows')])
    expect([...tested].filter((id) => !documented.has(id))).to.deep.equal([])
  })
})
