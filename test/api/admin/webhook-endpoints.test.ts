import { expect } from 'chai'
import { eventTypes } from '../../../core/event/event-types.ts'
import { newSigningSecret } from '../../../core/partner/signature.ts'
import { sql } from '../../../core/platform/sql.ts'
import { atEndOfSuite, atEndOfTest } from '../../support/at-end.ts'
import { atOnce } from '../../support/at-once.ts'
import { eventually } from '../../support/eventually.ts'
import { startFakeReceiver, verifyCall } from '../../support/fake-receiver.ts'
import type { FakeReceiver } from '../../support/fake-receiver.ts'
import type { TestCasino } from '../../support/factory.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { at, complaintsOf, createOperator, fieldOf, listAt, readAll, textAt } from './operator.ts'
import type { TestOperator } from './operator.ts'

describe('webhook endpoints', () => {
  let service: TestService
  let casino: TestCasino
  let operator: TestOperator
  let receiver: FakeReceiver
  let endpoints: string

  const atEnd = atEndOfSuite()
  before(async () => {
    // Room for a casino to wait for four locks at the same time.
    service = await startService({ env: { DATABASE_POOL_MAX: '20' } })
    atEnd(() => service.stop())
  })
  const atTestEnd = atEndOfTest()
  beforeEach(async () => {
    casino = await service.factory.casino()
    operator = createOperator(service.client, casino.apiKey)
    endpoints = `/${casino.id}/webhook-endpoints`
    receiver = await startFakeReceiver()
    atTestEnd(() => receiver.stop())
  })

  const codeOf = (reply: { headers: Headers }) => reply.headers.get('X-Error-Code')
  /** The feed shows events soon, when the transactions before theirs have ended. */
  const eventsOnceThereAre = (count: number) =>
    eventually(`the feed shows ${count} events`, async () => {
      const events = await operator.get(`/${casino.id}/events`)
      return listAt(events).length >= count && events
    })
  /** Sends a test event and gives it as the receiver verified it with the secret. */
  const verifiedTest = async (secret: string) => {
    const reply = await operator.post(`${endpoints}/main/test`)
    expect(at(reply, 'data.delivered'), reply.text).to.equal(true)
    const call = receiver.received.at(-1)
    if (call === undefined) throw new Error('nothing was received')
    return verifyCall(secret, call)
  }

  it('are created, shown and replaced; a secret is shown once', async () => {
    const definition = {
      url: receiver.url,
      description: ' CRM ',
      event_types: ['prize.*', 'cashback.credited'],
    }
    const made = await operator.put(`${endpoints}/main`, definition)
    expect(made.status).to.equal(201)
    const secret = textAt(made, 'data.secret')
    expect(at(made, 'data')).to.deep.include({
      endpoint_id: 'main',
      url: receiver.url,
      description: 'CRM',
      event_types: ['prize.*', 'cashback.credited'],
      state: 'enabled',
      disabled_reason: null,
      failing_since: null,
      resting_until: null,
    })
    expect(await verifiedTest(secret)).to.deep.include({ type: 'webhook.test', casino_id: casino.id })

    const again = await operator.put(`${endpoints}/main`, { url: receiver.url })
    expect(again.status).to.equal(200)
    expect(at(again, 'data')).to.deep.include({ description: null, event_types: [] })
    for (const reply of [
      again,
      await operator.get(`${endpoints}/main`),
      await operator.get(endpoints),
      await operator.get(`${endpoints}/main/deliveries`),
    ])
      expect(reply.text).to.not.match(/whsec|secret/)
    expect(at(await operator.get(`${endpoints}/main`), 'data.pending_deliveries')).to.equal(0)
    await verifiedTest(secret)
    const stored = await service.database.webhookSecret.findMany()
    expect(JSON.stringify(stored)).to.not.contain(secret.slice(6))
  })

  it('accept a secret that the casino brings, which signs immediately', async () => {
    const [first, second] = [newSigningSecret(), newSigningSecret()]
    const made = await operator.put(`${endpoints}/main`, { url: receiver.url, secret: first })
    expect([made.status, at(made, 'data.secret')]).to.deep.equal([201, undefined])
    await verifiedTest(first)
    await operator.put(`${endpoints}/main`, { url: receiver.url, secret: first })
    await verifiedTest(first)
    await operator.put(`${endpoints}/main`, { url: receiver.url, secret: second })
    await verifiedTest(second)
    expect(() => verifyCall(first, receiver.received.at(-1) ?? fail())).to.throw('No matching')
  })

  it('sign with the old and the new secret during a rotation', async () => {
    const old = textAt(await operator.put(`${endpoints}/main`, { url: receiver.url }), 'data.secret')
    const rotated = await operator.post(`${endpoints}/main/rotate-secret`, { overlap_seconds: 3600 })
    expect(rotated.status).to.equal(201)
    const next = textAt(rotated, 'data.secret')
    await verifiedTest(old)
    await verifiedTest(next)

    const given = newSigningSecret()
    await operator.post(`${endpoints}/main/rotate-secret`, { overlap_seconds: 0, secret: given })
    await verifiedTest(given)
    for (const secret of [old, next])
      expect(() => verifyCall(secret, receiver.received.at(-1) ?? fail())).to.throw('No matching')
  })

  it('sign with five secrets at most', async () => {
    const first = textAt(await operator.put(`${endpoints}/main`, { url: receiver.url }), 'data.secret')
    for (let rotation = 0; rotation < 5; rotation++)
      await operator.post(`${endpoints}/main/rotate-secret`, { overlap_seconds: 3600 })
    await operator.post(`${endpoints}/main/test`)
    const call = receiver.received.at(-1) ?? fail()
    expect(String(call.headers['webhook-signature']).split(' ').length).to.equal(5)
    expect(() => verifyCall(first, call)).to.throw('No matching')
  })

  it('can be tested, and show the receiver’s answer', async () => {
    await operator.put(`${endpoints}/main`, { url: receiver.url })
    receiver.treat(() => 500)
    const refused = await operator.post(`${endpoints}/main/test`)
    expect(refused.status).to.equal(200)
    expect(at(refused, 'data')).to.deep.include({ delivered: false, status: 500, problem: 'refused' })
    expect(at(refused, 'data.duration_ms')).to.be.within(0, 5_000)
    await operator.post(`${endpoints}/main/disable`, {})
    receiver.treat(() => 'die before answering')
    const lost = await operator.post(`${endpoints}/main/test`)
    expect(at(lost, 'data')).to.deep.include({ delivered: false, status: null, problem: 'no_answer' })
    expect(fieldOf(listAt(await eventsOnceThereAre(1)), 'type'), 'trying out is no event').to.deep.equal([
      'webhook_endpoint.disabled',
    ])
  })

  it('are switched off and on, with one event for each', async () => {
    await operator.put(`${endpoints}/main`, { url: receiver.url })
    for (let time = 0; time < 2; time++) {
      const off = await operator.post(`${endpoints}/main/disable`, { reason: 'a secret of the operator' })
      expect(at(off, 'data')).to.deep.include({ state: 'disabled', disabled_reason: 'operator' })
    }
    const on = await operator.post(`${endpoints}/main/enable`)
    expect(at(on, 'data')).to.deep.include({ state: 'enabled', disabled_reason: null })
    await operator.post(`${endpoints}/main/enable`, {})
    const events = await eventsOnceThereAre(2)
    expect(fieldOf(listAt(events), 'type')).to.deep.equal([
      'webhook_endpoint.disabled',
      'webhook_endpoint.enabled',
    ])
    expect(events.text).to.not.contain('a secret of the operator')
  })

  it('carry out concurrent switches one after the other', async () => {
    await operator.put(`${endpoints}/main`, { url: receiver.url })
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        operator.post(`${endpoints}/main/${index % 2 === 0 ? 'disable' : 'enable'}`, {}),
      ),
    )
    expect(replies.map(({ status }) => status)).to.deep.equal(Array.from({ length: 12 }, () => 200))
    const states = listAt(await eventsOnceThereAre(1)).map((event) => {
      const { sequence, data } = event as { sequence: number; data: { from: string; to: string } }
      return { sequence, ...data }
    })
    for (const [index, { sequence, from, to }] of states.entries()) {
      expect(sequence).to.equal(index + 1)
      expect([from, to]).to.deep.equal(index % 2 === 0 ? ['enabled', 'disabled'] : ['disabled', 'enabled'])
    }
  })

  it('are listed page by page, and deleted', async () => {
    for (const id of ['c', 'a', 'b']) await operator.put(`${endpoints}/${id}`, { url: receiver.url })
    expect(await readAll(operator, endpoints, 2, 'endpoint_id')).to.deep.equal(['a', 'b', 'c'])
    expect((await operator.delete(`${endpoints}/a`)).status).to.equal(200)
    expect(codeOf(await operator.get(`${endpoints}/a`))).to.equal('webhook_endpoint_unknown')
    expect(codeOf(await operator.delete(`${endpoints}/a`))).to.equal('webhook_endpoint_unknown')
    expect(
      await service.database.webhookSecret.count({ where: { endpointId: 'a', casinoId: casino.id } }),
    ).to.equal(0)
  })

  it('are limited to twenty', async () => {
    const put = (id: number) => operator.put(`${endpoints}/e${id}`, { url: receiver.url })
    for (let id = 0; id < 20; id++) expect((await put(id)).status).to.equal(201)
    expect(codeOf(await put(20))).to.equal('webhook_endpoint_limit')
    expect((await put(5)).status).to.equal(200)
  })

  it('are limited to twenty, also when they are created at the same time', async () => {
    const put = (id: number) => operator.put(`${endpoints}/e${id}`, { url: receiver.url })
    for (let id = 0; id < 18; id++) await put(id)
    const replies = await atOnce(
      service.database,
      sql`SELECT id FROM casino WHERE id = ${casino.id}::text FOR UPDATE`,
      [18, 19, 20, 21].map((id) => () => put(id)),
    )
    expect(replies.map(({ status }) => status).sort()).to.deep.equal([201, 201, 409, 409])
  })

  it('are not changed when the lock is not obtained in time, and the answer says so', async () => {
    await operator.put(`${endpoints}/main`, { url: receiver.url })
    const reply = await service.database.$transaction(async (holder) => {
      await holder.$queryRaw`SELECT id FROM casino WHERE id = ${casino.id}::text FOR UPDATE`
      return operator.put(`${endpoints}/main`, { url: 'https://receiver.example/' })
    })
    expect([reply.status, codeOf(reply), reply.headers.get('Retry-After')]).to.deep.equal([
      503,
      'overloaded',
      '1',
    ])
    expect(textAt(await operator.get(`${endpoints}/main`), 'data.url')).to.equal(receiver.url)
  })

  it('are created once by callers who put the same definition at the same time', async () => {
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => operator.put(`${endpoints}/main`, { url: receiver.url })),
    )
    expect(replies.map(({ status }) => status).sort()).to.deep.equal([...Array<number>(7).fill(200), 201])
    const made = replies.find(({ status }) => status === 201)
    if (made === undefined) throw new Error('none was made')
    await verifiedTest(textAt(made, 'data.secret'))
  })

  it('of another casino do not exist', async () => {
    await operator.put(`${endpoints}/main`, { url: receiver.url })
    await service.factory.prize(casino.id)
    const eventId = textAt(await eventsOnceThereAre(1), 'data.0.id')
    const other = await service.factory.casino()
    const stranger = createOperator(service.client, other.apiKey)
    const path = `/${other.id}/webhook-endpoints/main`
    for (const reply of [
      await stranger.get(path),
      await stranger.delete(path),
      await stranger.get(`${path}/deliveries`),
      ...(await Promise.all(
        ['enable', 'disable', 'rotate-secret', 'test'].map((verb) => stranger.post(`${path}/${verb}`, {})),
      )),
      await stranger.post(`${path}/replay`, { from: '2020-01-01' }),
    ])
      expect(codeOf(reply)).to.equal('webhook_endpoint_unknown')
    for (const reply of [
      await stranger.post(`/${other.id}/events/${eventId}/replay`, {}),
      await stranger.get(`/${other.id}/events/${eventId}/deliveries`),
    ])
      expect(codeOf(reply)).to.equal('event_unknown')
    expect(listAt(await stranger.get(`/${other.id}/webhook-endpoints`))).to.deep.equal([])
  })

  it('list the known types of events in the answer to an unknown type', async () => {
    const messageFor = async (type: string) => {
      const reply = await operator.put(`${endpoints}/main`, { url: receiver.url, event_types: [type] })
      const errors = at(reply, 'errors') as Record<string, { message: string }[] | undefined>
      return errors['event_types.0']?.[0]?.message
    }
    expect(await messageFor('prize.wone')).to.contain('known are prize.*, prize.won, prize.ordered,')
    const sorts =
      'prize.*, prize_order.*, cashback.*, webhook_endpoint.*, wallet.*, fulfilment.*, reminders.*'
    expect(await messageFor('setting.*')).to.contain(`known are ${sorts},`)
  })

  it('can subscribe to every type of event, each by its group', async () => {
    const sorts = [...new Set([...eventTypes].map((type) => `${type.split('.')[0]}.*`))]
    for (const event_types of [[...eventTypes], sorts]) {
      const reply = await operator.put(`${endpoints}/main`, { url: receiver.url, event_types })
      expect(at(reply, 'data.event_types'), reply.text).to.deep.equal(event_types)
      const feed = await operator.get(`/${casino.id}/events?types=${event_types.join(',')}`)
      expect(feed.status, feed.text).to.equal(200)
    }
  })

  it('refuse invalid definitions, and name each problem', async () => {
    const url = receiver.url
    const cases: [unknown, string[]][] = [
      [{}, ['url']],
      [{ url: null }, ['url']],
      [{ url: 'ftp://example.com' }, ['url']],
      [{ url: '/relative' }, ['url']],
      [{ url: 'https://user:pass@example.com/' }, ['url']],
      [{ url: `https://example.com/${'x'.repeat(3000)}` }, ['url']],
      [{ url: 'https://example.com/\u0000' }, ['url']],
      [{ url: 7 }, ['url']],
      [{ url, description: 'x\u0000' }, ['description']],
      [{ url, description: 'x'.repeat(501) }, ['description']],
      [{ url, event_types: 'prize.won' }, ['event_types']],
      [{ url, event_types: ['prize.won', 'prize.won'] }, ['event_types.1']],
      [{ url, event_types: ['*'] }, ['event_types.0']],
      [{ url, event_types: ['prize.%'] }, ['event_types.0']],
      [{ url, event_types: [null] }, ['event_types.0']],
      [
        { url, event_types: Array.from({ length: 101 }, (_, index) => `a.b${'c'.repeat(index % 40)}`) },
        ['event_types'],
      ],
      [{ url, event_types: ['nope'] }, ['event_types.0']],
      [
        { url, event_types: ['prize.won', 'nope.*', 'prize.nope', 'prize'] },
        ['event_types.1', 'event_types.2', 'event_types.3'],
      ],
      [{ url, event_types: ['prize.won.*'] }, ['event_types.0']],
      [{ url, event_types: ['setting.*'] }, ['event_types.0']],
      [{ url, event_types: ['webhook.test'] }, ['event_types.0']],
      [{ url, secret: 'whsec_short' }, ['secret']],
      [{ url, secret: 'a'.repeat(5000) }, ['secret']],
    ]
    for (const [body, names] of cases) {
      const reply = await operator.put(`${endpoints}/main`, body)
      expect(reply.status, JSON.stringify(body)).to.equal(400)
      const complaints = complaintsOf(reply).map((name) => (names.includes(name) ? name : name.split('.')[0]))
      expect([...new Set(complaints)], JSON.stringify(body)).to.deep.equal(names)
    }
    expect((await operator.put(`${endpoints}/%00`, { url })).status).to.equal(400)
    await operator.put(`${endpoints}/main`, { url })
    for (const [path, body, name] of [
      ['rotate-secret', { overlap_seconds: -1 }, 'overlap_seconds'],
      ['rotate-secret', { overlap_seconds: 1e9 }, 'overlap_seconds'],
      ['rotate-secret', { secret: 'x' }, 'secret'],
      ['disable', { reason: '\ud800' }, 'reason'],
      ['replay', {}, 'from'],
      ['replay', { from: 'yesterday' }, 'from'],
      ['replay', { from: '2020-01-01', cursor: 'x' }, 'cursor'],
      ['replay', { only_failed: 'yes' }, 'only_failed'],
      ['replay', { only_failed: true, cursor: '\u0000' }, 'cursor'],
    ] as const) {
      const reply = await operator.post(`${endpoints}/main/${path}`, body)
      expect([path, reply.status, complaintsOf(reply)]).to.deep.equal([path, 400, [name]])
    }
    for (const query of ['state=gone', 'limit=0', 'cursor=%00'])
      expect((await operator.get(`${endpoints}/main/deliveries?${query}`)).status, query).to.equal(400)
  })

  function fail(): never {
    throw new Error('nothing was received')
  }

  it('answer every PUT with its own definition, or that they are being deleted, while others delete them', async () => {
    const path = `${endpoints}/contested`
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        index % 2 === 0 ? operator.put(path, { url: receiver.url }) : operator.delete(path),
      ),
    )
    for (const [index, reply] of replies.entries()) {
      const refusal = index % 2 === 0 ? 'webhook_endpoint_deleting' : 'webhook_endpoint_unknown'
      if (reply.status >= 300) expect(codeOf(reply), reply.text).to.equal(refusal)
      else if (index % 2 === 0) expect(at(reply, 'data.state'), reply.text).to.equal('enabled')
    }
    const made = replies.filter(({ status }) => status === 201)
    expect(made.length).to.be.greaterThan(0)
    expect(new Set(made.map((reply) => textAt(reply, 'data.secret'))).size).to.equal(made.length)
  })

  it('are created again only when their deletion has ended', async () => {
    await operator.put(`${endpoints}/main`, { url: receiver.url })
    await service.database.webhookEndpoint.updateMany({
      where: { casinoId: casino.id },
      data: { state: 'disabled', disabledReason: 'deleting' },
    })
    for (let time = 0; time < 2; time++)
      expect(codeOf(await operator.put(`${endpoints}/main`, { url: receiver.url }))).to.equal(
        'webhook_endpoint_deleting',
      )
    expect(codeOf(await operator.post(`${endpoints}/main/rotate-secret`, {}))).to.equal(
      'webhook_endpoint_unknown',
    )
    expect((await operator.delete(`${endpoints}/main`)).status).to.equal(200)
    const made = await operator.put(`${endpoints}/main`, { url: receiver.url })
    expect([made.status, at(made, 'data.state')]).to.deep.equal([201, 'enabled'])
    await verifiedTest(textAt(made, 'data.secret'))
  })

  it('have one secret without an end after concurrent rotations and definitions', async () => {
    await operator.put(`${endpoints}/main`, { url: receiver.url })
    const lasting = () =>
      service.database.webhookSecret.findMany({ where: { casinoId: casino.id, expiresAt: null } })
    const rotate = () => operator.post(`${endpoints}/main/rotate-secret`, {})
    const rotated = await atOnce(
      service.database,
      sql`SELECT id FROM webhook_endpoint WHERE casino_id = ${casino.id}::text FOR UPDATE`,
      [rotate, rotate, rotate, rotate],
    )
    expect(new Set(rotated.map(({ status }) => status))).to.deep.equal(new Set([201]))
    expect(await lasting()).to.have.length(1)
    const given = Array.from({ length: 6 }, () => newSigningSecret())
    const replies = await Promise.all(
      given.flatMap((secret) => [
        operator.put(`${endpoints}/main`, { url: receiver.url, secret }),
        operator.post(`${endpoints}/main/rotate-secret`, { overlap_seconds: 60 }),
        operator.put(`${endpoints}/main`, { url: receiver.url, secret }),
      ]),
    )
    expect(replies.filter(({ status }) => status >= 300).map(({ text }) => text)).to.deep.equal([])
    expect(await lasting()).to.have.length(1)
    const last = newSigningSecret()
    await operator.put(`${endpoints}/main`, { url: receiver.url, secret: last })
    expect(await service.database.webhookSecret.count({ where: { casinoId: casino.id } })).to.equal(1)
    await verifiedTest(last)
  })

  it('end the overlap of a secret that is given again', async () => {
    const secret = newSigningSecret()
    await operator.put(`${endpoints}/main`, { url: receiver.url, secret })
    await operator.post(`${endpoints}/main/rotate-secret`, { overlap_seconds: 60 })
    await operator.put(`${endpoints}/main`, { url: receiver.url, secret })
    const stored = await service.database.webhookSecret.findMany({ where: { casinoId: casino.id } })
    expect(stored.map(({ expiresAt }) => expiresAt)).to.deep.equal([null])
    await verifiedTest(secret)
  })

  it('cannot be enabled again during their deletion, because they have already lost deliveries', async () => {
    await operator.put(`${endpoints}/main`, { url: receiver.url })
    await service.database.webhookEndpoint.updateMany({
      where: { casinoId: casino.id },
      data: { state: 'disabled', disabledReason: 'deleting' },
    })
    expect(codeOf(await operator.post(`${endpoints}/main/enable`))).to.equal('webhook_endpoint_unknown')
    expect((await operator.delete(`${endpoints}/main`)).status).to.equal(200)
  })
})
