import { expect } from 'chai'
import { pino } from 'pino'
import { atEndOfSuite } from '../../support/at-end.ts'
import { delivery } from '../../support/factory.ts'
import type { TestCasino } from '../../support/factory.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'

describe('the request log', function () {
  this.timeout(60_000)
  const atEnd = atEndOfSuite()
  const lines: Record<string, unknown>[] = []
  let service: TestService
  let casino: TestCasino
  let admin: Record<string, string>

  before(async () => {
    const log = pino(
      { level: 'debug', base: null, timestamp: false, formatters: { level: (label) => ({ level: label }) } },
      { write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>) },
    )
    service = await startService({ log })
    atEnd(() => service.stop())
    casino = await service.factory.casino()
    admin = { Authorization: `Bearer ${service.deps.config.adminApiKey}` }
  })
  beforeEach(() => {
    lines.length = 0
  })

  /** The line of the only request since the test began, without what differs each time. */
  const loggedRequest = () => {
    const requests = lines.filter(({ msg }) => msg === 'request')
    expect(requests).to.have.length(1)
    const { durationMs, requestId, ...line } = requests[0] ?? {}
    expect(durationMs).to.be.a('number')
    expect(requestId).to.match(/^req_/)
    return line
  }
  const keyId = () => /^rk_(?:live|test)_([0-9A-Za-z]{16})_/.exec(casino.apiKey)?.[1] ?? ''

  it('says who ordered which prize, and contains no part of the address', async () => {
    const { prizeId } = await service.factory.prize(casino.id, { playerId: 'player-of-the-log' })
    lines.length = 0
    const body = { player_id: 'player-of-the-log', prize_id: prizeId, ...delivery }
    expect((await service.client.post('/prize/order', casino.apiKey, body)).status).to.equal(200)
    expect(loggedRequest()).to.deep.equal({
      level: 'info',
      method: 'POST',
      route: '/prize/order',
      status: 200,
      caller: `key:${keyId()}`,
      prizeId,
      casinoId: casino.id,
      msg: 'request',
    })
    const text = JSON.stringify(lines)
    for (const personal of ['player-of-the-log', ...Object.values(delivery)]) {
      expect(text).not.to.contain(personal)
    }
  })

  it('says who read or changed which object', async () => {
    const { prizeId } = await service.factory.prize(casino.id)
    lines.length = 0
    const path = `/admin/casinos/${casino.id}/prizes/${prizeId}`
    await service.client.send('GET', path, { headers: admin })
    expect(loggedRequest()).to.deep.include({
      method: 'GET',
      route: '/admin/casinos/:casino_id/prizes/:prize_id',
      status: 200,
      caller: 'admin',
      prizeId,
      casinoId: casino.id,
    })
    lines.length = 0
    await service.client.send('PUT', `/admin/casinos/${casino.id}/items/mug`, {
      headers: { ...admin, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Mug', kind: 'physical' }),
    })
    expect(loggedRequest()).to.deep.include({ method: 'PUT', itemId: 'mug', casinoId: casino.id })
  })

  it('has an id that the service has made although the object does not exist', async () => {
    const prizeId = `prz_${'0'.repeat(32)}`
    const body = { player_id: 'p', prize_id: prizeId }
    expect((await service.client.post('/prize/cashback', casino.apiKey, body)).status).to.equal(404)
    expect(loggedRequest()).to.include({ prizeId, errorCode: 'prize_unknown' })
  })

  it('omits text that was sent in place of an id', async () => {
    const sent = ['ann@example.com', 'Ann', casino.apiKey, 'Ann Smith, 12 St James Square', '\u001b[2J']
    for (const id of sent) {
      for (const field of ['box_id', 'prize_id']) {
        const path = field === 'box_id' ? '/box/open' : '/prize/cashback'
        const { status } = await service.client.post(path, casino.apiKey, { player_id: 'p', [field]: id })
        expect(status).to.be.oneOf([400, 404])
        expect(loggedRequest()).not.to.have.any.keys('boxId', 'prizeId')
        expect(JSON.stringify(lines)).not.to.contain(JSON.stringify(id).slice(1, -1))
        lines.length = 0
      }
    }
  })

  it('names no player, even if the path does', async () => {
    const path = `/admin/casinos/${casino.id}/players/player-in-a-path/balance`
    await service.client.send('GET', path, { headers: admin })
    expect(loggedRequest()).to.include({ casinoId: casino.id, status: 200 })
    expect(JSON.stringify(lines)).not.to.contain('player-in-a-path')
  })

  it('names no caller and no object of an unauthenticated request', async () => {
    await service.client.send('GET', `/admin/casinos/${casino.id}/prizes/prz_1`, {
      headers: { Authorization: 'Bearer wrong' },
    })
    expect(loggedRequest()).not.to.have.any.keys('caller', 'casinoId', 'prizeId')
  })

  it('warns once about a proxy that is not configured', async () => {
    for (let count = 0; count < 3; count++) {
      await service.client.send('GET', '/fairness/signing-key', {
        headers: { 'X-Forwarded-For': '203.0.113.9' },
      })
    }
    const warnings = lines.filter(({ level }) => level === 'warn')
    expect(warnings).to.have.length(1)
    expect(warnings[0]?.['msg']).to.contain('TRUST_PROXY')
    expect(JSON.stringify(lines)).not.to.contain('203.0.113.9')
  })

  it('logs probes at debug level', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      await service.client.send('GET', path)
      expect(loggedRequest()).to.include({ level: 'debug', route: path, status: 200 })
      lines.length = 0
    }
  })
})
