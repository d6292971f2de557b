import { expect } from 'chai'
import pg from 'pg'
import { archiveEvents } from '../../../core/archive/archive-events.ts'
import { sql } from '../../../core/platform/sql.ts'
import type { WorkerDeps } from '../../../worker/deps.ts'
import { createLoops } from '../../../worker/loops.ts'
import { startLines } from '../../../worker/workers.ts'
import { at, createOperator, fieldOf, listAt, textAt } from '../../api/admin/operator.ts'
import type { TestOperator } from '../../api/admin/operator.ts'
import { atEndOfSuite, atEndOfTest } from '../../support/at-end.ts'
import type { Reply } from '../../support/client.ts'
import { asServiceRole } from '../../support/environment.ts'
import { eventually } from '../../support/eventually.ts'
import { delivery } from '../../support/factory.ts'
import type { TestCasino } from '../../support/factory.ts'
import { startFakeReceiver } from '../../support/fake-receiver.ts'
import { changeAsOwner } from '../../support/owner.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'

const day = 86_400_000
const keepMs = 410 * day

/** The ids of a delivered order, a credited cashback, and a prize that is still to be had. */
interface Ended {
  prizeId: string
  orderId: string
  cashedId: string
  cashbackId: string
  wonId: string
  requestId: string
}

