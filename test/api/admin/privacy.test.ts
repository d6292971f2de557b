import { createHash } from 'node:crypto'
import { expect } from 'chai'
import pg from 'pg'
import { atEndOfSuite } from '../../support/at-end.ts'
import { delivery } from '../../support/factory.ts'
import type { TestCasino } from '../../support/factory.ts'
import { eraseOldDeliveries } from '../../../core/privacy/retain-deliveries.ts'
import { exportPlayer, rowsMax } from '../../../core/privacy/export-player.ts'
import { previewErasure } from '../../../core/privacy/preview-erasure.ts'
import { createEraseWaitingPlayers } from '../../../core/privacy/erase-player.ts'
import { instant, sql } from '../../../core/platform/sql.ts'
import { openDatabase } from '../../../core/platform/database.ts'
import { receiveShipmentUpdate } from '../../../core/prize-order/receive-shipment-update.ts'
import { countLockWaits } from '../../support/lock-waits.ts'
import { changeAsOwner } from '../../support/owner.ts'
import { eventually } from '../../support/eventually.ts'
import { readBlocks, readDocument, readSection } from '../../docs/markdown.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { at, complaintsOf, createOperator, fieldOf, listAt, textAt } from './operator.ts'
import type { TestOperator } from './operator.ts'

const dayMs = 24 * 3_600_000

