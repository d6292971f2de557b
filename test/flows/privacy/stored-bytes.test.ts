import { expect } from 'chai'
import { atEndOfSuite } from '../../support/at-end.ts'
import { delivery } from '../../support/factory.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'

describe('bytes in the database', () => {
  let service: TestService
  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
  })

  it('cannot be stored as base64 text, which is how some drivers send byte arrays', async () => {
    const { factory, client, database } = service
    const casino = await factory.casino()
    const { playerId, prizeId } = await factory.prize(casino.id)
    const order = { player_id: playerId, prize_id: prizeId, ...delivery }
    const reply = await client.post('/prize/order', casino.apiKey, order, { 'Idempotency-Key': 'once' })
    expect(reply.status).to.equal(200)

    const changes = {
      idempotency_record_fingerprint_check: database.$executeRaw`
        UPDATE idempotency_record SET fingerprint = convert_to(encode(fingerprint, 'base64'), 'UTF8')`,
      prize_order_delivery_key_check: database.$executeRaw`
        UPDATE prize_order SET delivery_key = convert_to(encode(delivery_key, 'base64'), 'UTF8')`,
    }
    for (const [constraint, change] of Object.entries(changes)) {
      const refusal: unknown = await change.then(
        () => undefined,
        (error: unknown) => error,
      )
      expect(String((refusal as Error).cause)).to.include(constraint)
    }
  })
})
