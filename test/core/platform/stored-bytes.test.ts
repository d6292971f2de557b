import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import pg from 'pg'
import { atEndOfSuite } from '../../support/at-end.ts'
import { delivery } from '../../support/factory.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'

const migration = join(
  import.meta.dirname,
  '../../../prisma/migrations/20261122000000_bytes_as_bytes/migration.sql',
)

describe('bytes that an earlier release stored as base64 text', () => {
  let service: TestService
  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
  })

  it('are bytes again after the migration, and nothing else can be stored from there on', async () => {
    const { factory, client, database } = service
    const casino = await factory.casino()
    const { playerId, prizeId } = await factory.prize(casino.id)
    const order = { player_id: playerId, prize_id: prizeId, ...delivery }
    const send = () => client.post('/prize/order', casino.apiKey, order, { 'Idempotency-Key': 'once' })
    const first = await send()
    expect(first.status).to.equal(200)

    await inDatabase(
      'ALTER TABLE idempotency_record DROP CONSTRAINT idempotency_record_fingerprint_check',
      'ALTER TABLE prize_order DROP CONSTRAINT prize_order_delivery_key_check',
      `UPDATE idempotency_record SET fingerprint = convert_to(translate(encode(fingerprint, 'base64'), E'\\n', ''), 'UTF8')`,
      `UPDATE prize_order SET delivery_key = convert_to(translate(encode(delivery_key, 'base64'), E'\\n', ''), 'UTF8'),
              delivery_ciphertext = convert_to(translate(encode(delivery_ciphertext, 'base64'), E'\\n', ''), 'UTF8')`,
    )
    expect((await send()).status).to.equal(422)
    await inDatabase(readFileSync(migration, 'utf8'))

    const again = await send()
    expect([again.status, again.text]).to.deep.equal([200, first.text])
    const stored = await database.prizeOrder.findFirstOrThrow({ where: { prizeId } })
    const read = await client.send('GET', `/admin/casinos/${casino.id}/orders/${stored.id}`, {
      headers: { Authorization: `Bearer ${casino.apiKey}` },
    })
    expect(read.json).to.have.nested.property('data.delivery.recipient_name', delivery.recipient_name)

    const asText = `UPDATE idempotency_record SET fingerprint = convert_to(encode(fingerprint, 'base64'), 'UTF8')`
    const refused: unknown = await inDatabase(asText).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(String(refused)).to.include('idempotency_record_fingerprint_check')
  })

  async function inDatabase(...statements: string[]): Promise<void> {
    const connection = new pg.Client({ connectionString: service.env['DATABASE_URL'] })
    await connection.connect()
    try {
      for (const statement of statements) await connection.query(statement)
    } finally {
      await connection.end()
    }
  }
})
