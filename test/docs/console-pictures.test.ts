import { readFileSync, readdirSync } from 'node:fs'
import { expect } from 'chai'
import { pictures } from '../pictures/pictures.ts'
import { readDocument } from './markdown.ts'

const folder = 'docs/operate/pictures'
/** Everybody who fetches the project fetches them. */
const bytesMax = 450_000

describe('the pictures of docs/operate/console.md', () => {
  const files = readdirSync(folder).sort()
  const page = readDocument('docs/operate/console.md')
  const shown = [...page.matchAll(/^!\[(.*)\]\(pictures\/(.*)\)$/gm)]

  it('are those that npm run docs:pictures takes, each shown once with words in its place', () => {
    expect(files).to.deep.equal(pictures.map(({ name }) => `${name}.webp`).sort())
    expect(shown.map(([, , file]) => file).sort()).to.deep.equal(files)
    for (const [, words = '', file] of shown) expect(words.length, file).to.be.greaterThan(30)
  })

  it('are each explained in the paragraph below', () => {
    for (const [picture, , file] of shown) {
      const [, below = ''] = page.split(`${picture}\n\n`)
      expect(below.split('\n')[0]?.length, file).to.be.greaterThan(100)
    }
  })

  it('are WebP, and small', () => {
    const contents = files.map((file) => readFileSync(`${folder}/${file}`))
    for (const bytes of contents) {
      expect(bytes.toString('latin1', 0, 4) + bytes.toString('latin1', 8, 12)).to.equal('RIFFWEBP')
    }
    expect(contents.reduce((sum, { length }) => sum + length, 0)).to.be.lessThan(bytesMax)
  })
})
