import { expect } from 'chai'
import { createPauseSetting } from '../../../core/casino/pause-setting.ts'
import { loadSettingsOf } from '../../../core/casino/settings.ts'
import { noAnswerDetail } from '../../../core/partner/probe.ts'
import { createLogger } from '../../../core/platform/logger.ts'
import { verifySignature } from '../../../core/partner/signature.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { startHttpServer } from '../../support/partner-server.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { at, complaintsOf, createOperator, fieldOf, listAt, textAt } from './operator.ts'
import type { TestOperator } from './operator.ts'

const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`
const url = 'https://wallet.example/credit'

describe('settings', () => {
  let service: TestService
  let casinoId: string
  let operator: TestOperator

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
  })
  beforeEach(async () => {
    const casino = await service.factory.casino()
    casinoId = casino.id
    operator = createOperator(service.client, casino.apiKey)
  })

  const path = (name: string, action = '') => `/${casinoId}/settings/${name}${action}`
  const stored = () => loadSettingsOf(service.deps, casinoId)
  const pause = async (reason: string) => {
    const { database, clock } = service.deps
    const run = createPauseSetting({ database, clock, log: createLogger('test', 'silent') })
    return run(casinoId, 'wallet', (await stored()).get('wallet'), reason)
  }
  const historyOf = async (name: string) => {
    const events = await service.database.event.findMany({
      where: { casinoId, objectType: 'setting', objectId: name },
      orderBy: { sequence: 'asc' },
    })
    return events.map((event) => [event.sequence, event.type, event.fromState, event.toState])
  }

  it('shows the defaults of a casino that has saved no settings', async () => {
    const reply = await operator.get(`/${casinoId}/settings`)
    expect(fieldOf(listAt(reply), 'name')).to.deep.equal([
      'wallet',
      'fulfilment',
      'reminders',
      'expiry',
      'privacy',
      'approvals',
      'limits',
      'quotas',
    ])
    expect(fieldOf(listAt(reply), 'value')).to.deep.equal([
      { kind: 'ledger' },
      { kind: 'manual' },
      { after_hours: [24, 72, 168] },
      { warn_days: 3 },
      { delivery_retention_days: 90 },
      { limits: [] },
      {},
      {},
    ])
    expect(at(await operator.get(path('wallet')), 'data')).to.deep.equal(at(reply, 'data.0'))
  })

  it('stores a casino’s settings, which only that casino sees and which apply to its work', async () => {
    const values = {
      wallet: { kind: 'http', url, timeout_ms: 700 },
      fulfilment: { kind: 'http', url: 'http://127.0.0.1:9/x', timeout_ms: 5_000, poll_minutes: 60 },
      reminders: { after_hours: [] },
      expiry: { warn_days: 0 },
    }
    for (const [name, value] of Object.entries(values)) {
      const reply = await operator.put(path(name), value)
      expect(reply.status, reply.text).to.equal(200)
      expect(at(reply, 'data.value')).to.deep.equal(value)
      expect(at(await operator.get(path(name)), 'data.value')).to.deep.equal(value)
    }
    const settings = await stored()
    expect(settings.get('wallet').value).to.deep.equal({ kind: 'http', url, timeoutMs: 700 })
    expect(settings.get('fulfilment').value).to.deep.include({ timeoutMs: 5_000, pollMinutes: 60 })
    expect(settings.get('reminders').value).to.deep.equal({ afterHours: [] })
    expect(settings.get('expiry').value).to.deep.equal({ warnDays: 0 })
  })

  it('omits fields that only an external partner would need', async () => {
    const reply = await operator.put(path('wallet'), {
      kind: 'ledger',
      url: 5,
      timeout_ms: 'x',
      secret,
      more: 1,
    })
    expect(at(reply, 'data')).to.deep.include({ value: { kind: 'ledger' }, secret_set: false })
  })

  it('creates a secret, shows it once, and keeps it until a change is requested', async () => {
    const made = await operator.put(path('wallet'), { kind: 'http', url })
    const first = textAt(made, 'data.secret')
    expect(first).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(at(made, 'data.secret_set')).to.equal(true)
    expect((await stored()).get('wallet').secrets[0]).to.equal(first)

    const kept = await operator.put(path('wallet'), { kind: 'http', url: `${url}/2` })
    const read = await operator.get(path('wallet'))
    for (const reply of [kept, read]) {
      expect(at(reply, 'data.secret')).to.equal(undefined)
      expect(at(reply, 'data.secret_set')).to.equal(true)
      expect(reply.text).not.to.include(first.slice(6))
    }
    expect((await stored()).get('wallet').secrets[0]).to.equal(first)

    const next = textAt(
      await operator.put(path('wallet'), { kind: 'http', url, new_secret: true }),
      'data.secret',
    )
    expect(next).not.to.equal(first)
    expect((await stored()).get('wallet').secrets[0]).to.equal(next)

    const given = await operator.put(path('wallet'), { kind: 'http', url, secret })
    expect(given.text).not.to.include(secret.slice(6))
    expect((await stored()).get('wallet').secrets[0]).to.equal(secret)

    await operator.put(path('wallet'), { kind: 'ledger' })
    const row = await service.database.casinoSetting.findFirstOrThrow({ where: { casinoId } })
    expect([row.sealedSecret, row.sealedKey, row.sealedKeyId]).to.deep.equal([null, null, null])
  })

  it('stores secrets encrypted and bound to their casino', async () => {
    await operator.put(path('wallet'), { kind: 'http', url, secret })
    const rows = await service.database.$queryRaw<{ row: string }[]>`
      SELECT casino_setting::text AS row FROM casino_setting WHERE casino_id = ${casinoId}::text`
    const bytes = Buffer.from(secret.slice(6), 'base64').toString('hex')
    expect(rows[0]?.row).to.not.include(secret.slice(6)).and.not.include(bytes)
    const other = await service.factory.casino()
    await service.database.$executeRaw`
      INSERT INTO casino_setting (casino_id, name, value, sealed_secret, sealed_key, sealed_key_id, updated_at)
      SELECT ${other.id}::text, name, value, sealed_secret, sealed_key, sealed_key_id, updated_at
        FROM casino_setting WHERE casino_id = ${casinoId}::text`
    const moved = await loadSettingsOf(service.deps, other.id)
    expect(() => moved.get('wallet')).to.throw('cannot be read')
  })

  it('ends with one secret when two requests create one at the same time', async () => {
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => operator.put(path('wallet'), { kind: 'http', url })),
    )
    const told = replies.map((reply) => at(reply, 'data.secret')).filter((text) => text !== undefined)
    expect(told).to.deep.equal([(await stored()).get('wallet').secrets[0]])
    expect((await historyOf('wallet')).map(([sequence]) => sequence)).to.deep.equal([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
    ])
  })

  it('names every field of a setting that is invalid', async () => {
    const bad: [string, object, string[]][] = [
      ['wallet', {}, ['kind']],
      ['wallet', { kind: 'bank' }, ['kind']],
      ['wallet', { kind: 'http' }, ['url']],
      ['wallet', { kind: 'http', url: null }, ['url']],
      ['wallet', { kind: 'http', url: 'ftp://x.example' }, ['url']],
      ['wallet', { kind: 'http', url: 'https://a:b@x.example' }, ['url']],
      ['wallet', { kind: 'http', url: `https://x.example/${'a'.repeat(3_000)}` }, ['url']],
      ['wallet', { kind: 'http', url: 'https://x.example/\0' }, ['url']],
      ['wallet', { kind: 'http', url: 'https://x.example/\ud800' }, ['url']],
      ['wallet', { kind: 'http', url, timeout_ms: 499 }, ['timeout_ms']],
      ['wallet', { kind: 'http', url, timeout_ms: 30_001 }, ['timeout_ms']],
      ['wallet', { kind: 'http', url, timeout_ms: '700' }, ['timeout_ms']],
      ['wallet', { kind: 'http', url, timeout_ms: 1e300 }, ['timeout_ms']],
      ['wallet', { kind: 'http', url, secret: 'whsec_short' }, ['secret']],
      ['wallet', { kind: 'http', url, secret: `whsec_${Buffer.alloc(65).toString('base64')}` }, ['secret']],
      ['wallet', { kind: 'http', url, secret: 5 }, ['secret']],
      ['wallet', { kind: 'http', url, secret, new_secret: true }, ['new_secret']],
      ['wallet', { kind: 'http', url, new_secret: 'yes' }, ['new_secret']],
      ['fulfilment', { kind: 'ledger' }, ['kind']],
      ['fulfilment', { kind: 'http', url, poll_minutes: 0 }, ['poll_minutes']],
      ['reminders', {}, ['after_hours']],
      ['reminders', { after_hours: '[1]' }, ['after_hours']],
      ['reminders', { after_hours: [2, 1] }, ['after_hours']],
      ['reminders', { after_hours: [1, 1] }, ['after_hours']],
      ['reminders', { after_hours: [0] }, ['after_hours.0']],
      ['reminders', { after_hours: [1, 'x'] }, ['after_hours.1']],
      ['reminders', { after_hours: Array.from({ length: 9_000 }, () => 'x') }, ['after_hours']],
      ['expiry', {}, ['warn_days']],
      ['expiry', { warn_days: 61 }, ['warn_days']],
      ['expiry', { warn_days: 1.5 }, ['warn_days']],
      ['expiry', { warn_days: [3] }, ['warn_days']],
    ]
    for (const [name, body, complaints] of bad) {
      const reply = await operator.put(path(name), body)
      expect([reply.status, complaintsOf(reply)], JSON.stringify(body).slice(0, 80)).to.deep.equal([
        400,
        complaints,
      ])
      expect(reply.text).not.to.include('a:b').and.not.include(secret.slice(6))
    }
    expect(await service.database.casinoSetting.count({ where: { casinoId } })).to.equal(0)
    for (const name of ['webhooks', '__proto__', 'constructor', '%00']) {
      for (const reply of [
        await operator.get(path(name)),
        await operator.put(path(name), {}),
        await operator.post(path(name, '/test')),
      ]) {
        expect(reply.status, name).to.be.oneOf([400, 404])
      }
    }
  })

  it('does not change other casinos’ settings', async () => {
    const other = await service.factory.casino()
    for (const reply of [
      await operator.get(`/${other.id}/settings`),
      await operator.put(`/${other.id}/settings/expiry`, { warn_days: 1 }),
      await operator.post(`/${other.id}/settings/wallet/test`),
      await operator.post(`/${other.id}/settings/wallet/resume`),
    ]) {
      expect([reply.status, reply.headers.get('X-Error-Code')]).to.deep.equal([404, 'casino_unknown'])
    }
  })

  it('records every change in the history, without gaps', async () => {
    await operator.put(path('wallet'), { kind: 'http', url })
    await pause('answered_401')
    await operator.put(path('wallet'), { kind: 'http', url })
    await pause('answered_403')
    await operator.post(path('wallet', '/resume'))
    await operator.post(path('wallet', '/resume'))
    expect(await historyOf('wallet')).to.deep.equal([
      [1, 'wallet.changed', null, 'active'],
      [2, 'wallet.paused', 'active', 'paused'],
      [3, 'wallet.changed', 'paused', 'active'],
      [4, 'wallet.paused', 'active', 'paused'],
      [5, 'wallet.resumed', 'paused', 'active'],
    ])
  })

  it('pauses the setting that was refused, and not the one that has replaced it', async () => {
    await operator.put(path('wallet'), { kind: 'http', url })
    const { database, clock } = service.deps
    const run = createPauseSetting({ database, clock, log: createLogger('test', 'silent') })
    const seen = (await stored()).get('wallet')
    const paused = await Promise.all(
      Array.from({ length: 5 }, () => run(casinoId, 'wallet', seen, 'answered_401')),
    )
    expect(paused.filter(Boolean)).to.have.length(1)
    expect((await stored()).get('wallet').isPaused).to.equal(true)
    expect(at(await operator.get(path('wallet')), 'data.paused_reason')).to.equal('answered_401')
    const metrics = await service.client.send('GET', '/metrics')
    expect(metrics.text).to.match(/^rewards_settings_paused\{setting="wallet"\} [1-9]/m)
    expect(metrics.text).to.match(/^rewards_settings_paused\{setting="fulfilment"\} 0$/m)

    const resumed = await operator.post(path('wallet', '/resume'))
    expect(at(resumed, 'data.paused_at')).to.equal(null)
    expect(await run(casinoId, 'wallet', seen, 'answered_401')).to.equal(false)
    expect((await stored()).get('wallet').isPaused).to.equal(false)
  })

  it('reports a setting that cannot be read beside the others', async () => {
    await operator.put(path('expiry'), { warn_days: 1 })
    await operator.put(path('wallet'), { kind: 'http', url })
    await service.database.$executeRaw`
      UPDATE casino_setting SET value = '{"kind":"carrier pigeon"}' WHERE casino_id = ${casinoId}::text AND name = 'wallet'`
    const settings = await stored()
    expect(() => settings.get('wallet')).to.throw('The setting wallet cannot be read: save it again')
    expect(settings.get('expiry').value).to.deep.equal({ warnDays: 1 })
    expect((await operator.get(path('wallet'))).status).to.equal(200)
    const tested = await operator.post(path('wallet', '/test'))
    expect([tested.status, tested.headers.get('X-Error-Code')]).to.deep.equal([409, 'setting_unreadable'])
    await operator.put(path('wallet'), { kind: 'ledger' })
    expect((await stored()).get('wallet').value).to.deep.equal({ kind: 'ledger' })
  })

  describe('a test of a setting', () => {
    it('calls the partner with a signed request, before it is saved and after', async () => {
      const calls: { headers: Record<string, string>; body: string }[] = []
      let status = 204
      const partner = await startHttpServer((request, response) => {
        const chunks: Buffer[] = []
        request.on('data', (chunk: Buffer) => chunks.push(chunk))
        request.on('end', () => {
          calls.push({
            headers: request.headers as Record<string, string>,
            body: Buffer.concat(chunks).toString(),
          })
          response.writeHead(status).end('words of the partner')
        })
      })
      try {
        const draft = { kind: 'http', url: partner.url, secret }
        for (const body of [draft, undefined, {}, { kind: 'http', url: partner.url }]) {
          const reply = await operator.post(path('wallet', '/test'), body)
          if (body === draft) await operator.put(path('wallet'), draft)
          expect(reply.json, reply.text).to.deep.equal({
            status: 'success',
            data: { ok: true, detail: 'The partner answered 204' },
          })
        }
        expect(calls).to.have.length(4)
        for (const { headers, body } of calls) {
          expect(JSON.parse(body)).to.deep.equal({ type: 'ping' })
          expect(verifySignature([secret], headers, body, new Date()).kind).to.equal('valid')
        }
        status = 401
        const refused = await operator.post(path('wallet', '/test'))
        expect(at(refused, 'data')).to.deep.equal({ ok: false, detail: 'The partner answered 401' })
        expect(refused.text).not.to.include('words')
      } finally {
        await partner.stop()
      }
      const away = await operator.post(path('wallet', '/test'))
      expect(at(away, 'data')).to.deep.equal({ ok: false, detail: noAnswerDetail })
    })

    it('calls a casino’s partners twice at a time at most, and is refused beyond that', async () => {
      const partner = await startHttpServer(() => undefined)
      try {
        const draft = { kind: 'http', url: partner.url, secret, timeout_ms: 1_500 }
        const replies = await Promise.all(
          Array.from({ length: 20 }, () => operator.post(path('wallet', '/test'), draft)),
        )
        const codes = replies.map((reply) => reply.headers.get('X-Error-Code'))
        expect(codes.filter((code) => code === 'overloaded')).to.have.length(18)
        const details = replies.map((reply) => at(reply, 'data.detail'))
        expect(details.filter((detail) => detail === noAnswerDetail)).to.have.length(2)
        expect((await operator.post(path('expiry', '/test'))).status).to.equal(200)
      } finally {
        await partner.stop()
      }
    })

    it('succeeds without a call where the service does the work itself', async () => {
      for (const name of ['wallet', 'fulfilment', 'reminders', 'expiry']) {
        expect(at(await operator.post(path(name, '/test')), 'data.ok'), name).to.equal(true)
      }
    })

    it('validates drafts like settings, and requires a secret', async () => {
      const bad = await operator.post(path('wallet', '/test'), { kind: 'http', url: 'nothing', secret })
      expect([bad.status, complaintsOf(bad)]).to.deep.equal([400, ['url']])
      const without = await operator.post(path('wallet', '/test'), { kind: 'http', url })
      expect([without.status, complaintsOf(without)]).to.deep.equal([400, ['secret']])
    })
  })
})

