import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import pg from 'pg'
import { createTestDatabase } from '../support/environment.ts'
import { readBlocks, readDocument } from './markdown.ts'

const pages = readdirSync('docs/operate')
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/operate/${name}`)
/** Blocks inside of lists are indented. */
const withoutIndents = (page: string) => readDocument(page).replace(/^ {2,3}/gm, '')

/** Messages of others that an operator may see. */
const messagesOfOthers = new Set(['too many connections'])

/** Whether the code has a text: as it is, or as a template with values in it. */
function createIsWritten(): (text: string) => boolean {
  const sources = ['api', 'worker', 'core', 'prisma']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts') && !name.includes('generated'))
        .map((name) => readFileSync(join(folder, name), 'utf8')),
    )
    .join('\n')
  const templates = [...sources.matchAll(/`([^`\n]*\$\{[^`\n]*)`/g)]
    .map(([, template = '']) => template.split(/\$\{[^}]*\}/))
    // One that is made of values alone would match everything.
    .filter((parts) => parts.join('').length > 10)
    .map((parts) => parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.+'))
    .map((pattern) => new RegExp(`^${pattern}$`))
  return (text) => sources.includes(text) || templates.some((template) => template.test(text))
}

describe('docs/operate', () => {
  it('quotes only log lines and messages that the code writes', () => {
    const quoted = pages.flatMap((page) =>
      [
        ...withoutIndents(page)
          .replace(/^```[\s\S]*?^```/gm, '')
          .matchAll(/`([^`\n]+)`/g),
      ]
        .map(([, text = '']) => text.replace(/: run npm run migrate$/, ''))
        .filter((text) => /^[A-Za-z][a-z']*( [A-Za-z',:]+){2,}$/.test(text))
        .filter((text) => !text.startsWith('npm ') && !messagesOfOthers.has(text)),
    )
    expect(quoted.length).to.be.greaterThan(15)
    const isWritten = createIsWritten()
    expect(quoted.filter((text) => !isWritten(text))).to.deep.equal([])
  })

  it('has only queries that the database accepts', async () => {
    const queries = pages.flatMap((page) => readBlocks(withoutIndents(page), 'sql'))
    expect(queries.length).to.be.greaterThan(15)
    const client = new pg.Client({ connectionString: await createTestDatabase() })
    await client.connect()
    try {
      for (const query of queries) await client.query(query)
    } finally {
      await client.end()
    }
  })

  it('has only alerts on metrics that it lists', () => {
    const alerts = withoutIndents('docs/operate/alerts.md').replaceAll(/\b(by|on) \([^)]*\)/g, '')
    const names = [...alerts.matchAll(/`[^`\n]*\(([a-z_]+)[{)[]?[^`\n]*[<>=][^`\n]*`/g)].map(
      (match) => match[1] ?? '',
    )
    expect(names.length).to.be.greaterThan(3)
    const metrics = readDocument('docs/operate/watch.md')
    for (const name of names) expect(metrics).to.contain(`| \`${name.replace(/_count$/, '')}\``)
  })
})
