import { expect } from 'chai'
import { formatApiKey, generateApiKey } from '../../../core/casino/api-key.ts'
import { at, complaintsOf, createOperator, listAt, textAt } from '../../api/admin/operator.ts'
import type { TestOperator } from '../../api/admin/operator.ts'
import { Prisma } from '../../../core/platform/database.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { adminApiKey } from '../../support/config.ts'
import { eventually } from '../../support/eventually.ts'
import { withOtherSecret } from '../../support/factory.ts'
import type { TestCasino } from '../../support/factory.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'

const opening = { player_id: 'p', box_id: 'no-box' }

describe('an API key in use', () => {
  let service: TestService
  let other: TestService
  let casino: TestCasino
  let admin: TestOperator

  const atEnd = atEndOfSuite()
  before(async () => {
    // Two processes on one database; behind two proxies of ours.
    service = await startService({
      env: { TRUST_PROXY: 'true', TRUST_PROXY_HOPS: '2', FAILED_KEYS_PER_MINUTE: '5' },
    })
    atEnd(() => service.stop())
    other = await startService({ env: service.env })
    atEnd(() => other.stop())
    casino = await service.factory.casino()
    admin = createOperator(service.client, adminApiKey)
  })

  /** A request as it comes through two proxies; each has added who called it. */
  const openFrom = (address: string, apiKey: string, forged = '', of = service) =>
    of.client.post('/box/open', apiKey, opening, {
      'X-Forwarded-For': `${forged}${address}, 10.0.0.1`,
    })
  const create = async (input: object) => {
    const reply = await admin.post(`/${casino.id}/api-keys`, input)
    return { keyId: textAt(reply, 'data.key_id'), apiKey: textAt(reply, 'data.api_key'), reply }
  }
  const find = async (keyId: string) =>
    listAt(await admin.get(`/${casino.id}/api-keys?limit=200`)).find(
      (key) => (key as { key_id: string }).key_id === keyId,
    ) as Record<string, unknown>

  describe('the addresses that it works from', () => {
    it('are those that it is bound to, or all if there are none', async () => {
      const { keyId, apiKey, reply } = await create({
        allowed_addresses: ['198.51.100.7', '192.0.2.77/24', '2001:DB8::/32'],
      })
      const normal = ['198.51.100.7/32', '192.0.2.0/24', '2001:db8::/32']
      expect(at(reply, 'data.allowed_addresses')).to.deep.equal(normal)
      expect((await find(keyId))['allowed_addresses']).to.deep.equal(normal)
      for (const inside of [
        '198.51.100.7',
        '192.0.2.1',
        '2001:db8::5',
        '192.0.2.9:4711',
        '[2001:db8::5]:80',
      ]) {
        expect((await openFrom(inside, apiKey)).status, inside).to.equal(404)
      }
      for (const outside of ['198.51.100.8', '2001:db9::1', 'unknown', '']) {
        const refused = await openFrom(outside, apiKey)
        expect(refused.status, outside).to.equal(401)
        expect(refused.headers.get('X-Error-Code')).to.equal('api_key_address_refused')
        expect(refused.json).to.deep.equal({ status: 'error', message: 'Invalid or missing API key' })
      }
      expect((await openFrom('203.0.113.1', casino.apiKey)).status).to.equal(404)
    })

    it('are compared with the connection’s address, not with the caller’s X-Forwarded-For', async () => {
      const { apiKey } = await create({ allowed_addresses: ['198.51.100.7'] })
      const forged = await openFrom('203.0.113.1', apiKey, '198.51.100.7, 198.51.100.7, ')
      expect(forged.headers.get('X-Error-Code')).to.equal('api_key_address_refused')
    })

    it('stay with a key that is rotated, unless a request says otherwise', async () => {
      const { keyId } = await create({ allowed_addresses: ['198.51.100.7'] })
      const path = `/${casino.id}/api-keys/${keyId}/rotate`
      const same = await admin.post(path)
      expect(at(same, 'data.allowed_addresses')).to.deep.equal(['198.51.100.7/32'])
      const moved = await admin.post(path, { allowed_addresses: ['192.0.2.1'] })
      expect(at(moved, 'data.allowed_addresses')).to.deep.equal(['192.0.2.1/32'])
      expect((await openFrom('192.0.2.1', textAt(moved, 'data.api_key'))).status).to.equal(404)
      expect((await openFrom('198.51.100.7', textAt(moved, 'data.api_key'))).status).to.equal(401)
      const free = await admin.post(path, { allowed_addresses: [] })
      expect((await openFrom('203.0.113.1', textAt(free, 'data.api_key'))).status).to.equal(404)
    })

    it('are a list of at most fifty addresses or networks', async () => {
      const cases: [string, unknown][] = [
        ['allowed_addresses', '192.0.2.1'],
        ['allowed_addresses', Array.from({ length: 51 }, (_, n) => `192.0.2.${n}`)],
        ['allowed_addresses.0', ['localhost']],
        ['allowed_addresses.1', ['192.0.2.1', '192.0.2.1/33']],
        ['allowed_addresses.1', ['192.0.2.1', '192.0.2.1/32']],
        ['allowed_addresses.0', [5]],
        ['allowed_addresses.0', [null]],
        ['allowed_addresses.0', ['192.0.2.1\u0000']],
        ['allowed_addresses.0', ['1'.repeat(1_000)]],
      ]
      for (const [name, allowed_addresses] of cases) {
        const reply = await admin.post(`/${casino.id}/api-keys`, { allowed_addresses })
        expect(reply.status, JSON.stringify(allowed_addresses)).to.equal(400)
        expect(complaintsOf(reply)).to.deep.equal([name])
      }
      expect((await admin.post(`/${casino.id}/api-keys`, { allowed_addresses: null })).status).to.equal(201)
    })
  })

  describe('its last use', () => {
    it('is recorded without a write for each request, and never goes back', async () => {
      const { keyId, apiKey } = await create({})
      expect((await find(keyId))['last_used_at']).to.equal(null)
      for (let n = 0; n < 5; n++) await openFrom('192.0.2.1', apiKey)
      expect((await find(keyId))['last_used_at']).to.equal(null)
      await service.deps.keyUsage.flush()
      const usedAt = String((await find(keyId))['last_used_at'])
      expect(Date.now() - Date.parse(usedAt)).to.be.within(0, 60_000)

      const later = new Date(Date.now() + 60_000)
      await service.database.apiKey.update({ where: { id: keyId }, data: { lastUsedAt: later } })
      await openFrom('192.0.2.1', apiKey)
      await service.deps.keyUsage.flush()
      expect((await find(keyId))['last_used_at']).to.equal(later.toISOString())
    })

    it('is that of admitted requests, and is written at the end of a process', async () => {
      const { keyId, apiKey } = await create({ scopes: ['manage'] })
      await openFrom('192.0.2.1', apiKey)
      const third = await startService({ env: service.env })
      await createOperator(third.client, apiKey).get(`/${casino.id}`)
      await service.deps.keyUsage.flush()
      expect((await find(keyId))['last_used_at']).to.equal(null)
      await third.stop()
      expect((await find(keyId))['last_used_at']).to.be.a('string')
    })

    it('is kept in memory while the database cannot store it', async () => {
      const { keyId, apiKey } = await create({})
      await openFrom('192.0.2.1', apiKey)
      const constraint = `ALTER TABLE api_key ADD CONSTRAINT never_used CHECK (last_used_at IS NULL) NOT VALID`
      await service.database.$executeRaw(Prisma.raw(constraint))
      await service.deps.keyUsage.flush()
      await service.database.$executeRaw`ALTER TABLE api_key DROP CONSTRAINT never_used`
      expect((await find(keyId))['last_used_at']).to.equal(null)
      await service.deps.keyUsage.flush()
      expect((await find(keyId))['last_used_at']).to.be.a('string')
    })
  })

  describe('its end', () => {
    it('is known to every process within five seconds', async () => {
      const { keyId, apiKey } = await create({})
      const statuses = async () =>
        (await Promise.all([service, other].map((one) => openFrom('192.0.2.1', apiKey, '', one)))).map(
          ({ status }) => status,
        )
      expect(await statuses()).to.deep.equal([404, 404])
      expect((await admin.delete(`/${casino.id}/api-keys/${keyId}`)).status).to.equal(200)
      await eventually(
        'refused by both',
        async () => (await statuses()).every((status) => status === 401),
        5_000,
      )
    })
  })

  describe('wrong keys', () => {
    const unknown = () => formatApiKey(generateApiKey())
    const guess = async (address: string, apiKey = unknown()) => (await openFrom(address, apiKey)).status

    it('delay their own address, under any claimed name, and no other', async () => {
      const address = '203.0.113.50'
      for (let n = 0; n < 5; n++) expect(await guess(address)).to.equal(401)
      const refused = await openFrom(address, unknown())
      expect(refused.status).to.equal(429)
      expect(refused.headers.get('X-Error-Code')).to.equal('api_key_attempts_limited')
      expect(Number(refused.headers.get('Retry-After'))).to.be.within(1, 60)
      expect(await guess(address, 'nonsense')).to.equal(429)
      expect(await guess('203.0.113.51', casino.apiKey)).to.equal(404)
    })

    it('do not block a valid key, whether or not it has been used from the same address', async () => {
      const address = '203.0.113.60'
      for (let n = 0; n < 8; n++) await guess(address)
      expect(await guess(address)).to.equal(429)
      expect(await guess(address, await service.factory.apiKey(casino.id, ['play']))).to.equal(404)
      expect(await guess(address, withOtherSecret(casino.apiKey)), 'a known id is not enough').to.equal(429)
      expect(await guess(address, casino.apiKey)).to.equal(404)
    })

    it('are counted apart from guesses at the admin key, which are limited for every address', async () => {
      const ask = async (address: string, path: string, apiKey: string) => {
        const { status } = await service.client.send('GET', path, {
          headers: { Authorization: `Bearer ${apiKey}`, 'X-Forwarded-For': `${address}, 10.0.0.1` },
        })
        return status
      }
      const [address, keysAddress] = ['203.0.113.61', '203.0.113.62']
      expect(await ask(address, '/admin/casinos', adminApiKey)).to.equal(200)
      for (let n = 0; n < 5; n++) expect(await ask(address, '/admin/casinos', `guess-${n}`)).to.equal(401)
      for (const path of ['/admin/casinos', '/ops/queues']) {
        expect(await ask(address, path, adminApiKey), path).to.equal(429)
      }
      expect(await guess(address, casino.apiKey)).to.equal(404)
      for (let n = 0; n < 8; n++) await guess(keysAddress)
      expect(await ask(keysAddress, '/admin/casinos', adminApiKey)).to.equal(200)
    })

    it('are counted in every form, but requests without a key are not', async () => {
      const address = '203.0.113.70'
      const send = (Authorization?: string) =>
        service.client.send('POST', '/box/open', {
          headers: {
            'X-Forwarded-For': `${address}, 10.0.0.1`,
            ...(Authorization === undefined ? {} : { Authorization }),
          },
        })
      for (let n = 0; n < 8; n++) expect((await send()).status).to.equal(401)
      for (const header of ['Basic eDp5', 'Bearer', `Bearer ${casino.apiKey} x`, 'nonsense', 'Bearer x']) {
        expect((await send(header)).status, header).to.equal(401)
      }
      expect(await guess(address)).to.equal(429)
    })
  })
})