describe('privacy', () => {
  let service: TestService
  let casino: TestCasino
  let operator: TestOperator
  let nowMs = Date.now()
  const clock = { now: () => new Date(nowMs) }

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService({ clock })
    atEnd(() => service.stop())
    casino = await service.factory.casino()
    operator = createOperator(service.client, casino.apiKey)
  })

  const order = async (playerId: string) => {
    const { prizeId } = await service.factory.prize(casino.id, { playerId })
    const body = { player_id: playerId, prize_id: prizeId, ...delivery }
    expect((await service.client.post('/prize/order', casino.apiKey, body)).status).to.equal(200)
    const prize = await operator.get(`/${casino.id}/prizes/${prizeId}`)
    return textAt(prize, 'data.orders.0.order_id')
  }
  const move = (orderId: string, name: string, body?: object) =>
    operator.post(`/${casino.id}/orders/${orderId}/${name}`, body)
  const trackingNumber = 'RR123456785MT'
  const deliver = async (orderId: string) => {
    await move(orderId, 'confirm')
    await move(orderId, 'ship', { carrier: 'Post', tracking_number: trackingNumber })
    expect((await move(orderId, 'deliver')).status).to.equal(200)
  }
  const read = (orderId: string) => operator.get(`/${casino.id}/orders/${orderId}`)
  const erase = (playerId: string, body?: object) =>
    operator.post(`/${casino.id}/players/${encodeURIComponent(playerId)}/erase`, body)
  const exportOf = (playerId: string, body?: object) =>
    operator.post(`/${casino.id}/players/${playerId}/export`, body)
  const retain = () => eraseOldDeliveries({ ...worker(), findSettings: service.deps.findSettings })
  const worker = () => ({ database: service.database, clock, log: service.deps.log })
  const eraseWaiting = () => createEraseWaitingPlayers(worker())()

  const personal = { reason: 'nobody called Ann at this door', trackingNumber, carrier: 'Post' }
  const keptPersonal = { ...personal, isNamed: true }
  const erasedUpdate = { reason: null, trackingNumber: null, carrier: null, isNamed: false }
  /** Receives an update as from the order's provider. */
  const tell = (orderId: string, id: string, { database }: Pick<TestService, 'database'> = service) =>
    receiveShipmentUpdate({ ...service.deps, database }, casino.id, {
      id,
      orderId,
      shipmentNumber: 1,
      status: 'exception',
      occurredAt: clock.now(),
      ...personal,
    })
  /** The stored fields of an update, and whether it still has the provider's own id. */
  const keptUpdate = async (id: string) => {
    const hash = createHash('sha256').update(id).digest('hex')
    const row = await service.database.partnerEvent.findFirstOrThrow({
      where: { casinoId: casino.id, id: { in: [id, `erased/${hash}`] } },
    })
    const { reason, trackingNumber: number, carrier } = row
    return { reason, trackingNumber: number, carrier, isNamed: row.id === id }
  }

  it('destroys the key of delivery details when an order has been finished for the retention time', async () => {
    const [finished, open] = [await order('old'), await order('old')]
    await deliver(finished)
    nowMs += 89 * dayMs
    expect(await retain()).to.equal(0)
    nowMs += 2 * dayMs
    expect(await retain()).to.equal(1)
    expect(await retain()).to.equal(0)
    const erased = await read(finished)
    expect(at(erased, 'data')).to.include({
      state: 'delivered',
      delivery: null,
      carrier: null,
      tracking_number: null,
    })
    expect(fieldOf(listAt(erased, 'data.history'), 'type').at(-1)).to.equal('prize_order.delivery_erased')
    expect(at(await read(open), 'data.delivery')).to.deep.equal(delivery)
    const row = await service.database.prizeOrder.findUniqueOrThrow({ where: { id: finished } })
    expect([row.deliveryKey, row.deliveryKeyId, row.deliveryCiphertext.length]).to.deep.equal([null, null, 0])
  })

  it('removes the names that the provider has sent, and shows them in the export until then', async () => {
    const orderId = await order('named')
    await deliver(orderId)
    const data = { providerReference: 'prv-canary-1' }
    await service.database.prizeOrder.update({ where: { id: orderId }, data })
    await tell(orderId, 'told-canary-1')
    const exported = async () => (await operator.post(`/${casino.id}/players/named/export`)).text
    for (const name of ['prv-canary-1', 'told-canary-1']) expect(await exported()).to.contain(name)
    expect((await erase('named')).status).to.equal(200)
    await tell(orderId, 'told-canary-1') // once more: it is still recognised
    for (const name of ['prv-canary-1', 'told-canary-1']) expect(await exported()).not.to.contain(name)
    const row = await service.database.prizeOrder.findUniqueOrThrow({ where: { id: orderId } })
    expect(row.providerReference).to.equal(null)
    expect(await service.database.partnerEvent.count({ where: { orderId } })).to.equal(1)
  })

  it('keeps no tracking number, in the order or in events', async () => {
    const orderId = await order('tracked')
    await deliver(orderId)
    expect(at(await read(orderId), 'data.tracking_number')).to.equal(trackingNumber)
    expect((await erase('tracked', {})).status).to.equal(200)
    expect(at(await read(orderId), 'data.tracking_number')).to.equal(null)
    const events = await service.database.event.findMany({ where: { objectId: orderId } })
    expect(events.find(({ type }) => type === 'prize_order.shipped')?.data).to.equal(null)
    expect(JSON.stringify(events.map(({ data }) => data))).to.not.contain(trackingNumber)
  })

  it('keeps no personal data from the provider’s updates, received before the erasure or after it', async () => {
    const [orderId, open] = [await order('told'), await order('told')]
    await deliver(orderId)
    await tell(orderId, 'told-1')
    await tell(open, 'told-2')
    expect(await keptUpdate('told-1')).to.deep.equal(keptPersonal)
    expect((await erase('told')).status).to.equal(200)
    await tell(orderId, 'told-3')
    expect(await keptUpdate('told-1')).to.deep.equal(erasedUpdate)
    expect(await keptUpdate('told-2')).to.deep.equal(keptPersonal)
    expect(await keptUpdate('told-3')).to.deep.equal(erasedUpdate)

    await deliver(open)
    nowMs += 91 * dayMs
    expect(await retain()).to.be.greaterThan(0)
    expect(await keptUpdate('told-2')).to.deep.equal(erasedUpdate)
  })

  it('keeps no personal data from an update that arrives while its order is being erased', async () => {
    const orderId = await order('racing')
    await deliver(orderId)
    const url = service.env['DATABASE_URL'] ?? ''
    const holder = new pg.Client({ connectionString: url })
    await holder.connect()
    // It waits longer for locks than requests do, so that the rest of the test fits in on a busy machine.
    const patient = openDatabase({ url, poolMax: 1, log: service.deps.log, isForScans: true })
    const waiting = async (count: number) => (await countLockWaits(service.database)) === count
    try {
      // The update gets stuck half-way: another transaction is about to take its id.
      await holder.query('BEGIN')
      await holder.query(
        `INSERT INTO partner_event (casino_id, id, order_id, shipment_number, status, occurred_at, received_at)
         VALUES ($1, 'raced', $2, 1, 'shipped', now(), now())`,
        [casino.id, orderId],
      )
      const telling = tell(orderId, 'raced', patient)
      await eventually('the update waits', () => waiting(1))
      const erasing = erase('racing')
      await eventually('the erasure waits for the update', () => waiting(2))
      await holder.query('ROLLBACK')
      await telling
      expect(at(await erasing, 'data.erased_orders')).to.equal(1)
      expect(await keptUpdate('raced')).to.deep.equal(erasedUpdate)
    } finally {
      await holder.end()
      await patient.close()
    }
  })

  it('postpones the erasure while another process holds an order of the player', async () => {
    const orderId = await order('held')
    await deliver(orderId)
    const holder = new pg.Client({ connectionString: service.env['DATABASE_URL'] ?? '' })
    await holder.connect()
    try {
      await holder.query('BEGIN')
      await holder.query('SELECT FROM prize_order WHERE id = $1 FOR UPDATE', [orderId])
      const refused = await erase('held')
      expect([refused.status, refused.headers.get('X-Error-Code')]).to.deep.equal([503, 'overloaded'])
    } finally {
      await holder.end()
    }
    expect(at(await erase('held'), 'data')).to.include({ erased_orders: 1 })
  })

  it('follows the casino’s retention setting, and refuses invalid values', async () => {
    const other = await service.factory.casino()
    const ofOther = createOperator(service.client, other.apiKey)
    const put = (days: unknown) =>
      ofOther.put(`/${other.id}/settings/privacy`, { delivery_retention_days: days })
    for (const days of [0, 3_651, 1.5, '30', null, undefined]) expect((await put(days)).status).to.equal(400)
    expect((await put(1)).status).to.equal(200)
    expect(at(await operator.get(`/${casino.id}/settings/privacy`), 'data.value')).to.deep.equal({
      delivery_retention_days: 90,
    })
  })

  it('erases a player’s finished orders immediately, and the others as soon as they are finished', async () => {
    const [finished, open] = [await order('ann'), await order('ann')]
    const ofAnother = await order('bob')
    await deliver(finished)
    await deliver(ofAnother)
    await service.client.send('PUT', '/fairness/players/ann/client-seed', {
      headers: { Authorization: `Bearer ${casino.apiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ client_seed: 'my dog' }),
    })
    const reply = await erase('ann', { reason: 'asked by letter' })
    expect(at(reply, 'data')).to.deep.equal({
      player_id: 'ann',
      erased_orders: 1,
      waiting_order_ids: [open],
    })
    expect(at(await read(finished), 'data.delivery')).to.equal(null)
    expect(at(await read(open), 'data.delivery')).to.deep.equal(delivery)
    expect(at(await read(ofAnother), 'data.delivery')).to.deep.equal(delivery)
    const player = { where: { casinoId_id: { casinoId: casino.id, id: 'ann' } } }
    expect(await service.database.player.findUniqueOrThrow(player)).to.include({
      clientSeed: null,
      erasedAt: null,
    })

    nowMs += 1_000
    const later = await order('ann') // a later order of the player, which the request does not cover
    await move(open, 'cancel')
    await deliver(later)
    expect(await eraseWaiting()).to.be.at.least(2) // an order, and its player
    expect(at(await read(open), 'data.delivery')).to.equal(null)
    expect(at(await read(later), 'data.delivery')).to.deep.equal(delivery)
    expect((await service.database.player.findUniqueOrThrow(player)).erasedAt).not.to.equal(null)
    expect(await eraseWaiting()).to.equal(0)
  })

  it('erases any number of waiting players, in rounds of a few statements', async () => {
    const one = await order('waiting-00000')
    const other = await service.factory.casino()
    await changeAsOwner(
      service.database,
      sql`INSERT INTO prize_order (id, casino_id, prize_id, player_id, state, delivery_ciphertext, delivery_key, created_at, updated_at)
          SELECT id || number, ${other.id}::text, prize_id || number, 'waiting-' || lpad(number::text, 5, '0'), state,
                 delivery_ciphertext, delivery_key, created_at, updated_at
            FROM prize_order, generate_series(1, 12000) AS number WHERE id = ${one}::text`,
    )
    await service.database.$executeRaw`
      INSERT INTO player (casino_id, id, erase_requested_at)
      SELECT casino_id, player_id, ${instant(new Date(nowMs + 1_000))} FROM prize_order WHERE casino_id = ${other.id}::text`
    await service.database.$executeRaw`
      UPDATE prize_order SET state = 'cancelled', ended_at = ${instant(new Date(nowMs))}
       WHERE casino_id = ${other.id}::text AND player_id = 'waiting-11999'`

    let statements = 0
    const database = new Proxy(service.database, {
      get: (target, name, receiver) => {
        if (typeof name === 'string' && name.startsWith('$')) statements += 1
        return Reflect.get(target, name, receiver) as unknown
      },
    })
    const turn = createEraseWaitingPlayers({ ...worker(), database })
    const erased: number[] = []
    for (let count = 0; count < 3; count++) erased.push(await turn())
    expect(erased).to.deep.equal([0, 0, 2])
    expect(statements).to.be.at.most(36)
    // A later turn finds a player whose order has ended meanwhile.
    await service.database.$executeRaw`
      UPDATE prize_order SET state = 'cancelled', ended_at = ${instant(new Date(nowMs))}
       WHERE casino_id = ${other.id}::text AND player_id = 'waiting-00001'`
    expect(await turn()).to.equal(2)
    await service.database.player.deleteMany({ where: { casinoId: other.id } })
  })

  it('repeats erasures after a restore, as docs/operate/backups.md says, but spares later orders', async () => {
    const [orderId, ofAnother] = [await order('restored'), await order('unerased')]
    await deliver(orderId)
    await deliver(ofAnother)
    const erasedAt = new Date((nowMs += 1_000))
    nowMs += 1_000
    const later = await order('restored')
    await deliver(later)
    const section = readSection(readDocument('docs/operate/backups.md'), '### Erasures after a restore')
    const [createTable = '', replay = ''] = readBlocks(section, 'sql')
    const session = new pg.Client({ connectionString: service.env['DATABASE_URL'] })
    await session.connect()
    try {
      await session.query(createTable)
      await session.query('INSERT INTO erased_player VALUES ($1, $2, $3)', [casino.id, 'restored', erasedAt])
      expect((await session.query(replay)).rowCount).to.equal(1)
      expect((await session.query(replay)).rowCount).to.equal(0)
    } finally {
      await session.end()
    }
    expect(await eraseWaiting()).to.be.at.least(2) // an order, and its player
    expect(at(await read(orderId), 'data.delivery')).to.equal(null)
    for (const kept of [later, ofAnother]) {
      expect(at(await read(kept), 'data.delivery')).to.deep.equal(delivery)
    }
  })

  it('gives each casino its share of a round, however many players and orders of another casino wait', async () => {
    const ended = await order('ended')
    const [busy, quiet] = [await service.factory.casino(), await service.factory.casino()].sort(
      (one, other) => (one.id < other.id ? -1 : 1),
    )
    if (busy === undefined || quiet === undefined) throw new Error('two casinos were made')
    const addOrders = (casinoId: string, playerId: string, count: number) =>
      changeAsOwner(
        service.database,
        sql`INSERT INTO prize_order (id, casino_id, prize_id, player_id, state, delivery_ciphertext, delivery_key, created_at, updated_at, ended_at)
            SELECT ${casinoId}::text || number, ${casinoId}::text, ${casinoId}::text || number, ${playerId}::text, 'cancelled',
                   delivery_ciphertext, delivery_key, created_at, updated_at, updated_at
              FROM prize_order, generate_series(1, ${count}::int) AS number WHERE id = ${ended}::text`,
      )
    await addOrders(busy.id, 'player-0', 600)
    await addOrders(quiet.id, 'player-1', 1)
    const addPlayers = (casinoId: string, count: number) => service.database.$executeRaw`
      INSERT INTO player (casino_id, id, erase_requested_at)
      SELECT ${casinoId}::text, 'player-' || number, ${instant(new Date(nowMs + 1_000))}
        FROM generate_series(0, ${count - 1}::int) AS number`
    await addPlayers(busy.id, 6_000)
    await addPlayers(quiet.id, 2)
    const countErased = (casinoId: string) =>
      service.database.player.count({ where: { casinoId, erasedAt: { not: null } } })

    const turn = createEraseWaitingPlayers(worker())
    await turn()
    expect(await countErased(quiet.id), 'of the quiet casino').to.equal(2)
    expect(await countErased(busy.id), 'of the busy one').to.be.within(1, 5_000)
    while ((await turn()) > 0);
    expect(await countErased(busy.id)).to.equal(6_000)
    await service.database.player.deleteMany({ where: { casinoId: { in: [busy.id, quiet.id] } } })
  })

  it('shows beforehand what it would erase, and erases nothing if that has changed since', async () => {
    const path = `/${casino.id}/players/previewed/erasure`
    const preview = async () => {
      const reply = await operator.get(path)
      expect(reply.status, reply.text).to.equal(200)
      const { content_hash: contentHash, ...counts } = at(reply, 'data') as Record<string, unknown>
      return { contentHash: String(contentHash), counts }
    }
    const nothing = {
      player_id: 'previewed',
      erasable_orders: 0,
      waiting_orders: 0,
      waiting_order_ids: [],
      notes: 0,
      client_seed: false,
      is_partial: false,
    }
    expect((await preview()).counts).to.deep.equal(nothing)
    const [finished, open] = [await order('previewed'), await order('previewed')]
    await deliver(finished)
    const { prizeId } = await service.factory.prize(casino.id, { playerId: 'previewed' })
    const note = () => operator.post(`/${casino.id}/prizes/${prizeId}/notes`, { text: 'called twice' })
    await note()
    const setSeed = await service.client.send('PUT', '/fairness/players/previewed/client-seed', {
      headers: { Authorization: `Bearer ${casino.apiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ client_seed: 'x' }),
    })
    expect(setSeed.status, setSeed.text).to.equal(200)
    const first = await preview()
    const full = {
      ...nothing,
      erasable_orders: 1,
      waiting_orders: 1,
      waiting_order_ids: [open],
      notes: 1,
      client_seed: true,
    }
    expect(first.counts).to.deep.equal(full)
    expect((await preview()).contentHash, 'without a change').to.equal(first.contentHash)

    const changes: (() => Promise<unknown>)[] = [
      note,
      () => order('previewed'),
      () => move(open, 'reject', { reason: 'no such street' }),
    ]
    for (const [index, change] of changes.entries()) {
      const { contentHash } = await preview()
      await change()
      const refused = await erase('previewed', { expected_content_hash: contentHash })
      expect([refused.status, refused.headers.get('X-Error-Code')], `change ${index}`).to.deep.equal([
        409,
        'revision_changed',
      ])
      expect(at(await read(finished), 'data.delivery'), 'is still there').to.deep.equal(delivery)
    }
    const player = await service.database.player.findUniqueOrThrow({
      where: { casinoId_id: { casinoId: casino.id, id: 'previewed' } },
    })
    expect(player).to.include({ eraseRequestedAt: null, clientSeed: 'x' })

    const last = await preview()
    expect(last.counts).to.deep.include({ erasable_orders: 2, waiting_orders: 1, notes: 2 })
    const done = await erase('previewed', { expected_content_hash: last.contentHash })
    expect([done.status, at(done, 'data.erased_orders')]).to.deep.equal([200, 2])
    expect((await preview()).counts).to.deep.include({ erasable_orders: 0, waiting_orders: 1, notes: 0 })
    expect((await preview()).counts['client_seed']).to.equal(false)
    const wrong = await erase('previewed', { expected_content_hash: 'x' })
    expect(complaintsOf(wrong)).to.deep.equal(['expected_content_hash'])
    const other = await service.factory.casino()
    expect((await operator.get(`/${other.id}/players/previewed/erasure`)).status).to.equal(404)
    const theirs = createOperator(service.client, other.apiKey)
    expect(at(await theirs.get(`/${other.id}/players/previewed/erasure`), 'data.notes')).to.equal(0)
  })

  it('waits with its comparison for a note that is being added', async () => {
    const { prizeId } = await service.factory.prize(casino.id, { playerId: 'noted' })
    await service.database.player.create({ data: { casinoId: casino.id, id: 'noted' } })
    const { contentHash } = await previewErasure(service.database, { casinoId: casino.id, playerId: 'noted' })
    const client = new pg.Client({ connectionString: String(service.env['DATABASE_URL']) })
    await client.connect()
    try {
      await client.query('BEGIN')
      await client.query('SELECT id FROM player WHERE casino_id = $1 AND id = $2 FOR SHARE', [
        casino.id,
        'noted',
      ])
      const erasing = erase('noted', { expected_content_hash: contentHash })
      await eventually(
        'the erasure waits',
        async () => (await countLockWaits(service.database, 'FROM player')) > 0,
      )
      await client.query(
        `INSERT INTO prize_note (id, casino_id, prize_id, player_id, text_ciphertext, text_key, text_key_id, actor,
                                 request_id, created_at)
         VALUES ('nte_1', $1, $2, 'noted', '\\x01', decode(repeat('00', 60), 'hex'), 'test', 'admin', 'req', now())`,
        [casino.id, prizeId],
      )
      await client.query('COMMIT')
      expect((await erasing).status).to.equal(409)
    } finally {
      await client.end()
    }
    await service.database.prizeNote.deleteMany({ where: { casinoId: casino.id, prizeId } })
  })

  it('accepts the erasure of an unknown player, and hides other casinos’ players', async () => {
    expect(at(await erase('nobody'), 'data')).to.deep.equal({
      player_id: 'nobody',
      erased_orders: 0,
      waiting_order_ids: [],
    })
    const other = await service.factory.casino()
    const foreign = await operator.post(`/${other.id}/players/ann/erase`)
    expect(foreign.status).to.equal(404)
    expect((await erase('\0')).status).to.equal(400)
    expect((await erase('ann', { reason: 5 })).status).to.equal(400)
  })

  it('exports everything that is stored about a player, decrypted, and nothing about others', async () => {
    const [orderId] = [await order('eve'), await order('mallory')]
    await move(orderId, 'confirm', { reason: 'called Eve' })
    await tell(orderId, 'eve-1')
    const { prizeId } = await service.factory.prize(casino.id, { playerId: 'eve', cashback: 700 })
    const decided = { player_id: 'eve', prize_id: prizeId }
    expect((await service.client.post('/prize/cashback', casino.apiKey, decided)).status).to.equal(200)
    const boxId = await service.factory.box(casino.id, {
      entries: [{ itemId: await service.factory.item(casino.id, {}), weight: 1 }],
    })
    const grantId = await service.factory.grant(casino.id, 'eve', boxId)
    const opened = { player_id: 'eve', box_id: boxId }
    expect((await service.client.post('/box/open', casino.apiKey, opened)).status).to.equal(200)

    const reply = await exportOf('eve')
    expect(reply.status).to.equal(200)
    expect(reply.headers.get('Cache-Control')).to.equal('no-store')
    expect(at(reply, 'data.complete')).to.equal(true)
    expect(at(reply, 'data.next_cursor')).to.equal(undefined)
    const orders = listAt(reply, 'data.orders')
    expect(fieldOf(orders, 'order_id')).to.deep.equal([orderId])
    expect(fieldOf(orders, 'delivery')).to.deep.equal([delivery])
    expect(listAt(reply, 'data.prizes')).to.have.length(3)
    expect(fieldOf(listAt(reply, 'data.openings'), 'grant_id')).to.deep.equal([grantId])
    expect(at(reply, 'data.news.0')).to.include({
      order_id: orderId,
      reason: personal.reason,
      tracking_number: trackingNumber,
    })
    expect(at(reply, 'data.ledger_entries')).to.have.length(1)
    expect(at(reply, 'data.ledger_entries.0')).to.include({
      kind: 'cashback_reserve',
      account: 'player_pending',
      amount_minor: 700,
      cashback_id: textAt(reply, 'data.cashbacks.0.cashback_id'),
    })
    const told = listAt(reply, 'data.history')
    expect(fieldOf(told, 'type')).to.include.members([
      'prize.won',
      'prize_order.placed',
      'prize_order.confirmed',
    ])
    expect(fieldOf(told, 'reason')).to.include('called Eve')
    expect(fieldOf(told, 'object_type')).to.include('cashback')
    expect(reply.text).not.to.include('mallory')
  })

  it('exports a large amount in several parts, with each object once', async () => {
    const grantIds = Array.from({ length: 1_001 }, (_, n) => `hoard-${n}`)
    await service.database.grant.createMany({
      data: grantIds.map((id) => ({ casinoId: casino.id, id, playerId: 'hoarder', boxId: 'any', count: 1 })),
    })
    const orderId = await order('hoarder')
    const seen: unknown[] = []
    const orderIds: unknown[] = []
    let cursor: string | undefined
    let parts = 0
    do {
      const part = await exportOf('hoarder', cursor === undefined ? undefined : { cursor })
      expect(part.status).to.equal(200)
      seen.push(...fieldOf(listAt(part, 'data.grants'), 'grant_id'))
      orderIds.push(...fieldOf(listAt(part, 'data.orders'), 'order_id'))
      const isComplete = at(part, 'data.complete') === true
      cursor = isComplete ? undefined : textAt(part, 'data.next_cursor')
      parts += 1
    } while (cursor !== undefined && parts < 10)
    expect(parts).to.equal(3)
    expect(seen).to.have.members(grantIds)
    expect(orderIds).to.deep.equal([orderId])
  })

  it('refuses cursors that it has not made, and cursors of another player', async () => {
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const wrong = [
      '',
      ' ',
      'x',
      '%',
      5,
      null,
      true,
      {},
      [],
      'a'.repeat(10_000),
      ...[
        {},
        [],
        [null],
        [null, null, null, null, null],
        [1, 2, 3, 4, 5, 6],
        [null, null, null, null, null, '\0'],
        ['\ud800', null, null, null, null, null],
      ].map(encode),
      encode(['a', 'b', 'c', 'd', 'e', 'f', 'g']),
    ]
    const asked = await Promise.all(wrong.map((cursor) => exportOf('eve', { cursor })))
    expect(asked.map(({ status }) => status)).to.deep.equal(wrong.map(() => 400))
    const last = '\u{10ffff}'.repeat(60)
    const foreign = await exportOf('eve', { cursor: encode([last, last, last, last, last, last]) })
    expect(foreign.status).to.equal(200)
    expect(foreign.text).not.to.include('mallory')
    expect(foreign.text).not.to.include('hoard')
  })

  it('names in an export each month that is removed or restored meanwhile', async () => {
    const { cipher, database, log } = service.deps
    const player = { casinoId: casino.id, playerId: 'absent from a month' }
    await order(player.playerId)
    await database.player.create({
      data: { casinoId: casino.id, id: player.playerId, createdAt: new Date('2025-01-15T00:00:00Z') },
    })
    await changeAsOwner(
      database,
      sql`INSERT INTO removed_month (first_day) VALUES ('2024-12-01'), ('2025-01-01'), ('2025-02-01')`,
    )
    const moveMonths = async () => {
      await changeAsOwner(database, sql`DELETE FROM removed_month WHERE first_day = '2025-02-01'`)
      await changeAsOwner(database, sql`INSERT INTO removed_month (first_day) VALUES ('2025-03-01')`)
    }
    const moving = new Proxy(database, {
      get: (target, name): unknown =>
        name === 'everyPrize'
          ? {
              findMany: async (...query: Parameters<typeof target.everyPrize.findMany>) => {
                await moveMonths()
                return target.everyPrize.findMany(...query)
              },
            }
          : Reflect.get(target, name),
    })
    const exported = await exportPlayer({ database: moving, cipher, log }, player)
    expect(exported.prizes).to.have.lengthOf(1)
    expect(exported.removedMonths).to.deep.equal(['2025-01', '2025-02', '2025-03'])
    await changeAsOwner(database, sql`DELETE FROM removed_month`)
    expect((await exportPlayer(service.deps, player)).removedMonths).to.deep.equal([])
  })

  it('exports hundreds of orders, the newest first, with a few queries', async () => {
    const copied = await order('collector')
    const template = await service.database.prizeOrder.findUniqueOrThrow({ where: { id: copied } })
    const { cipher, database, log } = service.deps
    const ids = Array.from({ length: 1_010 }, (_, n) => `ord_f${String(n).padStart(31, '0')}`)
    await database.prizeOrder.createMany({
      data: ids.map((id) => {
        const sealed = cipher.seal(JSON.stringify({ ...delivery, street: id }), id)
        return {
          ...template,
          id,
          state: 'cancelled',
          endedAt: template.updatedAt,
          deliveryCiphertext: Buffer.from(sealed.ciphertext),
          deliveryKey: Buffer.from(sealed.wrappedKey),
          deliveryKeyId: sealed.keyId,
        }
      }),
    })
    let queries = 0
    const counted = new Proxy(database, {
      get: (target, name): unknown => {
        if (name === '$queryRaw') queries += 1
        return Reflect.get(target, name)
      },
    })
    const player = { casinoId: casino.id, playerId: 'collector' }
    const { orders, next } = await exportPlayer({ database: counted, cipher, log }, player)
    const newest = ids.slice(-rowsMax).reverse()
    expect(orders.map((found) => found.id)).to.deep.equal(newest)
    expect(orders.map((found) => found.delivery?.street)).to.deep.equal(newest)
    expect(queries).to.be.within(1, 20)
    const rest = await exportPlayer({ database: counted, cipher, log }, player, next ?? undefined)
    const older = ids.slice(-2 * rowsMax, -rowsMax).reverse()
    expect(rest.orders.map((found) => found.id)).to.deep.equal(older)
    expect(rest.next).to.include({ grants: null, prizes: null, orders: older.at(-1) })
  })
})
