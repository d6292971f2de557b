import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { generateAdminKey } from '../../core/casino/api-key.ts'
import { atEndOfSuite } from '../support/at-end.ts'
import type { Reply } from '../support/client.ts'
import { startService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'

describe('the admin key', function () {
  this.timeout(60_000)
  /** As installations have it that are older than its form: any text. */
  const older = randomBytes(24).toString('base64url')
  const other = randomBytes(24).toString('base64url')
  const json = { 'Content-Type': 'application/json' }
  let service: TestService

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService({
      env: { ADMIN_API_KEY: older, TRUST_PROXY: 'true', FAILED_KEYS_PER_MINUTE: '3' },
    })
    atEnd(() => service.stop())
  })

  const shown = ({ status, headers, text }: Reply, sent: string) => [
    status,
    headers.get('X-Error-Code'),
    text.replaceAll(sent, 'SENT').replace(/"(revision":\d+|updated_at":"[^"]*")/g, ''),
  ]
  const bearer = (key: string, address: string) => ({
    Authorization: `Bearer ${key}`,
    'X-Forwarded-For': address,
  })

  it('is detected only in its documented form: an older key without that form is treated like any other text', async () => {
    const casino = await service.factory.casino()
    const manage = await service.factory.apiKey(casino.id, ['play', 'manage'])
    const as = { ...json, Authorization: `Bearer ${manage}` }
    const ask = async (text: string) => [
      shown(await service.client.send('GET', `/boxes?player_id=${text}`, { headers: as }), text),
      shown(await service.client.send('GET', `/nowhere/${text}`), text),
      shown(await service.client.post('/box/open', manage, { player_id: text, box_id: text }), text),
      shown(
        await service.client.send('PUT', `/admin/casinos/${casino.id}/items/item-of-the-test`, {
          headers: as,
          body: JSON.stringify({ name: text, kind: 'bonus', reason: text }),
        }),
        text,
      ),
    ]
    const answers = await ask(older)
    expect(answers.map(([status]) => status)).to.deep.equal([200, 404, 404, 200])
    expect(await ask(other)).to.deep.equal(answers)
    const audited = await service.database.auditEntry.findFirstOrThrow({
      where: { casinoId: casino.id, reason: older },
    })
    expect(audited.reason, 'it is a text like any other').to.equal(older)
  })

  it('is still accepted when it is an older key without that form', async () => {
    const casinos = await service.client.send('GET', '/admin/casinos', { headers: bearer(older, '10.0.0.1') })
    expect(casinos.status).to.equal(200)
  })

  it('can be guessed no more often in URLs than in headers', async () => {
    const address = '10.0.0.2'
    for (let guess = 0; guess < 3; guess++) {
      const reply = await service.client.send('GET', `/healthz?key=${generateAdminKey()}`, {
        headers: { 'X-Forwarded-For': address },
      })
      expect([reply.status, reply.headers.get('X-Error-Code')]).to.deep.equal([401, 'api_key_in_url'])
    }
    const limited = await service.client.send('GET', '/admin/casinos', { headers: bearer(other, address) })
    expect(limited.headers.get('X-Error-Code')).to.equal('api_key_attempts_limited')
  })
})
