import { expect } from 'chai'
import pg from 'pg'
import { pino } from 'pino'
import { createFindSettings } from '../../../core/casino/settings.ts'
import { pruneAnswers } from '../../../core/idempotency/prune.ts'
import { expirePrizes } from '../../../core/box/expire-prizes.ts'
import { warnExpiring } from '../../../core/prize/warn-expiring.ts'
import { createEraseWaitingPlayers, erasePlayer } from '../../../core/privacy/erase-player.ts'
import { eraseOldDeliveries } from '../../../core/privacy/retain-deliveries.ts'
import { countSetAside } from '../../../core/set-aside/set-aside.ts'
import type { SetAsideLoop } from '../../../core/set-aside/set-aside.ts'
import { fanOutEvents } from '../../../core/webhook/fan-out.ts'
import { createOperator } from '../../api/admin/operator.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { untilTransactionsEnd } from '../../support/ended-transactions.ts'
import { delivery } from '../../support/factory.ts'
import type { TestCasino } from '../../support/factory.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'

const dayMs = 24 * 3_600_000
const hourMs = 3_600_000

describe('a damaged row', () => {
  let service: TestService
  let casino: TestCasino
  let now = new Date()
  let logged: { loop?: string; casinoId?: string; objectId?: string }[] = []

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService({
      clock: { now: () => now },
      log: pino(
        { base: null },
        { write: (line) => logged.push(JSON.parse(line) as (typeof logged)[number]) },
      ),
    })
    atEnd(() => service.stop())
  })
  beforeEach(async () => {
    casino = await service.factory.casino()
    logged = []
  })

  const later = (ms: number) => {
    now = new Date(now.getTime() + ms)
  }
  const deps = () => ({ ...service.deps, findSettings: createFindSettings(service.deps) })
  /** The next step of an object is in its history already: whatever writes that step is refused. */
  const damage = async (objectType: 'prize' | 'prize_order', objectId: string) => {
    const where = { casinoId: casino.id, id: objectId }
    const { revision } =
      objectType === 'prize'
        ? await service.database.prize.findFirstOrThrow({ where })
        : await service.database.prizeOrder.findFirstOrThrow({ where })
    await service.database.event.create({
      data: {
        casinoId: casino.id,
        objectType,
        objectId,
        sequence: revision + 1,
        type: `${objectType}.damaged`,
        toState: 'damaged',
        actor: 'test',
        createdAt: now,
      },
    })
  }
  const setAside = async (loop: SetAsideLoop) => (await countSetAside(service.database)).get(loop)
  const drain = async (runOnce: () => Promise<number>) => {
    for (let turn = 0; turn < 20; turn++) if ((await runOnce()) === 0) return
    throw new Error('the loop does not come to an end')
  }

  it('does not stop others’ prizes from expiring, is named, and is tried again after an hour', async () => {
    const expiresAt = new Date(now.getTime() + hourMs)
    const damaged = await service.factory.prize(casino.id, { expiresAt })
    await damage('prize', damaged.prizeId)
    const others = await Promise.all(
      Array.from({ length: 6 }, () => service.factory.prize(casino.id, { expiresAt })),
    )
    later(2 * hourMs)
    await drain(() => expirePrizes(deps()))
    const count = () => service.database.prize.count({ where: { casinoId: casino.id, state: 'expired' } })
    expect(await count()).to.equal(others.length)
    expect(await setAside('expire-prizes')).to.equal(1)
    const named = logged.filter(({ loop }) => loop === 'expire-prizes')
    expect(named.map(({ casinoId, objectId }) => [casinoId, objectId])).to.deep.equal([
      [casino.id, damaged.prizeId],
    ])

    // The damaged prize is tried again only after an hour, and then in its new state.
    expect(await expirePrizes(deps())).to.equal(0)
    await service.database.prize.updateMany({
      where: { casinoId: casino.id, id: damaged.prizeId },
      data: { revision: { increment: 1 } },
    })
    expect(await expirePrizes(deps())).to.equal(0)
    later(2 * hourMs)
    expect(await expirePrizes(deps())).to.equal(1)
    expect(await count()).to.equal(others.length + 1)
  })

  it('does not stop warnings about other prizes', async () => {
    const expiresAt = new Date(now.getTime() + hourMs)
    const damaged = await service.factory.prize(casino.id, { expiresAt })
    await damage('prize', damaged.prizeId)
    const foreign = await service.factory.casino()
    const other = await service.factory.prize(foreign.id, { expiresAt })
    for (const casinoId of [casino.id, foreign.id]) {
      await service.database.casinoSetting.create({
        data: { casinoId, name: 'expiry', value: { warn_days: 1 }, updatedAt: now },
      })
    }
    await drain(() => warnExpiring(deps()))
    const where = { casinoId: foreign.id, id: other.prizeId, expiryWarnedAt: { not: null } }
    expect(await service.database.prize.count({ where })).to.equal(1)
    expect(await setAside('warn-expiring')).to.equal(1)
  })

  const order = async (playerId: string) => {
    const { prizeId } = await service.factory.prize(casino.id, { playerId })
    const body = { player_id: playerId, prize_id: prizeId, ...delivery }
    expect((await service.client.post('/prize/order', casino.apiKey, body)).status).to.equal(200)
    return service.database.prizeOrder.findFirstOrThrow({ where: { casinoId: casino.id, prizeId } })
  }
  const end = (id: string) =>
    service.database.prizeOrder.update({ where: { id }, data: { state: 'cancelled', endedAt: now } })
  const isErased = async (id: string) =>
    (await service.database.prizeOrder.findUniqueOrThrow({ where: { id } })).deliveryKey === null

  it('does not stop other addresses from being erased, by age or for a player', async () => {
    const [damaged, ofTheSame, other] = [await order('ann'), await order('ann'), await order('bob')]
    await damage('prize_order', damaged.id)
    for (const { id } of [damaged, ofTheSame, other]) await end(id)
    const wish = { actor: 'test', reason: null, requestId: null }
    const erased = await erasePlayer(deps(), { casinoId: casino.id, playerId: 'ann' }, wish)
    expect(erased.waitingOrderIds).to.deep.equal([damaged.id])
    expect([await isErased(damaged.id), await isErased(ofTheSame.id)]).to.deep.equal([false, true])

    later(400 * dayMs)
    await drain(() => eraseOldDeliveries(deps()))
    await drain(createEraseWaitingPlayers(deps()))
    expect([await isErased(damaged.id), await isErased(other.id)]).to.deep.equal([false, true])
    const ann = { where: { casinoId_id: { casinoId: casino.id, id: 'ann' } } }
    expect((await service.database.player.findUniqueOrThrow(ann)).erasedAt).to.equal(null)
  })
  it('is logged without its id if a caller has chosen the id', async () => {
    const session = new pg.Client({ connectionString: service.env['DATABASE_URL'] })
    await session.connect()
    atEnd(() => session.end())
    await session.query(`
      CREATE FUNCTION refuse_answer() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'damaged' USING ERRCODE = 'XX001'; END $$`)
    await session.query(`
      CREATE TRIGGER refuse_answer BEFORE DELETE ON idempotency_record FOR EACH ROW EXECUTE FUNCTION refuse_answer()`)
    const createdAt = new Date(Date.now() - 400 * dayMs)
    const answer = { operation: 'box_open', fingerprint: new Uint8Array(32), response: '{}', createdAt }
    const record = { ...answer, casinoId: casino.id, key: 'ann@example.com' }
    await service.database.idempotencyRecord.create({ data: record })
    await pruneAnswers(deps(), dayMs)
    expect(await setAside('prune-idempotency')).to.equal(1)
    const named = logged.filter(({ loop }) => loop === 'prune-idempotency')
    expect(named.map(({ casinoId }) => casinoId)).to.deep.equal([casino.id])
    expect(JSON.stringify(named)).not.to.include(record.key)
  })
  it('does not stop other endpoints from getting their events', async () => {
    const operator = createOperator(service.client, casino.apiKey)
    for (const id of ['damaged', 'well']) {
      const reply = await operator.put(`/${casino.id}/webhook-endpoints/${id}`, {
        url: 'https://example.com',
      })
      expect(reply.status).to.equal(201)
    }
    const session = new pg.Client({ connectionString: service.env['DATABASE_URL'] })
    await session.connect()
    atEnd(() => session.end())
    await session.query(`
      CREATE FUNCTION refuse_damaged() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'damaged' USING ERRCODE = 'XX001'; END $$`)
    await session.query(`
      CREATE TRIGGER refuse_damaged BEFORE INSERT ON webhook_delivery FOR EACH ROW
        WHEN (NEW.endpoint_id = 'damaged') EXECUTE FUNCTION refuse_damaged()`)
    await service.factory.prize(casino.id)
    await untilTransactionsEnd(service.database)
    await drain(async () => (await fanOutEvents(service.deps)).eventCount)
    const deliveries = await service.database.webhookDelivery.findMany({ where: { casinoId: casino.id } })
    expect(new Set(deliveries.map(({ endpointId }) => endpointId))).to.deep.equal(new Set(['well']))
    expect(await setAside('fan-out-events')).to.equal(1)
  })
})
