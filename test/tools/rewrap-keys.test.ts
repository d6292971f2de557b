import { expect } from 'chai'
import { createEnvelopeCipher } from '../../core/crypto/envelope.ts'
import { readConfig } from '../../core/platform/config.ts'
import { rewrapKeys } from '../../core/privacy/rewrap-keys.ts'
import { atEndOfSuite } from '../support/at-end.ts'
import { delivery } from '../support/factory.ts'
import type { TestCasino } from '../support/factory.ts'
import { at, createOperator, textAt } from '../api/admin/operator.ts'
import type { TestOperator } from '../api/admin/operator.ts'
import { logIn } from '../support/ops.ts'
import { startService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'
import { runTool } from './run-tool.ts'

const newKey = `new:${Buffer.alloc(32, 9).toString('base64')}`

describe('npm run keys:rewrap', function () {
  this.timeout(60_000)
  let service: TestService
  let casino: TestCasino
  let operator: TestOperator
  let env: Record<string, string>
  let orderId: string
  let notedPrizeId: string

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    casino = await service.factory.casino()
    operator = createOperator(service.client, casino.apiKey)
    const { prizeId } = await service.factory.prize(casino.id, { playerId: 'ann' })
    const body = { player_id: 'ann', prize_id: prizeId, ...delivery }
    await service.client.post('/prize/order', casino.apiKey, body)
    orderId = textAt(await operator.get(`/${casino.id}/prizes/${prizeId}`), 'data.orders.0.order_id')
    const noted = await operator.post(`/${casino.id}/prizes/${prizeId}/notes`, { text: 'She called' })
    expect(noted.status).to.equal(201)
    notedPrizeId = prizeId
    const url = 'http://127.0.0.1:9/'
    for (const new_secret of [false, true]) {
      const wallet = { kind: 'http', url, new_secret }
      expect((await operator.put(`/${casino.id}/settings/wallet`, wallet)).status).to.equal(200)
    }
    expect((await operator.put(`/${casino.id}/webhook-endpoints/main`, { url })).status).to.be.within(
      200,
      201,
    )
    await service.client.send('GET', '/fairness/seeds', {
      headers: { Authorization: `Bearer ${casino.apiKey}` },
    })
    const session = await logIn(service)
    const begun = await service.client.send('PUT', '/admin/session/second-factor', { headers: session })
    expect(begun.status).to.equal(200)
    env = { ...service.env, ENCRYPTION_KEYS: `${newKey},${service.env['ENCRYPTION_KEYS'] ?? ''}` }
  })

  it('lists the uses of each key', async () => {
    const run = await runTool('tools/rewrap-keys.ts', ['--list'], env)
    expect(run).to.include({ code: 0 })
    expect(run.stdout.trim().split('\n').sort()).to.deep.equal([
      'test: 1 delivery details',
      'test: 1 notes',
      'test: 1 previous secrets of settings',
      'test: 1 second factors of operators',
      'test: 1 secrets of settings',
      'test: 1 webhook secrets',
      'test: 2 server seeds',
    ])
  })

  it('continues after an interruption', async () => {
    const cipher = createEnvelopeCipher(readConfig(env).encryptionKeys)
    const { database } = service
    const interrupted = rewrapKeys(
      { database, cipher },
      {
        onProgress: ({ kind, done }) => {
          if (kind === 'server seeds' && done === 0) throw new Error('interrupted')
        },
        onUnopened: () => undefined,
      },
    )
    expect(await interrupted.then(undefined, (error: unknown) => String(error))).to.include('interrupted')
    const run = await runTool('tools/rewrap-keys.ts', [], env)
    expect(run).to.include({ code: 0 })
    expect(run.stdout).to.include('6 data keys rewrapped')
    expect(run.stdout).not.to.include('test:')
    const entries = await database.auditEntry.findMany({
      where: { action: 'keys:rewrap' },
      orderBy: { id: 'asc' },
    })
    expect(entries.map(({ actor, outcome }) => `${actor} ${outcome}`)).to.deep.equal([
      'cli requested',
      'cli 6 rewrapped, 0 not opened',
    ])
    expect(new Set(entries.map(({ requestId }) => requestId)).size).to.equal(1)
  })

  it('leaves a service that does not need the old key', async () => {
    const withNewKey = await startService({ env: { ...service.env, ENCRYPTION_KEYS: newKey } })
    try {
      const reader = createOperator(withNewKey.client, casino.apiKey)
      const read = await reader.get(`/${casino.id}/orders/${orderId}`)
      expect(at(read, 'data.delivery')).to.deep.equal(delivery)
      const timeline = await reader.get(`/${casino.id}/prizes/${notedPrizeId}/timeline`)
      expect(timeline.text).to.include('She called')
      const settings = (await withNewKey.deps.findSettings([casino.id])).get(casino.id)
      const secrets = settings?.get('wallet').secrets ?? []
      expect(secrets).to.have.length(2)
      for (const secret of secrets) expect(secret).to.match(/^whsec_/)
      expect((await withNewKey.deps.loadActiveSeeds([casino.id])).has(casino.id)).to.equal(true)
      const endpoint = `/${casino.id}/webhook-endpoints/main`
      expect((await reader.post(`${endpoint}/test`)).status).to.equal(200)
    } finally {
      await withNewKey.stop()
    }
  })

  it('names each secret that it cannot open, and does everything else', async () => {
    const { database } = service
    const template = await database.prizeOrder.findUniqueOrThrow({ where: { id: orderId } })
    const oldCipher = createEnvelopeCipher(readConfig(service.env).encryptionKeys)
    const copies = ['ord_0', 'ord_1', 'ord_2'].map((id) => {
      const { ciphertext, wrappedKey, keyId } = oldCipher.seal('{}', id)
      return {
        ...template,
        id,
        state: 'cancelled',
        endedAt: template.updatedAt,
        deliveryCiphertext: Buffer.from(ciphertext),
        deliveryKey: Buffer.from(wrappedKey),
        deliveryKeyId: keyId,
      }
    })
    await database.prizeOrder.createMany({ data: copies })
    await database.prizeOrder.update({ where: { id: 'ord_0' }, data: { deliveryKeyId: 'lost' } })
    await database.$executeRaw`
      UPDATE prize_order SET delivery_key = (SELECT delivery_key FROM prize_order WHERE id = 'ord_2') WHERE id = 'ord_1'`
    const run = await runTool('tools/rewrap-keys.ts', [], env)
    expect(run.code).to.equal(1)
    expect(run.stderr).to.include('ord_0 cannot be opened: encryption key lost is not configured')
    expect(run.stderr).to.include('ord_1 cannot be opened: the data key was tampered with or moved')
    expect(run.stderr).to.include('2 cannot be opened, and are left as they are')
    expect(run.stderr).not.to.match(/ at .*\.ts/)
    expect(run.stdout.trim().split('\n')).to.include.members([
      '1 data keys rewrapped',
      'lost: 1 delivery details',
      'new: 2 delivery details',
      'test: 1 delivery details',
    ])
  })
})
