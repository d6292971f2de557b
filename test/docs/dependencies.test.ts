import { expect } from 'chai'
import { readDocument, readTable } from './markdown.ts'

interface Manifest {
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  overrides: Record<string, string>
}

const manifest = JSON.parse(readDocument('package.json')) as Manifest
const document = readDocument('docs/contribute/dependencies.md')

describe('docs/contribute/dependencies.md', () => {
  const sections = {
    '## In production': 'dependencies',
    '## In development': 'devDependencies',
    '## Held back': 'overrides',
  } as const
  for (const [heading, field] of Object.entries(sections)) {
    it(`says why each of the ${field} is there, and names no others`, () => {
      const rows = readTable(document, heading)
      expect(rows.map(([name]) => name)).to.have.members(Object.keys(manifest[field]))
      for (const [name, reason] of rows) expect(reason, name).to.match(/\w{3}/)
    })
  }
})

describe('package.json', () => {
  it('names exact versions only, so that every installation has the tested ones', () => {
    const all = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.overrides }
    // One may stand in for another: `npm:<name>@<version>`.
    const exact = /^(npm:[\w./@-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/
    const inexact = Object.entries(all).filter(([, version]) => !exact.test(version))
    expect(inexact).to.deep.equal([])
  })
})