describe('the archive of events', () => {
  let service: TestService
  let deps: WorkerDeps
  let casino: TestCasino
  let operator: TestOperator

  const atEnd = atEndOfSuite()
  const atTestEnd = atEndOfTest()
  before(async () => {
    service = await startService({ env: { ARCHIVE_AFTER_DAYS: '410' } })
    atEnd(() => service.stop())
    ;({ deps } = service.startWorker())
  })
  beforeEach(async () => {
    casino = await service.factory.casino()
    operator = createOperator(service.client, casino.apiKey)
  })

  const connect = async (connectionString = service.env['DATABASE_URL']) => {
    const client = new pg.Client({ connectionString })
    await client.connect()
    atTestEnd(() => client.end())
    return client
  }
  const order = (playerId: string, prizeId: string) =>
    service.client.post('/prize/order', casino.apiKey, {
      player_id: playerId,
      prize_id: prizeId,
      ...delivery,
    })
  const cashBack = (playerId: string, prizeId: string) =>
    service.client.post('/prize/cashback', casino.apiKey, { player_id: playerId, prize_id: prizeId })
  const done = (reply: Reply): Reply => {
    expect(reply.status, reply.text).to.equal(200)
    return reply
  }
  const act = async () => {
    const { prizeId } = await service.factory.prize(casino.id, { playerId: 'ann' })
    const requestId = done(await order('ann', prizeId)).headers.get('X-Request-Id') ?? ''
    const orderId = textAt(await operator.get(`/${casino.id}/prizes/${prizeId}`), 'data.orders.0.order_id')
    const { prizeId: cashedId } = await service.factory.prize(casino.id, { playerId: 'ann' })
    done(await cashBack('ann', cashedId))
    await service.drain()
    for (const move of ['confirm', 'ship', 'deliver']) {
      done(await operator.post(`/${casino.id}/orders/${orderId}/${move}`, { reason: 'as agreed' }))
      await service.drain()
    }
    const cashed = await operator.get(`/${casino.id}/prizes/${cashedId}`)
    const cashbackId = textAt(cashed, 'data.cashbacks.0.cashback_id')
    const { prizeId: wonId } = await service.factory.prize(casino.id, { playerId: 'ann' })
    return { prizeId, orderId, cashedId, cashbackId, wonId, requestId } satisfies Ended
  }
  /** Lets so many days pass for all that the casino has. */
  const age = async (days: number, casinoId = casino.id) => {
    await service.database.$queryRaw`SELECT prepare_event_archive() AS made`
    const by = sql`${days}::int * interval '1 day'`
    for (const change of [
      sql`UPDATE event SET created_at = created_at - ${by} WHERE casino_id = ${casinoId}::text`,
      sql`UPDATE prize SET updated_at = updated_at - ${by} WHERE casino_id = ${casinoId}::text`,
      sql`UPDATE cashback SET updated_at = updated_at - ${by} WHERE casino_id = ${casinoId}::text`,
      sql`UPDATE prize_order SET updated_at = updated_at - ${by}, ended_at = ended_at - ${by}
           WHERE casino_id = ${casinoId}::text`,
      sql`UPDATE event_archive SET due_at = now() - interval '1 second' WHERE casino_id = ${casinoId}::text`,
    ]) {
      await changeAsOwner(service.database, change)
    }
  }
  const archiveAll = async () => {
    for (let lookedAt = 1; lookedAt > 0;) lookedAt = await archiveEvents(deps, keepMs)
  }
  /** All events of the casino, row by row, and where they are. */
  const rowsIn = async (table: 'event' | 'archived_event', casinoId = casino.id) => {
    const client = await connect()
    const { rows } = await client.query<{ row: Record<string, unknown> }>(
      `SELECT to_jsonb(kept) - 'archived_month' AS row FROM ${table} AS kept WHERE casino_id = $1 ORDER BY id`,
      [casinoId],
    )
    return rows.map(({ row }) => row)
  }
  const typesIn = async (table: 'event' | 'archived_event') => fieldOf(await rowsIn(table), 'type')
  /** One more event, so that all others can move. */
  const addLast = () => service.factory.prize(casino.id)

  it('moves the events of ended prizes, orders and cashbacks, and every answer stays the same', async () => {
    const ended = await act()
    const { prizeId, orderId, cashedId, cashbackId, requestId } = ended
    await age(420)
    await addLast()
    await changeAsOwner(
      service.database,
      sql`UPDATE event SET trace_id = ${'a'.repeat(32)}, traceparent = ${`00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`}
           WHERE casino_id = ${casino.id}::text`,
    )
    const before = await rowsIn('event')
    const placed = before.find(({ type }) => type === 'prize_order.placed')
    const answers = async () => {
      const base = `/${casino.id}`
      const eventId = `evt_${String(placed?.['id'])}`
      const replies = await Promise.all([
        operator.get(`${base}/prizes/${prizeId}`),
        operator.get(`${base}/prizes/${prizeId}/timeline`),
        operator.get(`${base}/prizes/${cashedId}`),
        operator.get(`${base}/prizes/${cashedId}/timeline`),
        operator.get(`${base}/orders/${orderId}`),
        operator.get(`${base}/cashbacks/${cashbackId}`),
        operator.get(`${base}/players/ann/prizes`),
        operator.get(`${base}/events/${eventId}`),
        operator.get(`${base}/events/${eventId}/deliveries`),
        operator.post(`${base}/players/ann/export`, { reason: 'she asks' }),
        searchFor(eventId),
        searchFor(requestId),
        order('ann', prizeId),
        cashBack('ann', cashedId),
        order('ben', prizeId),
      ])
      return replies.map(({ status, json }) => ({ status, json }))
    }
    /** Results of a search have no order. */
    const searchFor = async (text: string) => {
      const reply = await service.client.send('GET', `/admin/search?q=${text}`, {
        headers: { Authorization: `Bearer ${service.deps.config.adminApiKey}` },
      })
      const found = listAt(reply, 'data.results').map((one) => JSON.stringify(one))
      return { status: reply.status, json: found.sort() }
    }
    // The timelines name refusals, and so do those after the second round.
    await answers()
    const withoutActions = (found: Awaited<ReturnType<typeof answers>>) =>
      JSON.stringify(found, (key, value: unknown) =>
        key === 'entries' && Array.isArray(value)
          ? value.filter((entry) => fieldOf([entry], 'kind')[0] !== 'action')
          : value,
      )
    const expected = await answers()
    expect(expected.map(({ status }) => status)).to.deep.equal([
      ...Array<number>(12).fill(200),
      404,
      404,
      403,
    ])
    expect(withoutActions(expected)).to.contain('prize_order.delivered').and.contain('cashback.credited')
    expect(String(expected[10]?.json)).to.contain('"type":"event"').and.contain(prizeId)
    expect(String(expected[11]?.json)).to.contain('"type":"order"').and.contain(orderId)

    await archiveAll()
    const moved = await rowsIn('archived_event')
    const left = await rowsIn('event')
    expect(fieldOf(moved, 'type')).to.include.members([
      'prize.won',
      'prize.fulfilled',
      'prize_order.delivered',
      'prize.cashed_back',
      'cashback.credited',
    ])
    expect(fieldOf(left, 'type')).to.deep.equal(['prize.won', 'prize.won'])
    expect(left[0]).to.include({ object_id: ended.wonId })
    const inOrder = [...moved, ...left].sort((one, other) => Number(one['id']) - Number(other['id']))
    expect(inOrder).to.deep.equal(before)
    expect(withoutActions(await answers())).to.equal(withoutActions(expected))
  })

  it('leaves events that are too young, and those of objects that have changed since', async () => {
    const { orderId } = await act()
    await age(405)
    await addLast()
    const before = await rowsIn('event')
    await archiveAll()
    expect(await rowsIn('event')).to.deep.equal(before)

    await age(10)
    await addLast()
    await changeAsOwner(
      service.database,
      sql`UPDATE prize_order SET updated_at = now() WHERE id = ${orderId}::text`,
    )
    await archiveAll()
    expect(await typesIn('event')).to.include.members(['prize_order.placed', 'prize_order.delivered'])
    expect(await typesIn('archived_event')).to.include('prize.fulfilled')
  })

  it('keeps the last event of a casino, which new ones must follow', async () => {
    await service.factory.prize(casino.id, { state: 'voided' })
    await age(420)
    await archiveAll()
    expect(await typesIn('event')).to.deep.equal(['prize.won'])
    await service.factory.prize(casino.id, { state: 'voided' })
    await age(1)
    await archiveAll()
    expect(await typesIn('archived_event')).to.deep.equal(['prize.won'])
  })

  it('leaves events that an endpoint has not reached yet', async () => {
    const endpoint = `/${casino.id}/webhook-endpoints/main`
    expect((await operator.put(endpoint, { url: 'https://example.com/hook' })).status).to.equal(201)
    await operator.post(`${endpoint}/disable`, {})
    for (let count = 0; count < 3; count++) await service.factory.prize(casino.id, { state: 'expired' })
    await age(420)
    await addLast()
    await archiveAll()
    expect(await typesIn('archived_event')).to.deep.equal([])
    await operator.delete(endpoint)
    await eventually('the endpoint is gone', async () => (await operator.get(endpoint)).status === 404)
    await age(0)
    await archiveAll()
    expect(await typesIn('archived_event')).to.have.length(3)
  })

  it('is continued by the history of a cashback that is reversed later', async () => {
    const { cashbackId, cashedId } = await act()
    await age(420)
    await addLast()
    const path = `/${casino.id}/cashbacks/${cashbackId}`
    const before = listAt(await operator.get(path), 'data.history')
    await archiveAll()
    expect(await typesIn('archived_event')).to.include('cashback.credited')
    done(await operator.post(`${path}/reverse`, { reason: 'a mistake', prize: 'void' }))
    await service.drain()
    const after = listAt(await operator.get(path), 'data.history')
    expect(after.slice(0, before.length)).to.deep.equal(before)
    expect(fieldOf(after.slice(before.length), 'to')).to.include.members(['reversed'])
    const own = after.filter((entry) => fieldOf([entry], 'object_id')[0] === cashbackId)
    expect(fieldOf(own, 'sequence')).to.deep.equal(own.map((_, index) => index + 1))

    // The later events move as well once they are old.
    await age(420)
    await addLast()
    await archiveAll()
    expect(await typesIn('archived_event')).to.include('cashback.reversed')
    expect(listAt(await operator.get(path), 'data.history').length).to.equal(after.length)
    expect(at(await operator.get(`/${casino.id}/prizes/${cashedId}`), 'data.state')).to.equal('voided')
  })

  it('sends an archived event again, with the same id and body', async () => {
    const receiver = await startFakeReceiver()
    atTestEnd(() => receiver.stop())
    const endpoint = await operator.put(`/${casino.id}/webhook-endpoints/main`, { url: receiver.url })
    expect(endpoint.status, endpoint.text).to.equal(201)
    await service.factory.prize(casino.id, { state: 'voided' })
    await addLast()
    await eventually('both are sent', () => Promise.resolve(receiver.received.length === 2))
    await eventually('both have arrived', async () => {
      const log = listAt(await operator.get(`/${casino.id}/webhook-endpoints/main/deliveries`))
      return fieldOf(log, 'state').every((state) => state === 'delivered')
    })
    await age(420)
    await addLast()
    await eventually('the last is sent', () => Promise.resolve(receiver.received.length === 3))
    await archiveAll()
    const [moved] = await rowsIn('archived_event')
    const path = `/${casino.id}/events/evt_${String(moved?.['id'])}`
    done(await operator.post(`${path}/replay`, {}))
    await eventually('it is sent again', () => Promise.resolve(receiver.received.length === 4))
    const again = receiver.received[3]
    const first = receiver.received.find(({ event }) => event.object.id === moved?.['object_id'])
    expect(again?.headers['webhook-id']).to.equal(first?.headers['webhook-id'])
    expect(again?.event.object.id).to.equal(moved?.['object_id'])
    const deliveries = listAt(await operator.get(`${path}/deliveries`))
    expect(fieldOf(deliveries, 'replay_number')).to.deep.equal([1, 0])
    const log = listAt(await operator.get(`/${casino.id}/webhook-endpoints/main/deliveries`))
    expect(log).to.have.length(4)
  })

  it('ends a cursor of the feed that has not reached an archived event, and no other', async () => {
    const events = `/${casino.id}/events`
    const empty = textAt(await operator.get(events), 'next_cursor')
    for (let count = 0; count < 3; count++) await service.factory.prize(casino.id, { state: 'expired' })
    const read = textAt(await operator.get(events), 'next_cursor')
    await age(420)
    await addLast()
    await archiveAll()
    const codeAfter = async (cursor: string) =>
      (await operator.get(`${events}?after=${cursor}`)).headers.get('X-Error-Code')
    expect(await codeAfter(empty)).to.equal('cursor_expired')
    expect(await codeAfter(read)).to.equal(null)
    expect(listAt(await operator.get(`${events}?after=${read}`))).to.have.length(1)
    expect(listAt(await operator.get(events))).to.have.length(1)
  })

  it('ends no cursor of a reader who began after the archived events, although an older event is live', async () => {
    const events = `/${casino.id}/events`
    await service.factory.prize(casino.id)
    for (let count = 0; count < 3; count++) await service.factory.prize(casino.id, { state: 'expired' })
    await age(420)
    await addLast()
    await archiveAll()
    expect(await rowsIn('archived_event')).to.have.length(3)
    const later = new Date(Date.now() + day).toISOString()
    const first = await operator.get(`${events}?created_from=${later}`)
    expect(listAt(first)).to.deep.equal([])
    const next = await operator.get(`${events}?after=${textAt(first, 'next_cursor')}`)
    expect(next.status, next.text).to.equal(200)
    expect(listAt(next)).to.have.length(1)
  })

  it('moves the beginning of a feed that is to reach further back than the archive leaves', async () => {
    const longer = await startService({
      env: { ...service.env, EVENT_FEED_DAYS: '3000', ARCHIVE_AFTER_DAYS: '' },
    })
    atTestEnd(() => longer.stop())
    for (let count = 0; count < 2; count++) await service.factory.prize(casino.id, { state: 'expired' })
    await service.factory.prize(casino.id)
    await age(500)
    await addLast()
    await archiveAll()
    const reply = await createOperator(longer.client, casino.apiKey).get(`/${casino.id}/events`)
    expect(listAt(reply)).to.have.length(1)
    const since = Date.parse(textAt(reply, 'complete_since'))
    expect(since).to.be.closeTo(Date.now() - 500 * day, day)
    const next = textAt(reply, 'next_cursor')
    const again = await createOperator(longer.client, casino.apiKey).get(`/${casino.id}/events?after=${next}`)
    expect(again.status, again.text).to.equal(200)
  })

  it('has each event once, however many workers move those of several casinos', async () => {
    const casinos = await Promise.all(Array.from({ length: 3 }, () => service.factory.casino()))
    for (const { id } of casinos) {
      await service.database.event.createMany({
        data: Array.from({ length: 700 }, (_, index) => ({
          casinoId: id,
          objectType: 'prize',
          objectId: `p${index % 100}`,
          sequence: Math.floor(index / 100) + 1,
          type: 'prize.won',
          toState: 'won',
          actor: 'test',
          createdAt: new Date(),
        })),
      })
      await service.database.prize.createMany({
        data: Array.from({ length: 100 }, (_, index) => ({
          casinoId: id,
          id: `p${index}`,
          playerId: 'ann',
          itemId: 'mug',
          itemName: 'Mug',
          kind: 'physical',
          state: index % 2 === 0 ? 'voided' : 'won',
          createdAt: new Date(),
          updatedAt: new Date(),
        })),
      })
      await age(420, id)
    }
    const before = await Promise.all(casinos.map(({ id }) => rowsIn('event', id)))
    await Promise.all([archiveAll(), archiveAll(), archiveAll(), archiveAll()])
    for (const [index, { id }] of casinos.entries()) {
      const [live, moved] = [await rowsIn('event', id), await rowsIn('archived_event', id)]
      expect(moved).to.have.length(350)
      const isEven = (row: Record<string, unknown>) => Number(String(row['object_id']).slice(1)) % 2 === 0
      expect(moved).to.deep.equal(before[index]?.filter(isEven))
      expect(live).to.deep.equal(before[index]?.filter((row) => !isEven(row)))
    }
  })

  it('loses nothing when the connection ends while events are moved', async () => {
    for (let count = 0; count < 5; count++) await service.factory.prize(casino.id, { state: 'expired' })
    await age(420)
    await addLast()
    await archiveEvents(deps, 36_000 * day)
    await age(0)
    const before = await rowsIn('event')
    const blocker = await connect()
    await blocker.query('BEGIN')
    await blocker.query('LOCK TABLE archived_event IN SHARE MODE')
    const mover = await connect()
    const { rows } = await mover.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    const moving = mover
      .query(`SELECT * FROM archive_events($1, now() - interval '410 days', 500)`, [casino.id])
      .then(
        () => 'moved',
        (error: unknown) => (error instanceof pg.DatabaseError ? error.code : 'lost'),
      )
    mover.on('error', () => undefined)
    await eventually('it waits with its events', async () => {
      const { rows: waiting } = await blocker.query(
        `SELECT FROM pg_locks WHERE pid = $1 AND NOT granted AND relation = 'archived_event'::regclass`,
        [rows[0]?.pid],
      )
      return waiting.length === 1
    })
    await blocker.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
    expect(await moving).to.be.oneOf(['57P01', 'lost'])
    await blocker.query('ROLLBACK')
    expect(await rowsIn('event')).to.deep.equal(before)
    expect(await rowsIn('archived_event')).to.deep.equal([])
    await archiveAll()
    expect(await rowsIn('archived_event')).to.deep.equal(before.slice(0, -1))
  })

  it('is the only way for an event to leave the live table, for every role', async () => {
    await service.factory.prize(casino.id, { state: 'expired' })
    await age(40)
    const owner = await connect()
    const codeOf = async (client: pg.Client, text: string) =>
      client.query(text).then(
        () => 'done',
        (error: unknown) => (error instanceof pg.DatabaseError ? error.code : error),
      )
    expect(await codeOf(owner, `DELETE FROM event WHERE casino_id = '${casino.id}'`)).to.equal('23001')
    expect(await codeOf(owner, 'UPDATE archived_event SET actor = actor')).to.equal('23001')
    expect(await codeOf(owner, 'DELETE FROM archived_event')).to.equal('23001')
    // A copy must be equal.
    await owner.query('BEGIN')
    await owner.query(
      `INSERT INTO archived_event
       SELECT id, casino_id, object_type, object_id, sequence, type, from_state, to_state, 'somebody else', reason,
              request_id, data, created_at, txid, trace_id, date_trunc('month', now())
         FROM event WHERE casino_id = '${casino.id}'`,
    )
    expect(await codeOf(owner, `DELETE FROM event WHERE casino_id = '${casino.id}'`)).to.equal('23001')
    await owner.query('ROLLBACK')

    const role = await connect(asServiceRole(service.env['DATABASE_URL'] ?? ''))
    expect(await codeOf(role, 'DELETE FROM event')).to.equal('42501')
    for (const change of [
      'INSERT INTO archived_event SELECT * FROM archived_event',
      'DELETE FROM event_archive',
    ])
      expect(await codeOf(role, change), change).to.equal('42501')
    const partition = `archive.event_${new Date().toISOString().slice(0, 7).replace('-', '_')}`
    expect(await codeOf(role, `SELECT FROM ${partition}`)).to.equal('42501')
    const archiveBefore = (days: number) =>
      `SELECT archive_events('${casino.id}', now() - interval '${days} days', 500)`
    expect(await codeOf(role, archiveBefore(29))).to.equal('P0001')
    expect(await codeOf(role, archiveBefore(31))).to.equal('done')
    const stranger = await connect()
    await stranger.query('SET ROLE pg_monitor')
    expect(await codeOf(stranger, archiveBefore(31))).to.equal('42501')
  })

  it('has the columns of the live table, and so has the view of both', async () => {
    const { rows } = await (
      await connect()
    ).query<{ table: string; columns: string[] }>(
      `SELECT attrelid::regclass::text AS "table",
              array_agg(attname || ' ' || format_type(atttypid, atttypmod) ORDER BY attname) AS columns
         FROM pg_attribute
        WHERE attrelid IN ('event'::regclass, 'archived_event'::regclass, 'every_event'::regclass)
          AND attnum > 0 AND NOT attisdropped AND attname <> 'archived_month'
        GROUP BY attrelid`,
    )
    const columnsOf = (name: string) => rows.find(({ table }) => table === name)?.columns
    expect(columnsOf('event')).to.include('casino_id text')
    expect(columnsOf('archived_event')).to.deep.equal(columnsOf('event'))
    expect(columnsOf('every_event')).to.deep.equal(columnsOf('event'))
  })

  it('is not looked at for an event that is live, and by index for one that is not', async () => {
    await service.factory.prize(casino.id, { state: 'expired' })
    await age(420)
    await addLast()
    await archiveAll()
    const client = await connect()
    await client.query('SET enable_seqscan = off; SET enable_bitmapscan = off')
    const planOf = async (text: string, ...values: unknown[]) => {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) ${text}`,
        values,
      )
      return rows.map((row) => row['QUERY PLAN'])
    }
    const byId = async (row: Record<string, unknown> | undefined) => {
      const plan = await planOf(
        `SELECT found.id FROM unnest($1::bigint[]) AS input (id)
           JOIN LATERAL (SELECT * FROM every_event WHERE id = input.id LIMIT 1) AS found ON true`,
        [row?.['id']],
      )
      return plan.filter((line) => /on event_\d/.test(line))
    }
    const ofLive = await byId((await rowsIn('event'))[0])
    expect(ofLive).to.have.length.of.at.least(3)
    for (const line of ofLive) expect(line).to.match(/Index (Only )?Scan .*never executed/)
    const [moved] = await rowsIn('archived_event')
    const ofMoved = await byId(moved)
    expect(ofMoved.filter((line) => line.includes('rows=1'))).to.have.length(1)
    const ofObject = await planOf(
      `SELECT * FROM every_event WHERE casino_id = $1 AND object_type = 'prize' AND object_id = $2`,
      casino.id,
      moved?.['object_id'],
    )
    expect(ofObject.join('\n')).not.to.contain('Seq Scan')
    expect(ofObject.join('\n')).to.match(/Index (Only )?Scan using event_\d{4}_\d\d_/)
  })

  it('has partitions for this month and the next two, which only a worker of this setting makes', async () => {
    const client = await connect()
    const { rows: expected } = await client.query<{ name: string }>(
      `SELECT to_char(now() AT TIME ZONE 'UTC' + ahead * interval '1 month', '"archive.event_"YYYY_MM') AS name
         FROM generate_series(0, 2) AS ahead`,
    )
    await archiveAll()
    const { rows } = await client.query<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits
        WHERE inhparent = 'archived_event'::regclass ORDER BY name`,
    )
    // A month may have ended meanwhile.
    expect(fieldOf(rows, 'name')).to.include.members(fieldOf(expected, 'name'))
    expect(rows).to.have.length.within(3, 4)

    const off = await startService()
    atTestEnd(() => off.stop())
    const worker = off.startWorker()
    const lines = startLines(worker.deps)
    atTestEnd(() => lines.stop())
    const names = createLoops(worker.deps, lines, () => undefined).map(({ name }) => name)
    expect(names).to.include('prune-idempotency').and.not.include('archive-events')
    const on = createLoops(deps, lines, () => undefined).map(({ name }) => name)
    expect(on).to.include('archive-events')
  })
})
