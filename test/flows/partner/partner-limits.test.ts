import { expect } from 'chai'
import { Webhook } from 'standardwebhooks'
import { createOperator } from '../../api/admin/operator.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import type { Reply } from '../../support/client.ts'
import { delivery } from '../../support/factory.ts'
import type { TestCasino } from '../../support/factory.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'

const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`
const wrongSecret = `whsec_${Buffer.alloc(32, 6).toString('base64')}`
/** An update of an unknown order: a valid signature is answered with `order_unknown`. */
const update = JSON.stringify({
  order_id: `ord_${'0'.repeat(32)}`,
  shipment_number: 1,
  status: 'shipped',
  occurred_at: '2026-11-20T09:30:00Z',
})

describe('notifications from partners', () => {
  let service: TestService
  let casino: TestCasino
  let addresses = 0
  /** Each test has a network address of its own. */
  let address: string
  let nowMs = Date.now()

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService({
      nowMs: () => nowMs,
      clock: { now: () => new Date(nowMs) },
      env: { TRUST_PROXY: 'true', FAILED_KEYS_PER_MINUTE: '3', RATE_LIMITS: 'partners=0.02/5' },
    })
    atEnd(() => service.stop())
  })
  beforeEach(async () => {
    address = `192.0.2.${++addresses}`
    casino = await withProvider()
  })

  const withProvider = async () => {
    const made = await service.factory.casino()
    const setting = { kind: 'http', url: 'https://provider.example/', secret }
    const operator = createOperator(service.client, made.apiKey)
    expect((await operator.put(`/${made.id}/settings/fulfilment`, setting)).status).to.equal(200)
    return made
  }
  const tell = ({ about = casino.id, from = address, signedWith = secret, body = update } = {}) => {
    const id = 'update-1'
    const at = new Date(nowMs)
    return service.client.send('POST', `/partners/fulfilment/${about}`, {
      headers: {
        'Content-Type': 'application/json',
        'X-Forwarded-For': from,
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(nowMs / 1000)),
        'webhook-signature': new Webhook(signedWith).sign(id, at, body),
      },
      body,
    })
  }
  const outcome = (reply: Reply) => `${reply.status} ${reply.headers.get('X-Error-Code') ?? ''}`
  const fail = async (times: number, options: Parameters<typeof tell>[0] = {}) => {
    for (let n = 0; n < times; n++) {
      expect(outcome(await tell({ ...options, signedWith: wrongSecret }))).to.equal('401 signature_invalid')
    }
  }

  it('are limited for each address and casino, and answered with the state of the limit', async () => {
    const first = await tell()
    expect(outcome(first)).to.equal('404 order_unknown')
    expect(first.headers.get('RateLimit-Policy')).to.equal('"partners";q=5;w=250')
    expect(first.headers.get('RateLimit')).to.equal('"partners";r=4;t=50')
    for (let n = 0; n < 4; n++) expect((await tell()).status).to.equal(404)
    const refused = await tell()
    expect(outcome(refused)).to.equal('429 rate_limited')
    expect(Number(refused.headers.get('Retry-After'))).to.be.within(48, 50)
    expect(refused.headers.get('RateLimit')).to.match(/^"partners";r=0;t=2[45]\d$/)
    expect((await tell({ from: '198.51.100.1' })).status).to.equal(404)
    expect((await tell({ about: (await withProvider()).id })).status).to.equal(404)
  })

  it('are refused before their body is read', async () => {
    for (let n = 0; n < 5; n++) await tell()
    expect(outcome(await tell({ body: 'x'.repeat(70_000) }))).to.equal('429 rate_limited')
  })

  it('are refused unread after too many wrong signatures, even about different casinos', async () => {
    await fail(1)
    await fail(1, { about: 'no-such-casino' })
    await fail(1, { about: 'x'.repeat(2_000) })
    const refused = await tell()
    expect(outcome(refused)).to.equal('429 signature_attempts_limited')
    expect(Number(refused.headers.get('Retry-After'))).to.be.within(1, 60)
    expect(outcome(await tell({ from: '198.51.100.2' }))).to.equal('404 order_unknown')
    nowMs += 60_000
    expect(outcome(await tell())).to.equal('404 order_unknown')
  })

  it('are still accepted from an address that has signed correctly before, and beside keys', async () => {
    const { prizeId } = await service.factory.prize(casino.id, { playerId: 'ann' })
    const order = { player_id: 'ann', prize_id: prizeId, ...delivery }
    expect((await service.client.post('/prize/order', casino.apiKey, order)).status).to.equal(200)
    const { id: orderId } = await service.database.prizeOrder.findFirstOrThrow({ where: { prizeId } })
    const known = update.replace(/ord_0+/, orderId)
    expect(outcome(await tell({ body: known }))).to.equal('200 ')
    await fail(3)
    expect(outcome(await tell({ body: known }))).to.equal('200 ')
    const elsewhere = await withProvider()
    expect(outcome(await tell({ about: elsewhere.id }))).to.equal('429 signature_attempts_limited')
    const open = await service.client.post('/box/open', casino.apiKey, {}, { 'X-Forwarded-For': address })
    expect(outcome(open)).to.equal('400 parameters_invalid')
  })
})
