import { expect } from 'chai'
import pg from 'pg'
import { createTestDatabase } from '../support/environment.ts'
import { readDocument, readTable } from './markdown.ts'

describe('docs/operate/storage.md', () => {
  it('says of every table how long its rows are kept, once', async () => {
    const client = new pg.Client({ connectionString: await createTestDatabase() })
    await client.connect()
    try {
      const { rows } = await client.query<{ name: string }>(
        `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'`,
      )
      const stated = readTable(readDocument('docs/operate/storage.md'), '### What is kept').flatMap(
        ([tables = '']) => tables.replaceAll('`', '').split(', '),
      )
      expect(stated).to.have.members(rows.map(({ name }) => name))
      expect(new Set(stated).size).to.equal(stated.length)
    } finally {
      await client.end()
    }
  })
})
