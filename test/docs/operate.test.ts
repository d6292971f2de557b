import { readdirSync } from 'node:fs'
import { expect } from 'chai'
import pg from 'pg'
import { createTestDatabase } from '../support/environment.ts'
import { readBlocks, readDocument } from './markdown.ts'

const pages = readdirSync('docs/operate').map((name) => `docs/operate/${name}`)
/** Blocks inside of lists are indented. */
const withoutIndents = (page: string) => readDocument(page).replace(/^ {2,3}/gm, '')

describe('docs/operate', () => {
  it('has only queries that the database understands', async () => {
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
    const alerts = withoutIndents('docs/operate/alerts.md')
    const names = [...alerts.matchAll(/`[^`\n]*\(([a-z_]+)[{)[]?[^`\n]*[<>=][^`\n]*`/g)].map(
      (match) => match[1] ?? '',
    )
    expect(names.length).to.be.greaterThan(3)
    const metrics = readDocument('docs/operate/watch.md')
    for (const name of names) expect(metrics).to.contain(`| \`${name.replace(/_count$/, '')}\``)
  })
})
