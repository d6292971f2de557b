import { expect } from 'chai'
import { findStockDifferences } from '../../../core/box/check-stock.ts'
import { sql } from '../../../core/platform/sql.ts'
import { archivePrizes } from '../../../core/archive/archive-prizes.ts'
import { receiveShipmentUpdate } from '../../../core/prize-order/receive-shipment-update.ts'
import type { WorkerDeps } from '../../../worker/deps.ts'
import { createOperator, fieldOf, listAt, textAt } from '../../api/admin/operator.ts'
import { archiveAfterMs, createArchiveTools } from '../../support/archived-world.ts'
import type { EndedWorld } from '../../support/archived-world.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import type { Reply } from '../../support/client.ts'
import { adminApiKey } from '../../support/config.ts'
import { changeAsOwner } from '../../support/owner.ts'
import { listenToStatements } from '../../support/read-plans.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { itInLongForm } from '../../support/runs.ts'

describe('with ended prizes in the archive', () => {
  let service: TestService
  let deps: WorkerDeps
  let tools: ReturnType<typeof createArchiveTools>

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService({ env: { ARCHIVE_AFTER_DAYS: '410' } })
    atEnd(() => service.stop())
    ;({ deps } = service.startWorker())
    tools = createArchiveTools(service, deps)
  })

  const makeArchived = async () => {
    const world = await tools.makeEnded()
    await tools.prepare(world.casino.id)
    await tools.archiveAll()
    expect((await tools.countRows(world.casino.id))['prize']).to.deep.equal([2, 5])
    return world
  }
  const codeOf = (reply: Reply) => [reply.status, reply.headers.get('x-error-code')]

  const reads: ((world: EndedWorld) => string)[] = [
    ...(['delivered', 'cashed', 'voided', 'expired', 'given'] as const).flatMap((name) => [
      (world: EndedWorld) => `/prizes/${prizeOf(world, name)}`,
      (world: EndedWorld) => `/prizes/${prizeOf(world, name)}/timeline`,
    ]),
    ({ delivered }) => `/orders/${delivered.orderIds[0]}`,
    ({ delivered }) => `/orders/${delivered.orderIds[1]}`,
    ({ cashed }) => `/cashbacks/${cashed.cashbackId}`,
    ...['', '?order=desc', '?state=voided', '?created_from=2001-01-01T00:00:00Z'].map(
      (query) => () => `/players/ann/prizes${query}`,
    ),
    ...[
      '',
      '?order=desc',
      '?state=delivered',
      '?player_id=ann',
      '?player_id=ann&state=rejected',
      '?held=false',
    ].map((query) => () => `/orders${query}`),
    ...['', '?order=desc', '?state=credited', '?player_id=ann', '?player_id=ann&state=credited'].map(
      (query) => () => `/cashbacks${query}`,
    ),
    () => '/players/ann/balance',
    () => '/players/ann',
    () => '/players/ann/erasure',
    ({ boxId }) => `/boxes/${boxId}/statistics`,
    ({ boxId }) => `/boxes/${boxId}`,
  ]
  const prizeOf = (world: EndedWorld, name: 'delivered' | 'cashed' | 'voided' | 'expired' | 'given') => {
    const prize = world[name]
    return typeof prize === 'string' ? prize : prize.prizeId
  }

  /** All answers of a casino to the same calls, one after the other. */
  const callAll = async (world: EndedWorld): Promise<unknown[]> => {
    const { casino, operator, boxId, itemId, delivered, cashed, voided, given, won } = world
    const base = `/${casino.id}`
    const get = (path: string) =>
      service.client.send('GET', path, { headers: { Authorization: `Bearer ${casino.apiKey}` } })
    const post = (path: string, body: object = {}) =>
      operator.post(`${base}${path}`, { reason: 'as agreed', ...body })
    const search = (q: string) =>
      service.client.send('GET', `/admin/search?q=${q}`, {
        headers: { Authorization: `Bearer ${adminApiKey}` },
      })
    const preview = (action: string, ids: string[], params: object = {}) =>
      operator.post(`${base}/acts`, { action, object_ids: ids, params })
    const readAll = reads.map((path) => () => operator.get(`${base}${path(world)}`))
    const ids = [delivered.prizeId, ...delivered.orderIds, cashed.cashbackId, delivered.openingId]
    const calls: (() => Promise<Reply>)[] = [
      ...readAll,
      ...ids.map((id) => () => search(id)),
      () => post('/players/ann/export'),
      () => get('/fairness/openings?player_id=ann'),
      () => get('/fairness/openings?limit=2'),
      () => get(`/fairness/openings/${delivered.openingId}`),
      () => get('/boxes?player_id=ann'),
      () => get(`/boxes/${boxId}?player_id=ann`),
      () => preview('order.cancel', delivered.orderIds),
      () => preview('cashback.reverse', [cashed.cashbackId], { prize: 'void' }),
      () => preview('prize.void', [voided, given, won, delivered.prizeId]),
      // Decisions that are refused, also those that are so for another reason.
      ...['ann', 'ben'].flatMap((player) =>
        [delivered.prizeId, cashed.prizeId, voided, given, 'unknown'].flatMap((prizeId) => [
          () => tools.order(casino, player, prizeId),
          () => tools.cashBack(casino, player, prizeId),
        ]),
      ),
      () => post(`/prizes/${voided}/void`),
      () => post(`/prizes/${delivered.prizeId}/void`),
      () => post('/prizes/unknown/void'),
      () => post('/prizes', { player_id: 'ann', item_id: itemId, prize_id: given }),
      () => post('/prizes', { player_id: 'ben', item_id: 'mug', prize_id: given }),
      () => post(`/prizes/${given}/notes`, { text: 'why?' }),
      () => post(`/orders/${delivered.orderIds[0]}/confirm`),
      () => post(`/orders/${delivered.orderIds[1]}/cancel`),
      () => post(`/orders/${delivered.orderIds[1]}/hold`, { hold_reason: 'other' }),
      () => post('/orders/unknown/confirm'),
      () => post(`/cashbacks/${cashed.cashbackId}/retry`),
      () => post('/cashbacks/unknown/retry'),
      // The player has had four of six openings.
      ...Array.from({ length: 4 }, () => () => tools.open(casino, 'ann', boxId)),
      () => get('/boxes?player_id=ann'),
      // Decisions that change something.
      () => post(`/cashbacks/${cashed.cashbackId}/reverse`, { prize: 'return' }),
      () => tools.order(casino, 'ann', cashed.prizeId),
      () => post('/players/ann/erase'),
      ...readAll,
    ]
    const answers: unknown[] = []
    for (const call of calls) {
      const { status, headers, json } = await call()
      answers.push({ status, code: headers.get('x-error-code'), json })
      await service.drain()
    }
    return answers
  }

  /** The same ids get the same names, by the order in which they first appear; times and seeds are left out. */
  const withoutNames = (answers: unknown[], { casino, boxId, itemId }: EndedWorld): unknown[] => {
    const names = new Map<string, string>()
    const nameOf = (id: string) => {
      const known = names.get(id) ?? `${/^[a-z]*/.exec(id)?.[0] ?? ''}-${names.size}`
      names.set(id, known)
      return known
    }
    const text = JSON.stringify(answers)
      .replaceAll(casino.id, 'casino')
      .replaceAll(boxId, 'box')
      .replaceAll(itemId, 'item')
      .replaceAll(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
      .replaceAll(/\b[0-9a-f]{64}\b/g, 'hash')
      .replaceAll(/"key:[^"]*"/g, '"key"')
      .replaceAll(/\bevt_\d+/g, 'event')
      .replaceAll(/"(signature|next_cursor|preview_token|trace_id)":"[^"]*"/g, '"$1":"one"')
      .replaceAll(/(?<![a-z])[a-z]{3}_[0-9a-f]{32}/g, nameOf)
      .replaceAll(/\b[0-9a-f]{32}\b/g, 'hash')
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, nameOf)
    return JSON.parse(text) as unknown[]
  }

  it('every answer is as if they were live', async function () {
    this.timeout(120_000)
    const [archived, live] = [await makeArchived(), await tools.makeEnded()]
    await tools.prepare(live.casino.id)
    const found = withoutNames(await callAll(archived), archived)
    const expected = withoutNames(await callAll(live), live)
    const statuses = fieldOf(expected, 'status')
    expect(statuses).to.include.members([200, 201, 403, 404, 409])
    for (const [index, answer] of found.entries()) {
      expect(answer, `call ${index}`).to.deep.equal(expected[index])
    }
    expect(found).to.have.length(expected.length)
  })

  it('a lifetime counts earlier openings', async () => {
    const { casino, boxId } = await makeArchived()
    const open = async () => (await tools.open(casino, 'ann', boxId)).status
    expect([await open(), await open(), await open()]).to.deep.equal([200, 200, 404])
    expect((await tools.open(casino, 'new', boxId)).status).to.equal(200)
  })

  it('a lifetime counts them also when their month is gone, and statistics and stocks are right', async () => {
    const { casino, boxId, operator } = await makeArchived()
    const statistics = () => operator.get(`/${casino.id}/boxes/${boxId}/statistics`)
    const before = (await statistics()).json
    expect(JSON.stringify(before)).to.contain('"openings":5')
    for (const table of ['prize', 'prize_order', 'cashback', 'opening'] as const) {
      const gone = {
        prize: sql`DELETE FROM archived_prize WHERE casino_id = ${casino.id}::text`,
        prize_order: sql`DELETE FROM archived_prize_order WHERE casino_id = ${casino.id}::text`,
        cashback: sql`DELETE FROM archived_cashback WHERE casino_id = ${casino.id}::text`,
        opening: sql`DELETE FROM archived_opening WHERE casino_id = ${casino.id}::text`,
      }
      await changeAsOwner(service.database, gone[table])
    }
    expect((await statistics()).json).to.deep.equal(before)
    expect(await findStockDifferences(service.database, casino.id)).to.deep.equal([])
    const open = async () => (await tools.open(casino, 'ann', boxId)).status
    expect([await open(), await open(), await open()]).to.deep.equal([200, 200, 404])
    expect(await findStockDifferences(service.database, casino.id)).to.deep.equal([])
  })

  itInLongForm(
    'the check of stocks finds the same before, meanwhile and after they have come back',
    async () => {
      const world = await tools.makeEnded()
      const { casino, delivered, expired } = world
      await tools.prepare(casino.id)
      const differences = () => findStockDifferences(service.database, casino.id)
      await changeAsOwner(
        service.database,
        sql`UPDATE box_stock SET remaining = remaining + 1 WHERE casino_id = ${casino.id}::text`,
      )
      const before = await differences()
      expect(before).to.have.length(1)
      expect(before[0]).to.include({ openings: 5n, returned: 1n })
      await tools.archiveAll()
      expect(await differences()).to.deep.equal(before)
      await service.database.$queryRaw`
      SELECT bring_back_prizes(${casino.id}::text, 'prize'::text, ARRAY[${delivered.prizeId}::text, ${expired}::text])`
      expect(await tools.countRows(casino.id)).to.deep.include({ opening: [3, 2] })
      expect(await differences()).to.deep.equal(before)
    },
  )

  it('a cashback comes back to be reversed, with its prize, and moves again when it has ended again', async () => {
    const { casino, operator, cashed } = await makeArchived()
    const path = `/${casino.id}/cashbacks/${cashed.cashbackId}`
    const reversed = await operator.post(`${path}/reverse`, { reason: 'a mistake', prize: 'void' })
    expect(reversed.status, reversed.text).to.equal(200)
    await service.drain()
    expect(await tools.countRows(casino.id)).to.deep.include({
      prize: [3, 4],
      cashback: [1, 0],
      opening: [2, 3],
    })
    expect(textAt(await operator.get(`/${casino.id}/prizes/${cashed.prizeId}`), 'data.state')).to.equal(
      'voided',
    )
    await tools.prepare(casino.id)
    await tools.archiveAll()
    expect(await tools.countRows(casino.id)).to.deep.include({ cashback: [0, 1] })
    expect(textAt(await operator.get(path), 'data.state')).to.equal('reversed')
  })

  itInLongForm('a bulk action reverses archived cashbacks', async () => {
    const { casino, operator, cashed } = await makeArchived()
    const made = await operator.post(`/${casino.id}/acts`, {
      action: 'cashback.reverse',
      object_ids: [cashed.cashbackId],
      params: { prize: 'void' },
    })
    expect(made.status, made.text).to.equal(201)
    const act = `/${casino.id}/acts/${textAt(made, 'data.act_id')}`
    expect((await operator.post(`${act}/start`, { reason: 'all of them' })).status).to.equal(200)
    await service.drain()
    expect(textAt(await operator.get(act), 'data.state')).to.equal('done')
    const state = textAt(await operator.get(`/${casino.id}/cashbacks/${cashed.cashbackId}`), 'data.state')
    expect(state).to.equal('reversed')
  })

  itInLongForm('a shipment update about an archived order is noted in its history', async () => {
    const { casino, operator, delivered } = await makeArchived()
    const update = {
      id: 'late-1',
      shipmentNumber: 1,
      status: 'exception' as const,
      reason: null,
      carrier: null,
      trackingNumber: null,
      occurredAt: new Date(),
    }
    await receiveShipmentUpdate(deps, casino.id, { ...update, orderId: delivered.orderIds[1] })
    await service.drain()
    expect(await tools.countRows(casino.id)).to.deep.include({ prize: [3, 4], prize_order: [2, 0] })
    const history = listAt(
      await operator.get(`/${casino.id}/orders/${delivered.orderIds[1]}`),
      'data.history',
    )
    expect(fieldOf(history, 'type')).to.include('prize_order.news_ignored')
    const unknown = receiveShipmentUpdate(deps, casino.id, { ...update, orderId: 'unknown' }).then(
      () => 'stored',
      (error: unknown) => fieldOf([error], 'code')[0],
    )
    expect(await unknown).to.equal('order_unknown')
  })

  it('an object of another casino does not come back', async () => {
    const { casino, cashed, delivered } = await makeArchived()
    const other = await service.factory.casino()
    const operator = createOperator(service.client, other.apiKey)
    for (const path of [
      `/orders/${delivered.orderIds[1]}/cancel`,
      `/cashbacks/${cashed.cashbackId}/reverse`,
      `/prizes/${delivered.prizeId}/void`,
    ]) {
      const reply = await operator.post(`/${other.id}${path}`, { reason: 'x', prize: 'void' })
      expect(reply.status, path).to.equal(404)
    }
    expect(codeOf(await tools.order(other, 'ann', delivered.prizeId))).to.deep.equal([404, 'prize_unknown'])
    expect((await tools.countRows(casino.id))['prize']).to.deep.equal([2, 5])
  })

  it('a request about a live prize asks for nothing archived', async () => {
    const { casino, won, cashed, boxId } = await makeArchived()
    const { prizeId } = await service.factory.prize(casino.id, { playerId: 'ann' })
    const textsOf = async (run: () => Promise<Reply>) => {
      const { statements, result } = await listenToStatements(run)
      expect(result.status, result.text).to.equal(200)
      return statements.map(({ text }) => text).filter((text) => /every_prize|bring_back_prizes/.test(text))
    }
    expect(await textsOf(() => tools.order(casino, 'ben', won))).to.deep.equal([])
    expect(await textsOf(() => tools.cashBack(casino, 'ann', prizeId))).to.deep.equal([])
    expect(await textsOf(() => tools.open(casino, 'ann', boxId))).to.deep.equal([])
    const { statements } = await listenToStatements(() => tools.order(casino, 'ben', cashed.prizeId))
    expect(statements.filter(({ text }) => text.includes('every_prize'))).to.have.length(1)
  })

  it('players’ requests bring nothing back', async () => {
    const { casino, delivered, cashed } = await makeArchived()
    const answers = [
      await tools.order(casino, 'ann', delivered.prizeId),
      await tools.order(casino, 'ben', delivered.prizeId),
      await tools.cashBack(casino, 'ann', cashed.prizeId),
      await tools.cashBack(casino, 'ben', cashed.prizeId),
    ]
    expect(answers.map(codeOf)).to.deep.equal([
      [404, 'prize_not_orderable'],
      [403, 'prize_not_owned'],
      [404, 'prize_not_cashable'],
      [404, 'prize_not_owned'],
    ])
    expect((await tools.countRows(casino.id))['prize']).to.deep.equal([2, 5])
  })

  it('a request never misses a prize that moves at the same time, in either direction', async function () {
    this.timeout(120_000)
    const { casino, operator, cashed, delivered } = await makeArchived()
    const due = () => tools.age(casino.id, 0)
    const path = `/${casino.id}/cashbacks/${cashed.cashbackId}`
    for (let round = 0; round < 25; round++) {
      await due()
      const [retried, cancelled, ordered, shown] = await Promise.all([
        operator.post(`${path}/retry`, { reason: 'again' }),
        operator.post(`/${casino.id}/orders/${delivered.orderIds[1]}/confirm`, { reason: 'again' }),
        tools.order(casino, 'ben', delivered.prizeId),
        operator.get(path),
        archivePrizes(deps, archiveAfterMs),
        archivePrizes(deps, archiveAfterMs),
      ])
      expect(codeOf(retried)).to.deep.equal([409, 'transition_illegal'])
      expect(codeOf(cancelled)).to.deep.equal([409, 'transition_illegal'])
      expect(codeOf(ordered)).to.deep.equal([403, 'prize_not_owned'])
      expect(shown.status).to.equal(200)
      const counts = await tools.countRows(casino.id)
      expect(Object.values(counts).map(([live, archived]) => live + archived)).to.deep.equal([7, 2, 1, 5])
    }
    await due()
    await archivePrizes(deps, archiveAfterMs)
    expect((await tools.countRows(casino.id))['prize']).to.deep.equal([2, 5])
    // One reversal, although the prize moves and comes back under it.
    await due()
    const replies = await Promise.all([
      ...Array.from({ length: 4 }, () => operator.post(`${path}/reverse`, { reason: 'x', prize: 'void' })),
      archivePrizes(deps, archiveAfterMs),
      archivePrizes(deps, archiveAfterMs),
    ])
    const statuses = replies.flatMap((reply) => (typeof reply === 'number' ? [] : [reply.status]))
    expect(statuses.sort()).to.deep.equal([200, 409, 409, 409])
  })
})
