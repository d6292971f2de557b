import { expect } from 'chai'
import { atEndOfSuite } from '../../support/at-end.ts'
import { createRoutes } from '../../../api/routes.ts'
import { listOperations } from '../../../api/openapi/operations.ts'
import { RewardsError } from '../../../core/errors.ts'
import { claimKey, keepAnswer, releaseClaim } from '../../../core/idempotency/claim-key.ts'
import { pruneAnswers } from '../../../core/idempotency/prune.ts'
import { createEnvelopeCipher } from '../../../core/crypto/envelope.ts'
import { rewrapKeys } from '../../../core/privacy/rewrap-keys.ts'
import { givePrize } from '../../../core/prize/give-prize.ts'
import { adminApiKey } from '../../support/config.ts'
import type { Reply } from '../../support/client.ts'
import { eventually } from '../../support/eventually.ts'
import { delivery } from '../../support/factory.ts'
import { startFakeReceiver } from '../../support/fake-receiver.ts'
import type { FakeReceiver } from '../../support/fake-receiver.ts'
import { itInLongForm } from '../../support/runs.ts'
import { startWebhookWorld } from '../../support/webhook-world.ts'
import type { WebhookWorld } from '../../support/webhook-world.ts'
import { at, textAt } from '../../api/admin/operator.ts'

const prefix = '/admin/casinos/:casino_id'

