import { expect } from 'chai'
import { setUpActs, untilEnded, winPrizes } from '../../support/acts.ts'
import type { TestCasino } from '../../support/factory.ts'
import type { TestService } from '../../support/service.ts'
import { at, readAll, textAt } from './operator.ts'
import type { TestOperator } from './operator.ts'

describe('acts on the events of a period', () => {
  let service: TestService
  let casino: TestCasino
  let key: TestOperator

  setUpActs((world) => {
    ;({ service, casino, key } = world)
  })

  const acts = () => `/${casino.id}/acts`
  const range = (more: object = {}) => ({
    action: 'event.replay',
    params: { endpoint_id: 'crm' },
    event_range: { from: '2020-01-01', ...more },
  })
  /** An endpoint that is switched off, so that replays stay pending. */
  const makeEndpoint = async (types: readonly string[] = ['prize.*']) => {
    await key.put(`/${casino.id}/webhook-endpoints/crm`, {
      url: 'https://crm.example.com/',
      event_types: types,
    })
    await key.post(`/${casino.id}/webhook-endpoints/crm/disable`)
  }
  const hasPassedAll = () =>
    service.database.$executeRaw`
      UPDATE webhook_endpoint
         SET (cursor_txid, cursor_event_id) =
             (SELECT txid, id FROM event WHERE casino_id = ${casino.id}::text ORDER BY txid DESC, id DESC LIMIT 1)
       WHERE casino_id = ${casino.id}::text`
  const eventIds = async () => {
    const events = await service.database.event.findMany({
      where: { casinoId: casino.id, type: 'prize.won' },
      orderBy: [{ txid: 'asc' }, { id: 'asc' }],
    })
    return events.map(({ id }) => `evt_${String(id)}`)
  }
  const deliveries = () => service.database.webhookDelivery.findMany({ where: { casinoId: casino.id } })

  it('count and freeze the events, and send each again once they are started', async () => {
    await winPrizes(service, casino, 3)
    await makeEndpoint()
    await hasPassedAll()
    const reply = await key.post(acts(), range())
    expect(reply.status, reply.text).to.equal(201)
    expect(at(reply, 'data.progress.objects')).to.equal(3)
    expect(at(reply, 'data.preview.allowed')).to.equal(3)
    expect(at(reply, 'data.preview.next_cursor')).to.equal(null)
    expect(await deliveries()).to.deep.equal([])
    const selected = await eventIds()
    const actId = textAt(reply, 'data.act_id')
    expect(await readAll(key, `${acts()}/${actId}/objects`, 100, 'object_id')).to.have.members(selected)
    // Later events are not part of it.
    await winPrizes(service, casino, 1)
    await hasPassedAll()
    await key.post(`${acts()}/${actId}/start`, { reason: 'a test' })
    await untilEnded(key, casino, actId)
    expect(at(await key.get(`${acts()}/${actId}`), 'data.progress.done')).to.equal(3)
    expect((await deliveries()).map(({ eventId }) => `evt_${String(eventId)}`)).to.have.members(selected)
  })

  it('select what the endpoint wants and has been given, and failed deliveries once', async () => {
    await winPrizes(service, casino, 2)
    await makeEndpoint(['cashback.*'])
    await hasPassedAll()
    expect((await key.post(acts(), range())).status).to.equal(400)
    await makeEndpoint(['prize.*'])
    expect(at(await key.post(acts(), range()), 'data.progress.objects')).to.equal(2)
    expect((await key.post(acts(), range({ until: '2020-01-02' }))).status).to.equal(400)
    const [first = ''] = await eventIds()
    await service.database.$executeRaw`
      INSERT INTO webhook_delivery (id, casino_id, endpoint_id, event_id, object_type, object_id, sequence, replay_number,
                                    state, created_at, updated_at)
      SELECT 'dlv_' || md5(random()::text), casino_id, 'crm', id, object_type, object_id, sequence, number, 'failed', now(), now()
        FROM event CROSS JOIN generate_series(0, 1) AS number
       WHERE id = ${first.slice('evt_'.length)}::bigint`
    const failed = await key.post(acts(), range({ only_failed: true }))
    expect(at(failed, 'data.progress.objects')).to.equal(1)
    const objects = `${acts()}/${textAt(failed, 'data.act_id')}/objects`
    expect(await readAll(key, objects, 100, 'object_id')).to.deep.equal([first])
  })

  it('continue where one act is full', async () => {
    const count = 10_500
    await makeEndpoint()
    await service.database.$executeRaw`
      INSERT INTO event (casino_id, object_type, object_id, sequence, type, to_state, actor, created_at)
      SELECT ${casino.id}::text, 'prize', 'p' || n, 1, 'prize.won', 'won', 'test', now()
        FROM generate_series(1, ${count}::int) AS n`
    await hasPassedAll()
    const first = await key.post(acts(), range())
    expect(at(first, 'data.progress.objects')).to.equal(10_000)
    const cursor = textAt(first, 'data.preview.next_cursor')
    const rest = await key.post(acts(), range({ cursor }))
    expect(at(rest, 'data.progress.objects')).to.equal(500)
    expect(at(rest, 'data.preview.next_cursor')).to.equal(null)
    const frozen = await service.database.actObject.groupBy({
      by: ['objectId'],
      where: { act: { casinoId: casino.id } },
    })
    expect(frozen).to.have.lengthOf(count)
  })

  it('name what is wrong with the selection', async () => {
    await makeEndpoint()
    const wrong: [object, RegExp][] = [
      [{ ...range(), event_range: {} }, /event_range\.from is required/],
      [{ ...range(), params: {} }, /params\.endpoint_id is required/],
      [{ ...range(), object_ids: ['evt_1'] }, /event_range takes the place of object_ids/],
      [
        { action: 'order.confirm', event_range: range().event_range },
        /event_range is not for order\.confirm/,
      ],
      [{ action: 'order.confirm' }, /object_ids is required/],
      [range({ cursor: 'nonsense' }), /event_range\.cursor must be/],
      [range(), /event_range has no events/],
    ]
    for (const [body, message] of wrong) {
      const reply = await key.post(acts(), body)
      expect(reply.status, reply.text).to.equal(400)
      expect(reply.text).to.match(message)
    }
    const unknown = { ...range(), params: { endpoint_id: 'missing' } }
    expect((await key.post(acts(), unknown)).status).to.equal(404)
  })
})
