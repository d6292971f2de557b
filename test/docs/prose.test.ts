import { readdirSync } from 'node:fs'
import { expect } from 'chai'
import { readDocument } from './markdown.ts'

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'client/README.md',
  'bench/README.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    // The reference is quoted word for word.
    .filter((name) => name.endsWith('.md') && name !== 'integrate/reference.md')
    .map((name) => `docs/${name}`),
]

/** Words and phrases that documents do without, and what they use instead. */
const retired: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\banew\b/i, 'again'],
  [/\bfor good\b/i, 'permanently'],
  [/\bin vain\b/i, 'failed'],
  [/\bas (it|they) may\b(?! be)/i, 'the limit'],
  [/, say[,)]|\(say\b/, 'for example'],
  [/\bwhoever\b/i, 'the person, process or request'],
  [/\btells? of\b/i, 'name, report'],
  [/\bat present\b/i, 'now'],
  [/\bput right\b/i, 'correct'],
  [/\bnews\b/i, 'shipment update'],
  [/(?<!there )\bis no (?!longer|more|other|later)/i, 'is not a'],
  // A question may begin so; a statement begins with what it is about.
  [/(^|[.;] )(Who|What)\b[^?.]*\.( |$)/, 'a noun as the subject'],
]

/** Sentences without code, links, headings and tables, whose cells are often no sentences. */
function proseOf(text: string): string[] {
  return text
    .replace(/^ *```[\s\S]*?^ *```/gm, '')
    .split('\n')
    .filter((line) => !/^(#| *\|)/.test(line))
    .map((line) => line.replace(/`[^`]*`|\]\([^)]*\)/g, '').replace(/^ *([-*]|\d+\.) /, ''))
}

const findRetired = (lines: readonly string[]) =>
  lines.flatMap((line) =>
    retired.flatMap(([pattern, instead]) => {
      const found = pattern.exec(line)
      return found === null ? [] : [`"${line.slice(found.index, found.index + 60)}" (write: ${instead})`]
    }),
  )

describe('the prose of documents', () => {
  for (const page of pages) {
    it(`has no retired words: ${page}`, () => {
      expect(findRetired(proseOf(readDocument(page)))).to.deep.equal([])
    })
  }

  it('is searched where people read it, and not in code', () => {
    const sample = [
      'It is sent anew.',
      '`anew` is code.',
      '| anew |',
      '```',
      'anew',
      '```',
      'What it says counts.',
    ]
    expect(findRetired(proseOf(sample.join('\n')))).to.have.length(2)
  })
})
