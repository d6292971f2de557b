import { readdirSync } from 'node:fs'
import { expect } from 'chai'
import { apiDocument } from '../support/api-document.ts'
import { readDocument } from './markdown.ts'

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'client/README.md',
  'bench/README.md',
  'bench/tried.md',
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
  [/\bfor ever\b/i, 'permanently'],
  [/\bwhatever\b/i, 'any, every'],
  [/\b(us|we|our)\b/i, 'the service'],
  [/\bas ever\b/i, 'as before'],
  [/\bat once\b/i, 'immediately, or at the same time'],
  [/\bgoe?s? on\b/i, 'continue'],
  [/\bleads? nowhere\b/i, 'does not resolve'],
  [/\bheard of\b/i, 'received'],
  [/\bthe (one|version|release) before\b/i, 'the previous'],
]

/** The same of whole sentences. */
const retiredInSentences: typeof retired = [
  [/(?<!there )\bis no (?!longer|more|other|later)/i, 'is not a'],
  // A question may begin so; a statement begins with what it is about.
  [/(^|[.;] )(Who|What)\b[^?.]*\.( |$)/, 'a noun as the subject'],
]

const linesOf = (text: string) =>
  text
    .replace(/^ *```[\s\S]*?^ *```/gm, '')
    .split('\n')
    .map((line) => line.replace(/`[^`]*`|\]\([^)]*\)/g, '').replace(/^ *([-*]|\d+\.) /, ''))

/** Cells of tables and headings are often no sentences. */
const isSentence = (line: string) => !/^(#| *\|)/.test(line)

const findRetired = (text: string) =>
  linesOf(text).flatMap((line) =>
    [...retired, ...(isSentence(line) ? retiredInSentences : [])].flatMap(([pattern, instead]) => {
      const found = pattern.exec(line)
      return found === null ? [] : [`"${line.slice(found.index, found.index + 60)}" (write: ${instead})`]
    }),
  )

const codeFolders = [
  'core',
  'api',
  'worker',
  'prisma',
  'local',
  'tools',
  'bench',
  'client',
  'console',
  'deploy',
  '.ci',
  'test',
]

/** Databases have applied the migrations up to this one, so their text cannot change. */
const newestUnreadMigration = '20261126000200'

/** The texts of a folder that are programs or configuration, except generated ones. */
function sourcesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(
      (name) =>
        /\.(ts|tsx|mjs|prisma|sql|ya?ml|tpl|cfg|conf)$|^run$/.test(name) &&
        !name.startsWith('generated') &&
        (!name.startsWith('migrations/') ||
          name.slice('migrations/'.length) > `${newestUnreadMigration}_~`) &&
        name !== 'docs/prose.test.ts',
    )
    .map((name) => `${folder}/${name}`)
}

/** The words that code does without too; as names they do not occur, so the whole text is searched. */
const retiredInCode: typeof retired = [
  ...retired.slice(
    0,
    retired.findIndex(([, instead]) => instead === 'shipment update'),
  ),
  [/\bfor ever\b/i, 'permanently'],
  [/\bas ever\b/i, 'as before'],
  [/\bat once\b/i, 'immediately, or at the same time'],
  [/\bgoe?s? on\b/i, 'continue'],
  [/\bwhichever\b/i, 'any, every'],
]

/** A source as one line: a phrase may begin on one line of a comment and end on the next. */
const inOneLine = (source: string) => source.replace(/\s*\n\s*(\*(?!\/)|\/\/+|--|#(?= ))?\s*/g, ' ')

const findRetiredInCode = (source: string) =>
  retiredInCode.flatMap(([pattern, instead]) => {
    const text = inOneLine(source)
    const found = pattern.exec(text)
    return found === null ? [] : [`"${text.slice(found.index, found.index + 60)}" (write: ${instead})`]
  })

/** A comment begins with a noun: "The rows of …", not "What is stored of …". `## What …` is a Markdown heading. */
const clauseComment = /(?:\/\*\*?|\/\/\/?|--|(?<!#)#|^ *\*) (?:What|Whom?|Whose)\b.*/gm

/** Clauses that stand for a noun inside of a comment: "for who has lost it", "with what is left". */
const clausesInComments: typeof retired = [
  [/[:;] (who|what)\b(?! to\b)/, 'a noun'],
  [/\b(by|for|from|of|than|with) (who|what)\b(?! to\b)/, 'a noun'],
  [/\bwhat (is|was|were) (left|said|wrong|wanted|sent|drawn|won|in it)\b/, 'a noun: the rest, the problem'],
  [/\b(is|was|are|were) what\b/, 'a noun'],
  [/(?<!\b[Tt]here )\b(is|are|was|were) none\b(?! of\b)/, 'is not a …'],
]

/** The comments of a source: blocks, and each run of lines as one. */
function commentsOf(source: string): string[] {
  const found = source.matchAll(/\/\*[\s\S]*?\*\/|(?:^[ \t]*(?:\/\/|--|#) .*\n?)+|(?<=\S) (?:\/\/|--|#) .*/gm)
  return [...found].map(([text]) => inOneLine(`\n${text}`))
}

const findClauseComments = (source: string) => [
  ...[...source.matchAll(clauseComment)].map(
    ([text]) => `"${text.trim().slice(0, 60)}" (write: a noun first)`,
  ),
  ...commentsOf(source).flatMap((text) =>
    clausesInComments.flatMap(([pattern, instead]) => {
      const found = pattern.exec(text)
      return found === null ? [] : [`"${text.slice(found.index, found.index + 60)}" (write: ${instead})`]
    }),
  ),
]

/** A description of a field begins with a noun: "The number of draws", not "How often it was drawn". */
const clauseFirst = /^(Who|What|How (often|many)|(Until|From) when)\b/

/** All descriptions and summaries in a part of the OpenAPI document. */
function descriptionsIn(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'string' && /^(description|summary)$/.test(name) ? [value] : descriptionsIn(value),
  )
}

describe('the prose of the OpenAPI document', () => {
  it('has no retired words, and no description that begins with a clause', () => {
    const descriptions = [...new Set(descriptionsIn(apiDocument))]
    expect(descriptions.length).to.be.greaterThan(400)
    const found = descriptions.flatMap((text) => [
      ...findRetired(text),
      ...(clauseFirst.test(text) ? [`"${text}" (write: a noun first)`] : []),
    ])
    expect(found).to.deep.equal([])
  })
})

describe('the prose of code', () => {
  for (const folder of codeFolders) {
    it(`has no retired words: ${folder}`, () => {
      const found = sourcesOf(folder).flatMap((path) =>
        findRetiredInCode(readDocument(path)).map((problem) => `${path}: ${problem}`),
      )
      expect(found).to.deep.equal([])
    })

    it(`has comments that begin with a noun: ${folder}`, () => {
      const found = sourcesOf(folder).flatMap((path) =>
        findClauseComments(readDocument(path)).map((problem) => `${path}: ${problem}`),
      )
      expect(found).to.deep.equal([])
    })
  }

  it('is searched for comments of every form that begin with a clause', () => {
    const sample = [
      '/** What waits. */',
      '/**',
      ' * Who is in.',
      ' */',
      'f() // Whose it is',
      '// Whatever',
      'What',
      '# What it is',
      "'## What it is'",
    ]
    expect(findClauseComments(sample.join('\n'))).to.have.length(4)
  })

  it('is searched for clauses that stand for a noun inside of comments', () => {
    const sample = [
      '// A new invitation, for who has lost the first.',
      '/**',
      ' * Renders the box, with',
      ' * what is open.',
      ' */',
      'f() // the box: what is left',
      '-- CET is none.',
      '# There is none. It says what to do.',
      'const what = of(who)',
    ]
    expect(findClauseComments(sample.join('\n'))).to.have.length(5)
  })

  it('is searched in migrations, manifests and the script of CI', () => {
    expect(sourcesOf('deploy')).to.include('deploy/proxy/haproxy.cfg')
    expect(sourcesOf('.ci')).to.deep.equal(['.ci/run'])
    expect(sourcesOf('prisma')).to.include('prisma/schema.prisma')
    const unread = readdirSync('prisma/migrations').filter((name) => name <= `${newestUnreadMigration}_~`)
    expect(unread.at(-1)).to.match(new RegExp(`^${newestUnreadMigration}_`))
  })

  it('is searched in comments over several lines, and in messages', () => {
    const sample = ["log.warn('sent anew')", '/**', ' * It failed for', ' * good.', ' */', '// in', '// vain']
    expect(findRetiredInCode(sample.join('\n'))).to.have.length(3)
  })
})

const testFolders = ['test', 'console']

/** The words that titles of tests do without, besides those of documents. */
const retiredInTitles: typeof retired = [
  ...retired,
  [/\bwhichever\b/i, 'any, every'],
  [/^(who|what|which|how)\b/i, 'a noun as the subject'],
  [
    /\bwhat (is(?! wrong with)|are|was|were|ha[sd]|comes?|came|can|cannot|could|may|must|needs?|others?|works|waits)\b/i,
    'a noun',
  ],
  [/\b(by|for|from|of|refuses?|shows?|than|to) (who|what|whom)\b(?! to\b)/i, 'a noun'],
  [/\bnobody\b/i, 'no caller, operator or process'],
  [/\bpeople\b/i, 'operators'],
  [/\bnone of\b/i, 'no'],
  [/(?<!there )\b(is|are) no (?!longer|more|other|later)/i, 'is not a'],
]

/** The titles that a test file gives to its suites and tests, without what is put into them. */
const titlesOf = (source: string) =>
  [...source.matchAll(/\b(?:describe|it)(?:\.\w+)?\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g)].map(
    ([, , title = '']) => title.replace(/\$\{[^}]*\}/g, '').trim(),
  )

const findRetiredInTitle = (title: string) =>
  retiredInTitles.flatMap(([pattern, instead]) =>
    pattern.test(title) ? [`"${title}" (write: ${instead})`] : [],
  )

describe('the titles of tests', () => {
  for (const folder of testFolders) {
    it(`have no retired words: ${folder}`, () => {
      const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.tsx?$/.test(name))
        .map((name) => `${folder}/${name}`)
      const found = paths.flatMap((path) =>
        titlesOf(readDocument(path)).flatMap((title) =>
          findRetiredInTitle(title).map((problem) => `${path}: ${problem}`),
        ),
      )
      expect(found).to.deep.equal([])
    })
  }

  it('are found over lines, in every kind of quotes', () => {
    const sample = [
      "it('sends \u0061new', f)",
      'describe(',
      '  `what is sent ${again}`,',
      ')',
      "expect('anew')",
    ]
    expect(titlesOf(sample.join('\n'))).to.deep.equal(['sends anew', 'what is sent'])
    expect(['sends anew', 'what is sent'].flatMap(findRetiredInTitle)).to.have.length(3)
  })
})

describe('the prose of documents', () => {
  for (const page of pages) {
    it(`has no retired words: ${page}`, () => {
      expect(findRetired(readDocument(page))).to.deep.equal([])
    })
  }

  for (const page of pages.filter(
    (name) => !/^docs\/contribute\/decisions\/\d|^[A-Z]|^(client|bench)\//.test(name),
  )) {
    it(`begins with its reader and what it answers: ${page}`, () => {
      const [title = '', blank, first = ''] = readDocument(page).split('\n')
      expect(title).to.match(/^# \S/)
      expect(blank).to.equal('')
      expect(first).to.match(/^For .+: \S/)
    })
  }

  it('is searched in text, and not in code', () => {
    const sample = [
      'It is sent anew.',
      '`anew` is code.',
      '| anew |',
      '```',
      'anew',
      '```',
      'What it says counts.',
    ]
    expect(findRetired(sample.join('\n'))).to.have.length(3)
  })

  it('may have a noun phrase in a cell that would be a poor sentence', () => {
    expect(findRetired('| What it is |')).to.deep.equal([])
    expect(findRetired('| x | What it says. |')).to.deep.equal([])
  })
})
