import { expect } from 'chai'
import { dirname, join, normalize } from 'node:path'
import { readDocument, readSection } from './markdown.ts'

describe('docs/contribute/architecture.md', () => {
  const section = readSection(readDocument('docs/contribute/architecture.md'), '### The files of an order')
  const walks = section
    .split(/^(?=1\. )/m)
    .slice(1)
    .map((list) => [...list.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, path = '']) => path))

  it('explains an order with few files: seven of the API and six of the worker', () => {
    expect(walks.map(({ length }) => length)).to.deep.equal([7, 6])
  })

  it('gives the files of an order in a sequence in which an earlier file imports each later one', () => {
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
