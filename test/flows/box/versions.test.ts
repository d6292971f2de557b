import { expect } from 'chai'
import pg from 'pg'
import { atEndOfSuite } from '../../support/at-end.ts'
import { adminApiKey } from '../../support/config.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'

describe('versions of a box', () => {
  let service: TestService
  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
  })

  const publish = async (casinoId: string, weights: number[], itemId: string) => {
    const reply = await service.client.send('PUT', `/admin/casinos/${casinoId}/boxes/gold`, {
      headers: { Authorization: `Bearer ${adminApiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        name: 'Gold',
        access: 'limited',
        limit: { count: 9, period: 'day' },
        entries: weights.map((weight) => ({ item_id: itemId, weight })),
      }),
    })
    return (reply.json as { data: { version: number; odds_hash: string } }).data
  }

  it('have the hash of their odds, which every opening records and answers', async () => {
    const casino = await service.factory.casino()
    const itemId = await service.factory.item(casino.id)
    const [first, second, third] = [
      await publish(casino.id, [1, 2], itemId),
      await publish(casino.id, [2, 1], itemId),
      await publish(casino.id, [1, 2], itemId),
    ]
    expect(first.odds_hash).to.match(/^[0-9a-f]{64}$/)
    expect(second.odds_hash).not.to.equal(first.odds_hash)
    expect(third).to.deep.include({ version: 3, odds_hash: first.odds_hash })
    const reply = await service.client.post('/box/open', casino.apiKey, { player_id: 'p', box_id: 'gold' })
    const { opening } = reply.json as { opening: { id: string } }
    expect(opening).to.include({ box_version: 3, odds_hash: third.odds_hash })
    const recorded = await service.database.opening.findUniqueOrThrow({ where: { id: opening.id } })
    expect(recorded).to.include({ version: 3, oddsHash: third.odds_hash })
  })

  for (const table of [
    'opening',
    'box_version',
    'box_entry',
    'event',
    'ledger_entry',
    'ledger_transaction',
  ]) {
    it(`cannot be rewritten: the database refuses to change or delete rows of ${table}`, async () => {
      const client = new pg.Client({ connectionString: service.env['DATABASE_URL'] })
      await client.connect()
      try {
        for (const sql of [
          `UPDATE ${table} SET casino_id = 'x'`,
          `DELETE FROM ${table}`,
          `TRUNCATE ${table} CASCADE`,
        ]) {
          const refused = await client.query(sql).catch((error: unknown) => error)
          expect(refused, sql).to.have.property('code', '23001')
        }
      } finally {
        await client.end()
      }
    })
  }
})
