import { expect } from 'chai'
import pg from 'pg'
import { createTestDatabase } from './environment.ts'
import { delivery } from './factory.ts'
import { findLeaks } from './personal-data.ts'

describe('the search for personal data at the end of a run', () => {
  for (const [kind, value] of [
    ['text', `to ${delivery.street}, please`],
    ['jsonb', JSON.stringify({ of: [delivery.recipient_name] })],
    ['bytea', Buffer.from(`notes: ${delivery.additional_notes}`)],
  ] as const) {
    it(`finds it in a column of ${kind}`, async () => {
      const url = await createTestDatabase()
      const database = new pg.Client({ connectionString: url })
      await database.connect()
      try {
        await database.query(`CREATE TABLE planted (held ${kind})`)
        expect(await findLeaks([url])).to.deep.equal([])
        await database.query('INSERT INTO planted VALUES ($1)', [value])
        expect((await findLeaks([url])).join()).to.contain('planted')
      } finally {
        // Or this run would fail for it.
        await database.query('DROP TABLE planted')
        await database.end()
      }
    })
  }
})