describe('settings where private addresses must not be called', () => {
  let service: TestService
  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService({ env: { OUTBOUND_ALLOW_PRIVATE: 'false' } })
    atEnd(() => service.stop())
  })

  it('must have https URLs, and the service calls no partner in a private network', async () => {
    const { id, apiKey } = await service.factory.casino()
    const operator = createOperator(service.client, apiKey)
    const plain = await operator.put(`/${id}/settings/wallet`, { kind: 'http', url: 'http://wallet.example' })
    expect(at(plain, 'errors.url.0')).to.deep.equal({ error: 'url', message: 'url must start with https://' })
    const partner = await startHttpServer((_, response) => response.end('secret'))
    try {
      for (const host of ['localhost', '127.0.0.1', '[::ffff:127.0.0.1]', '0x7f.1', '169.254.169.254']) {
        const draft = { kind: 'http', url: `https://${host}:${partner.port}/`, secret }
        for (const reply of [
          await operator.post(`/${id}/settings/wallet/test`, draft),
          await operator.put(`/${id}/settings/wallet`, draft),
          await operator.put(`/${id}/settings/fulfilment`, draft),
        ]) {
          expect(reply.status, host).to.equal(400)
          expect(textAt(reply, 'errors.url.0.message'), host).to.include('must be a public internet address')
        }
      }
      expect(partner.countConnections()).to.equal(0)
    } finally {
      await partner.stop()
    }
  })
})