describe('the Idempotency-Key of the management API', () => {
  let world: WebhookWorld
  let receiver: FakeReceiver
  let keys = 0

  const atEnd = atEndOfSuite()
  before(async () => {
    world = await startWebhookWorld()
    atEnd(() => world.stop())
    receiver = await startFakeReceiver()
    atEnd(() => receiver.stop())
    await world.putEndpoint('crm', receiver)
    await world.operator.put(`/${world.casino.id}/items/mug`, { name: 'Mug', kind: 'physical' })
    const entries = [{ itemId: 'mug', weight: 1 }]
    await world.service.factory.box(world.casino.id, { boxId: 'gold', entries })
    world.service.startWorker()
  })

  const newKey = () => `key-${++keys}`
  const post = (path: string, body: object | undefined, key: string, apiKey = world.casino.apiKey) =>
    world.service.client.post(`/admin/casinos/${world.casino.id}${path}`, apiKey, body, {
      'Idempotency-Key': key,
    })
  const expectRefusal = (reply: Reply, status: number, code: string) => {
    expect([reply.status, reply.headers.get('X-Error-Code')]).to.deep.equal([status, code])
  }
  const expectReplay = (reply: Reply, first: Reply) => {
    expect([reply.status, reply.text]).to.deep.equal([first.status, first.text])
    expect(reply.headers.get('Idempotency-Replayed')).to.equal('true')
  }

  interface Wanted {
    path: string
    body?: object
  }
  const order = async (state: string, fields: object = {}) => {
    const { service, casino } = world
    const { prizeId } = await service.factory.prize(casino.id, { playerId: 'ann' })
    const body = { player_id: 'ann', prize_id: prizeId, ...delivery }
    expect((await service.client.post('/prize/order', casino.apiKey, body)).status).to.equal(200)
    const { id } = await service.database.prizeOrder.findFirstOrThrow({ where: { prizeId } })
    await eventually('the casino is told', async () => {
      const { announcedAt } = await service.database.prizeOrder.findUniqueOrThrow({ where: { id } })
      return announcedAt !== null
    })
    await service.drain()
    await service.database.prizeOrder.update({ where: { id }, data: { state, ...fields } })
    return id
  }
  const moving =
    (name: string, state: string, body?: object, fields?: object) => async (): Promise<Wanted> => ({
      path: `/orders/${await order(state, fields)}/${name}`,
      ...(body === undefined ? {} : { body }),
    })
  const credited = async () => {
    const { service, casino } = world
    const { prizeId } = await service.factory.prize(casino.id, { playerId: 'ann' })
    const body = { player_id: 'ann', prize_id: prizeId }
    expect((await service.client.post('/prize/cashback', casino.apiKey, body)).status).to.equal(200)
    const { id } = await service.database.cashback.findFirstOrThrow({ where: { prizeId } })
    await eventually('it is credited', async () => {
      const { state } = await service.database.cashback.findUniqueOrThrow({ where: { id } })
      return state === 'credited'
    })
    return id
  }
  const anAct = async () => {
    const { prizeId } = await world.service.factory.prize(world.casino.id)
    return { action: 'prize.void', object_ids: [prizeId] }
  }
  const madeAct = async () =>
    textAt(await world.operator.post(`/${world.casino.id}/acts`, await anAct()), 'data.act_id')
  /** A cashback in manual review that an earlier wallet was asked to credit. */
  const doubtful = async () => {
    const { service, casino } = world
    const { prizeId } = await service.factory.prize(casino.id, { playerId: 'ann', state: 'cashback_pending' })
    const id = `cbk_${prizeId
      .replaceAll(/[^0-9a-f]/g, '')
      .padEnd(32, '0')
      .slice(0, 32)}`
    const now = new Date()
    await service.database.cashback.create({
      data: {
        id,
        casinoId: casino.id,
        prizeId,
        playerId: 'ann',
        amountMinor: 500n,
        currency: 'EUR',
        state: 'manual_review',
        wallet: 'http',
        walletAsked: 'wlt_before',
        attempts: 1,
        revision: 1,
        createdAt: now,
        updatedAt: now,
      },
    })
    return id
  }
  const delivered = async (id: string) => {
    await world.writeEvents(id, 1)
    await eventually('all is delivered', () => world.isQuiet())
    return world.service.database.event.findFirstOrThrow({ where: { objectId: id } })
  }

  /**
   * A request for each POST that changes something, and what a repetition finds that comes after a crash between the effect
   * and the storing of its answer: that it was carried out, or, where doing it again changes nothing, a new answer.
   */
  const requests: Record<string, { request: () => Promise<Wanted>; afterCrash: 'carried out' | 'again' }> = {
    '/api-keys': {
      request: () => Promise.resolve({ path: '/api-keys', body: { name: 'n' } }),
      afterCrash: 'carried out',
    },
    '/api-keys/:key_id/rotate': {
      request: async () => {
        const made = await world.operator.post(`/${world.casino.id}/api-keys`, {})
        return { path: `/api-keys/${textAt(made, 'data.key_id')}/rotate` }
      },
      afterCrash: 'carried out',
    },
    '/boxes/:box_id/enable': {
      request: () => Promise.resolve({ path: '/boxes/gold/enable' }),
      afterCrash: 'again',
    },
    '/boxes/:box_id/disable': {
      request: () => Promise.resolve({ path: '/boxes/gold/disable' }),
      afterCrash: 'again',
    },
    '/fairness/rotate': {
      request: () => Promise.resolve({ path: '/fairness/rotate' }),
      afterCrash: 'carried out',
    },
    '/settings/:name/test': {
      request: () => Promise.resolve({ path: '/settings/wallet/test' }),
      afterCrash: 'again',
    },
    '/settings/:name/resume': {
      request: () => Promise.resolve({ path: '/settings/wallet/resume' }),
      afterCrash: 'again',
    },
    '/grants': {
      request: () =>
        Promise.resolve({
          path: '/grants',
          body: { grants: [{ player_id: 1, box_id: 'gold', count: 2 }] },
        }),
      afterCrash: 'carried out',
    },
    '/prizes': {
      request: () => Promise.resolve({ path: '/prizes', body: { player_id: 1, item_id: 'mug' } }),
      afterCrash: 'carried out',
    },
    '/prizes/:prize_id/notes': {
      request: async () => {
        const { prizeId } = await world.service.factory.prize(world.casino.id)
        return { path: `/prizes/${prizeId}/notes`, body: { text: 'She called' } }
      },
      afterCrash: 'carried out',
    },
    '/prizes/:prize_id/void': {
      request: async () => {
        const { prizeId } = await world.service.factory.prize(world.casino.id)
        return { path: `/prizes/${prizeId}/void`, body: { reason: 'r' } }
      },
      afterCrash: 'carried out',
    },
    '/players/:player_id/erase': {
      request: () => Promise.resolve({ path: '/players/bob/erase' }),
      afterCrash: 'again',
    },
    ...Object.fromEntries(
      (
        [
          ['confirm', moving('confirm', 'pending_confirmation')],
          ['reject', moving('reject', 'pending_confirmation')],
          ['cancel', moving('cancel', 'pending_confirmation')],
          ['resume', moving('resume', 'cancel_requested', undefined, { cancelledFrom: 'submitted' })],
          ['hold', moving('hold', 'pending_confirmation', { hold_reason: 'customs' })],
          [
            'release',
            async () => {
              const id = await order('pending_confirmation')
              await world.operator.post(`/${world.casino.id}/orders/${id}/hold`, { hold_reason: 'customs' })
              return { path: `/orders/${id}/release` }
            },
          ],
          ['ship', moving('ship', 'submitted', { carrier: 'Post' }, { provider: 'manual' })],
          ['deliver', moving('deliver', 'shipped', undefined, { provider: 'manual' })],
          ['exception', moving('exception', 'shipped', { exception_reason: 'lost' }, { provider: 'manual' })],
          [
            'reship',
            moving('reship', 'exception', undefined, { provider: 'manual', exceptionReason: 'lost' }),
          ],
        ] as const
      ).map(([name, request]) => [
        `/orders/:order_id/${name}`,
        { request, afterCrash: 'carried out' as const },
      ]),
    ),
    '/cashbacks/:cashback_id/retry': {
      request: async () => ({ path: `/cashbacks/${await doubtful()}/retry` }),
      afterCrash: 'carried out',
    },
    '/cashbacks/:cashback_id/release-wallet': {
      request: async () => ({
        path: `/cashbacks/${await doubtful()}/release-wallet`,
        body: { reason: 'r' },
      }),
      afterCrash: 'carried out',
    },
    '/cashbacks/:cashback_id/resolve': {
      request: async () => ({
        path: `/cashbacks/${await doubtful()}/resolve`,
        body: { outcome: 'declined', reason: 'r' },
      }),
      afterCrash: 'carried out',
    },
    '/cashbacks/:cashback_id/reverse': {
      request: async () => ({
        path: `/cashbacks/${await credited()}/reverse`,
        body: { prize: 'return', reason: 'r' },
      }),
      afterCrash: 'carried out',
    },
    '/acts': {
      request: async () => ({ path: '/acts', body: await anAct() }),
      afterCrash: 'carried out',
    },
    '/acts/:act_id/start': {
      request: async () => ({ path: `/acts/${await madeAct()}/start`, body: { reason: 'r' } }),
      afterCrash: 'carried out',
    },
    '/acts/:act_id/stop': {
      request: async () => ({ path: `/acts/${await madeAct()}/stop`, body: { reason: 'r' } }),
      afterCrash: 'carried out',
    },
    '/events/:event_id/replay': {
      request: async () => {
        const { id } = await delivered('replayed-event')
        return { path: `/events/evt_${String(id)}/replay` }
      },
      afterCrash: 'carried out',
    },
    '/webhook-endpoints/:endpoint_id/rotate-secret': {
      request: () => Promise.resolve({ path: '/webhook-endpoints/crm/rotate-secret' }),
      afterCrash: 'carried out',
    },
    '/webhook-endpoints/:endpoint_id/enable': {
      request: () => Promise.resolve({ path: '/webhook-endpoints/crm/enable' }),
      afterCrash: 'again',
    },
    '/webhook-endpoints/:endpoint_id/disable': {
      request: async () => {
        await world.putEndpoint('switched', receiver)
        return { path: '/webhook-endpoints/switched/disable' }
      },
      afterCrash: 'again',
    },
    '/webhook-endpoints/:endpoint_id/test': {
      request: () => Promise.resolve({ path: '/webhook-endpoints/crm/test' }),
      afterCrash: 'again',
    },
    '/webhook-endpoints/:endpoint_id/replay': {
      request: async () => {
        const from = new Date().toISOString()
        await delivered('replayed-range')
        return { path: '/webhook-endpoints/crm/replay', body: { from } }
      },
      afterCrash: 'carried out',
    },
  }

  it('is accepted by every POST that changes data', async () => {
    const posts = createRoutes(world.service.deps, () => false)
      .filter((route) => route.for === 'operators' && route.method === 'POST')
      .map(({ path }) => path)
      .filter((path) => path.startsWith(prefix)) // the others: operators.test.ts
    const reading = listOperations()
      .filter(({ description }) => description.onlyReads === true)
      .map(({ path }) => path)
    expect(reading.sort()).to.deep.equal([
      `${prefix}/boxes/:box_id/simulate`,
      `${prefix}/orders/:order_id/reveal`,
      `${prefix}/players/:player_id/export`,
    ])
    const honouring = posts.filter((path) => !reading.includes(path))
    expect(honouring.map((path) => path.slice(prefix.length)).sort()).to.deep.equal(
      // Tested in acts.test.ts, because they need a session.
      [...Object.keys(requests), '/acts/:act_id/approve', '/acts/:act_id/decline'].sort(),
    )
    for (const path of honouring) {
      const reply = await post(path.slice(prefix.length).replaceAll(/:\w+/g, 'none'), {}, 'a b')
      expectRefusal(reply, 400, 'idempotency_key_invalid')
    }
  })

  for (const [n, [route, { request, afterCrash }]] of Object.entries(requests).entries()) {
    const define = n % 2 === 0 ? it : itInLongForm
    define(`carries out POST ${route} once, and repeats the answer`, async () => {
      const { path, body } = await request()
      const key = newKey()
      const first = await post(path, body, key)
      expect(first.status, first.text).to.be.oneOf([200, 201])
      expect(first.headers.has('Idempotency-Replayed')).to.equal(false)
      expectReplay(await post(path, body, `"${key}"`), first)
      const other = route === '/fairness/rotate' ? '/boxes/gold/enable' : '/fairness/rotate'
      expectRefusal(await post(other, undefined, key), 422, 'idempotency_key_reused')

      const where = { casinoId: world.casino.id, key }
      const stopped = { attemptId: 'idk_stopped', attemptUntil: new Date(Date.now() + 60_000) }
      const nothing = { status: null, sealedResponse: null, sealedKey: null, sealedKeyId: null }
      const { database } = world.service
      await database.idempotencyRecord.updateMany({ where, data: { ...nothing, ...stopped } })
      expectRefusal(await post(path, body, key), 409, 'idempotency_key_in_progress')
      await database.idempotencyRecord.updateMany({ where, data: { attemptUntil: new Date(0) } })
      const repeated = await post(path, body, key)
      if (afterCrash === 'carried out') expectRefusal(repeated, 409, 'idempotency_answer_lost')
      else expect(repeated.status, repeated.text).to.equal(first.status)
    })
  }

  it('gives one prize, however many requests come at the same time', async () => {
    const key = newKey()
    const body = { player_id: 'many', item_id: 'mug' }
    const replies = await Promise.all(Array.from({ length: 20 }, () => post('/prizes', body, key)))
    for (const reply of replies) {
      if (reply.status !== 201) expectRefusal(reply, 409, 'idempotency_key_in_progress')
    }
    expect(new Set(replies.filter(({ status }) => status === 201).map(({ text }) => text)).size).to.equal(1)
    expect(await world.service.database.prize.count({ where: { playerId: 'many' } })).to.equal(1)
  })

  it('belongs to the casino, under its own key or the service’s', async () => {
    const key = newKey()
    const body = { player_id: 'shared', item_id: 'mug' }
    const first = await post('/prizes', body, key)
    expectReplay(await post('/prizes', body, key, adminApiKey), first)
    expect(await world.service.database.prize.count({ where: { playerId: 'shared' } })).to.equal(1)
  })

  it('matches the same request with any order of parameters, unknown ones, and an id of either type', async () => {
    const key = newKey()
    const first = await post('/prizes', { player_id: 7, item_id: 'mug' }, key)
    expectReplay(await post('/prizes', { more: 1, item_id: 'mug', player_id: '7' }, key), first)
    for (const body of [
      { player_id: 8, item_id: 'mug' },
      { player_id: 7, item_id: 'mug', prize_id: 'p' },
    ]) {
      expectRefusal(await post('/prizes', body, key), 422, 'idempotency_key_reused')
    }
  })

  it('is separate from the keys of the players’ operations', async () => {
    const key = newKey()
    await post('/prizes', { player_id: 7, item_id: 'mug' }, key)
    const headers = { 'Idempotency-Key': key }
    const { client, factory } = world.service
    const boxId = await factory.box(world.casino.id, { entries: [{ itemId: 'mug', weight: 1 }] })
    await factory.grant(world.casino.id, '7', boxId)
    const opening = { player_id: 7, box_id: boxId }
    const reply = await client.post('/box/open', world.casino.apiKey, opening, headers)
    expectRefusal(reply, 422, 'idempotency_key_reused')
    const other = newKey()
    const opened = await client.post('/box/open', world.casino.apiKey, opening, { 'Idempotency-Key': other })
    expect(opened.status).to.equal(200)
    expectRefusal(await post('/fairness/rotate', undefined, other), 422, 'idempotency_key_reused')
  })

  it('stores nothing after a refusal', async () => {
    const key = newKey()
    const body = { player_id: 'later', item_id: 'cup' }
    expectRefusal(await post('/prizes', body, key), 404, 'item_unknown')
    await world.operator.put(`/${world.casino.id}/items/cup`, { name: 'Cup', kind: 'physical' })
    expect((await post('/prizes', body, key)).status).to.equal(201)
  })

  it('shows a secret again to a caller who lost the answer, and stores none in plain text', async () => {
    const key = newKey()
    const first = await post('/api-keys', { scopes: ['manage'] }, key)
    const apiKey = textAt(first, 'data.api_key')
    expectReplay(await post('/api-keys', { scopes: ['manage'] }, key), first)
    expect(
      (
        await world.service.client.send('GET', `/admin/casinos/${world.casino.id}`, {
          headers: { Authorization: `Bearer ${apiKey}` },
        })
      ).status,
    ).to.equal(200)
    const where = { casinoId: world.casino.id, key }
    const stored = await world.service.database.idempotencyRecord.findFirstOrThrow({ where })
    expect(stored.response).to.equal(null)
    expect(Buffer.from(stored.sealedResponse ?? []).includes(apiKey.slice(-20))).to.equal(false)
  })

  it('repeats the answer after the encryption key was exchanged', async () => {
    const { database, deps } = world.service
    const request = {
      casinoId: world.casino.id,
      key: newKey(),
      operation: 'POST x',
      fingerprint: Buffer.alloc(32),
    }
    const claimed = await claimKey(deps, request)
    if ('answer' in claimed) throw new Error('the key is new')
    await keepAnswer(deps, claimed.claim, { status: 201, response: 'kept' })
    const newest = { id: 'newest', key: Buffer.alloc(32, 7) }
    const cipher = createEnvelopeCipher([newest, ...deps.config.encryptionKeys])
    const listeners = { onProgress: () => undefined, onUnopened: () => undefined }
    const { rewrapped } = await rewrapKeys({ database, cipher }, listeners)
    expect(rewrapped).to.be.at.least(1)
    const onlyNewest = createEnvelopeCipher([newest])
    expect(await claimKey({ database, cipher: onlyNewest }, request)).to.deep.equal({
      answer: { status: 201, response: 'kept' },
    })
    // The service of the other tests does not know that key.
    await rewrapKeys(
      { database, cipher: createEnvelopeCipher([...deps.config.encryptionKeys, newest]) },
      listeners,
    )
  })

  it('stops an attempt that was given up from having any effect', async () => {
    const { database, deps } = world.service
    const request = {
      casinoId: world.casino.id,
      key: newKey(),
      operation: 'POST x',
      fingerprint: Buffer.alloc(32),
    }
    const stalled = await claimKey(deps, request)
    const where = { casinoId: request.casinoId, key: request.key }
    await database.idempotencyRecord.updateMany({ where, data: { attemptUntil: new Date(0) } })
    const second = await claimKey(deps, request)
    if ('answer' in stalled || 'answer' in second) throw new Error('nothing is answered yet')
    const give = (claim: typeof stalled.claim) =>
      givePrize(deps, {
        casinoId: request.casinoId,
        playerId: 'stalled',
        itemId: 'mug',
        prizeId: undefined,
        actor: 'admin',
        requestId: 'r',
        claim,
      })
    const refused = await give(stalled.claim).catch((error: unknown) => error)
    expect(refused).to.be.instanceOf(RewardsError).with.property('code', 'storage_contended')
    await give(second.claim)
    expect(await database.prize.count({ where: { playerId: 'stalled' } })).to.equal(1)
    await releaseClaim(database, second.claim)
    const repeated = await claimKey(deps, request).catch((error: unknown) => error)
    expect(repeated).to.have.property('code', 'idempotency_answer_lost')
  })

  it('is forgotten after the retention time, counted from the answer', async () => {
    const { database, deps } = world.service
    const key = newKey()
    const first = await post('/prizes', { player_id: 'kept', item_id: 'mug' }, key)
    const where = { casinoId: world.casino.id, key }
    const age = (ms: number) =>
      database.idempotencyRecord.updateMany({ where, data: { createdAt: new Date(Date.now() - ms) } })
    await age(deps.config.keepIdempotencyMs - 60_000)
    await pruneAnswers(deps, deps.config.keepIdempotencyMs)
    expectReplay(await post('/prizes', { player_id: 'kept', item_id: 'mug' }, key), first)
    await age(deps.config.keepIdempotencyMs + 60_000)
    await pruneAnswers(deps, deps.config.keepIdempotencyMs)
    const again = await post('/prizes', { player_id: 'kept', item_id: 'mug' }, key)
    expect(at(again, 'data.prize_id')).to.not.equal(at(first, 'data.prize_id'))
  })
})
