import { expect } from 'chai'
import pg from 'pg'
import { createTestDatabase } from '../support/environment.ts'
import { readBlocks, readDocument } from './markdown.ts'

/** Blocks inside of lists are indented. */
const document = readDocument('docs/operations.md').replace(/^ {2,3}/gm, '')

describe('docs/operations.md', () => {
  it('has only queries that the database understands', async () => {
    const queries = readBlocks(document, 'sql')
    expect(queries.length).to.be.greaterThan(2)
    const client = new pg.Client({ connectionString: await createTestDatabase() })
    await client.connect()
    try {
      for (const query of queries) await client.query(query)
    } finally {
      await client.end()
    }
  })

  it('has only alerts on metrics that it lists', () => {
    const names = [...document.matchAll(/`[^`\n]*\(([a-z_]+)[{)[]?[^`\n]*[<>=][^`\n]*`/g)].map(
      (match) => match[1] ?? '',
    )
    expect(names.length).to.be.greaterThan(3)
    for (const name of names) expect(document).to.contain(`| \`${name.replace(/_count$/, '')}\``)
  })
})
