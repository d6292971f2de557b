import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { secretNames } from '../../core/platform/config-variables.ts'
import { readDocument, readSection, readTable } from './markdown.ts'

const root = join(import.meta.dirname, '../..')
const document = readDocument('docs/operate/security.md')

describe('docs/operate/security.md', () => {
  it('says of every secret of the configuration where it is stored and how it is replaced', () => {
    const rows = readTable(document, '## Secrets')
    expect(rows.map(([name]) => name)).to.include.members([...secretNames])
    for (const row of rows) for (const cell of row) expect(cell, row[0]).to.match(/\w{3}/)
  })

  const risks = readSection(document, '## OWASP API Security Top 10 (2023)').match(/^### API\d+ .*$/gm) ?? []

  it('has a row for each of the ten risks', () => {
    expect(risks.map((risk) => risk.split(' ')[1])).to.deep.equal(
      Array.from({ length: 10 }, (_, index) => `API${index + 1}`),
    )
  })

  it('names existing tests for each of them', () => {
    for (const risk of risks) {
      const tests = readSection(document, risk)
      const paths = [...tests.matchAll(/[\w/.-]+\.test\.ts/g)].map(([path]) => path)
      expect(paths, risk).to.have.length.greaterThan(0)
      for (const path of paths) {
        expect(existsSync(join(root, path)), path).to.equal(true)
        expect(readFileSync(join(root, path), 'utf8'), path).to.match(/\bit\(/)
      }
    }
  })

  it('names only existing test files', () => {
    for (const [path] of document.matchAll(/test\/[\w/.-]+\.ts/g)) {
      expect(existsSync(join(root, path)), path).to.equal(true)
    }
  })
})
