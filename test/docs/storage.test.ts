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

  it('says how each table is vacuumed, as the migrations have set it', async () => {
    const client = new pg.Client({ connectionString: await createTestDatabase() })
    await client.connect()
    try {
      const { rows } = await client.query<{ name: string; options: string[] }>(
        `SELECT relname AS name, reloptions AS options FROM pg_class
          WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND reloptions IS NOT NULL`,
      )
      const listOf = (cell: string) => cell.replaceAll('`', '').split(', ')
      const stated = readTable(readDocument('docs/operate/storage.md'), '### Vacuum').flatMap(
        ([tables = '', settings = '']) =>
          listOf(tables).map((name) => ({ name, options: listOf(settings.replaceAll(' = ', '=')).sort() })),
      )
      expect(stated).to.have.deep.members(
        rows.map(({ name, options }) => ({ name, options: options.sort() })),
      )
    } finally {
      await client.end()
    }
  })
})
