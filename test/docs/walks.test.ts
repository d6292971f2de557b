import { expect } from 'chai'
import { dirname, join, normalize } from 'node:path'
import { readDocument, readSection } from './markdown.ts'

describe('docs/contribute/architecture.md', () => {
  const section = readSection(readDocument('docs/contribute/architecture.md'), '### The files of an order')
  const walks = section
    .split(/^(?=1\. )/m)
    .slice(1)
    .map((list) => [...list.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, path = '']) => path))

  it('leads through an order in a few files: seven of the API, six of the worker', () => {
    expect(walks.map(({ length }) => length)).to.deep.equal([7, 6])
  })

  it('names as the next file of an order only one that an earlier file imports', () => {
    for (const [first = '', ...others] of walks) {
      const seen = new Set([first])
      for (const path of others) {
        const imported = [...seen].flatMap(importsOf)
        expect(imported, `what the files before ${path} import`).to.include(path)
        seen.add(path)
      }
    }
  })
})

function importsOf(path: string): string[] {
  return [...readDocument(path).matchAll(/ from '(\.{1,2}\/[^']+)'/g)].map(([, target = '']) =>
    normalize(join(dirname(path), target)),
  )
}
