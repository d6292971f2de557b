import { expect } from 'chai'
import { dropExpiredSecrets } from '../../../core/casino/drop-expired-secrets.ts'
import { loadSettingsOf } from '../../../core/casino/settings.ts'
import { createEnvelopeCipher } from '../../../core/crypto/envelope.ts'
import { signedHeaders, verifySignature } from '../../../core/partner/signature.ts'
import { createHttpWallet } from '../../../core/partner/wallet.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { delivery } from '../../support/factory.ts'
import { startHttpServer } from '../../support/partner-server.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { at, complaintsOf, createOperator, textAt } from '../../api/admin/operator.ts'
import type { TestOperator } from '../../api/admin/operator.ts'

const url = 'https://wallet.example/credit'
const dayMs = 86_400_000
const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`
const [first, second, third] = [secretOf(1), secretOf(2), secretOf(3)]

describe('the secret of a setting during an exchange', () => {
  let service: TestService
  let casinoId: string
  let apiKey: string
  let operator: TestOperator
  let now = new Date()
  let told = 0

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService({ clock: { now: () => now } })
    atEnd(() => service.stop())
  })
  beforeEach(async () => {
    now = new Date()
    const casino = await service.factory.casino()
    casinoId = casino.id
    apiKey = casino.apiKey
    operator = createOperator(service.client, casino.apiKey)
  })

  const later = (ms: number) => new Date(now.getTime() + ms)
  const put = async (body: object, name = 'wallet') => {
    const reply = await operator.put(`/${casinoId}/settings/${name}`, { kind: 'http', url, ...body })
    expect(reply.status, reply.text).to.equal(200)
    return reply
  }
  const secrets = async () => (await loadSettingsOf(service.deps, casinoId)).get('wallet').secrets
  const endsAt = async () =>
    at(await operator.get(`/${casinoId}/settings/wallet`), 'data.previous_secret_expires_at')

  it('works beside the new one for a day, or for the requested time', async () => {
    await put({ secret: first })
    expect(await endsAt()).to.equal(null)
    const made = await put({ new_secret: true })
    const next = textAt(made, 'data.secret')
    expect(at(made, 'data.previous_secret_expires_at')).to.equal(later(dayMs).toISOString())
    expect(await secrets()).to.deep.equal([next, first])
    now = later(dayMs - 1)
    expect(await secrets()).to.deep.equal([next, first])
    now = later(1)
    expect(await secrets()).to.deep.equal([next])

    await put({ secret: second, overlap_seconds: 60 })
    expect(await secrets()).to.deep.equal([second, next])
    now = later(60_000)
    expect(await secrets()).to.deep.equal([second])
  })

  it('ends immediately when it has leaked, with the exchange or after it', async () => {
    await put({ secret: first })
    await put({ secret: second, overlap_seconds: 0 })
    expect(await secrets()).to.deep.equal([second])
    expect(await endsAt()).to.equal(null)

    await put({ secret: third })
    await put({ overlap_seconds: 5 * 86_400 })
    expect(await endsAt()).to.equal(later(dayMs).toISOString())
    await put({ overlap_seconds: 60 })
    expect(await endsAt()).to.equal(later(60_000).toISOString())
    await put({ overlap_seconds: 0 })
    expect(await secrets()).to.deep.equal([third])
  })

  it('is kept as the previous secret when the same change is sent again or another field changes', async () => {
    await put({ secret: first })
    await put({ secret: second })
    await put({ secret: second })
    await put({ timeout_ms: 700 })
    expect(await secrets()).to.deep.equal([second, first])
    await put({ secret: third })
    expect(await secrets()).to.deep.equal([third, second])
  })

  it('is dropped when the URL of the partner changes, unless the request gives an overlap', async () => {
    await put({ secret: first })
    await put({ secret: second, url: `${url}/2` })
    expect(await secrets()).to.deep.equal([second])
    await put({ secret: third, url: `${url}/3`, overlap_seconds: 60 })
    expect(await secrets()).to.deep.equal([third, second])
    await put({ kind: 'ledger' })
    const row = await service.database.casinoSetting.findFirstOrThrow({ where: { casinoId } })
    expect([row.sealedSecret, row.previousSealedSecret, row.previousExpiresAt]).to.deep.equal([
      null,
      null,
      null,
    ])
  })

  it('ends with one new and one previous secret when many requests exchange it at the same time', async () => {
    await put({ secret: first })
    const replies = await Promise.all(Array.from({ length: 6 }, () => put({ new_secret: true })))
    const told = replies.map((reply) => textAt(reply, 'data.secret'))
    const [present, before, ...more] = await secrets()
    expect(more).to.deep.equal([])
    expect(told).to.include(present).and.include(before)
  })

  it('is never shown, and does not open in another row', async () => {
    await put({ secret: first })
    const reply = await put({ secret: second })
    const read = await operator.get(`/${casinoId}/settings`)
    for (const { text } of [reply, read]) expect(text).not.to.include(first.slice(6))
    const other = await service.factory.casino()
    await service.database.$executeRaw`
      INSERT INTO casino_setting (casino_id, name, value, sealed_secret, sealed_key, sealed_key_id,
                                  previous_sealed_secret, previous_sealed_key, previous_sealed_key_id,
                                  previous_expires_at, updated_at)
      SELECT ${other.id}::text, name, value, sealed_secret, sealed_key, sealed_key_id, previous_sealed_secret,
             previous_sealed_key, previous_sealed_key_id, previous_expires_at, updated_at
        FROM casino_setting WHERE casino_id = ${casinoId}::text`
    const key = createOperator(service.client, other.apiKey)
    await key.put(`/${other.id}/settings/wallet`, { kind: 'http', url, secret: third })
    expect((await loadSettingsOf(service.deps, other.id)).get('wallet').secrets).to.deep.equal([third])
  })

  it('does not prevent a new setting when its key is gone', async () => {
    await put({ secret: first })
    await put({ secret: second })
    const lost = createEnvelopeCipher([{ id: 'lost', key: Buffer.alloc(32, 9) }]).seal(
      first,
      `${casinoId}/wallet`,
    )
    await service.database.casinoSetting.updateMany({
      where: { casinoId },
      data: {
        previousSealedSecret: Buffer.from(lost.ciphertext),
        previousSealedKey: Buffer.from(lost.wrappedKey),
        previousSealedKeyId: lost.keyId,
      },
    })
    const settings = await loadSettingsOf(service.deps, casinoId)
    expect(() => settings.get('wallet')).to.throw('cannot be read: save it again')
    await put({})
    expect(await secrets()).to.deep.equal([second])
  })

  it('is removed by a worker when its overlap has ended, and not before', async () => {
    await put({ secret: first })
    await put({ secret: second })
    const isThere = async () =>
      (await service.database.casinoSetting.findFirstOrThrow({ where: { casinoId } }))
        .previousSealedSecret !== null
    await dropExpiredSecrets({ ...service.deps, clock: { now: () => later(dayMs - 1) } })
    expect(await isThere()).to.equal(true)
    await dropExpiredSecrets({ ...service.deps, clock: { now: () => later(dayMs) } })
    expect(await isThere()).to.equal(false)
    expect(await secrets()).to.deep.equal([second])
  })

  it('must have a valid overlap', async () => {
    for (const overlap_seconds of [-1, 1.5, '60', 30 * 86_400 + 1, 1e300, []]) {
      const body = { kind: 'http', url, overlap_seconds }
      const reply = await operator.put(`/${casinoId}/settings/wallet`, body)
      expect([reply.status, complaintsOf(reply)]).to.deep.equal([400, ['overlap_seconds']])
    }
  })

  it('signs requests to a partner beside the new one', async () => {
    const received: { headers: Record<string, string>; body: string }[] = []
    const partner = await startHttpServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const headers = request.headers as Record<string, string>
        received.push({ headers, body: Buffer.concat(chunks).toString() })
        response.end('{}')
      })
    })
    try {
      await put({ url: partner.url, secret: first })
      await put({ url: partner.url, secret: second })
      const probe = await operator.post(`/${casinoId}/settings/wallet/test`)
      expect(at(probe, 'data.ok'), probe.text).to.equal(true)
      const wallet = createHttpWallet(
        { send: service.deps.sendRequest, clock: service.deps.clock },
        { casinoId, url: partner.url, secrets: await secrets(), timeoutMs: 1_000 },
      )
      const money = { amountMinor: 5n, currency: 'EUR' }
      await wallet.ask({
        ...money,
        operation: 'credit',
        transactionId: 'cbk_1',
        cashbackId: 'cbk_1',
        prizeId: 'prz_1',
        playerId: 'ann',
        attempt: 1,
      })
    } finally {
      await partner.stop()
    }
    expect(received).to.have.length(2)
    for (const { headers, body } of received) {
      for (const one of [first, second]) {
        expect(verifySignature([one], headers, body, now).kind).to.equal('valid')
      }
      expect(verifySignature([third], headers, body, now).kind).to.equal('invalid')
    }
  })

  it('is accepted in shipment updates like the new one, until it ends', async () => {
    await put({ secret: first }, 'fulfilment')
    await put({ secret: second, overlap_seconds: 600 }, 'fulfilment')
    const { prizeId, playerId } = await service.factory.prize(casinoId)
    const wish = { player_id: playerId, prize_id: prizeId, ...delivery }
    expect((await service.client.post('/prize/order', apiKey, wish)).status).to.equal(200)
    const { id: orderId } = await service.database.prizeOrder.findFirstOrThrow({ where: { casinoId } })
    const tell = async (secret: string) => {
      const body = JSON.stringify({
        order_id: orderId,
        shipment_number: 1,
        status: 'shipped',
        occurred_at: now.toISOString(),
      })
      const headers = signedHeaders([secret], {
        id: `update-${++told}`,
        sentAt: now,
        body,
      })
      return service.client.send('POST', `/partners/fulfilment/${casinoId}`, {
        headers: { 'Content-Type': 'application/json', ...headers },
        body,
      })
    }
    const statuses = async () => [
      (await tell(first)).status,
      (await tell(second)).status,
      (await tell(third)).status,
    ]
    expect(await statuses()).to.deep.equal([200, 200, 401])
    now = later(600_000)
    expect(await statuses()).to.deep.equal([401, 200, 401])
  })
})
