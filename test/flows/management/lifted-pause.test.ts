import { expect } from 'chai'
import { createPauseSetting } from '../../../core/casino/pause-setting.ts'
import { loadSettingsOf } from '../../../core/casino/settings.ts'
import type { SettingName } from '../../../core/casino/setting-values.ts'
import { createLogger } from '../../../core/platform/logger.ts'
import { atEndOfSuite } from '../../support/at-end.ts'
import { delivery } from '../../support/factory.ts'
import type { TestCasino } from '../../support/factory.ts'
import { startService } from '../../support/service.ts'
import type { TestService } from '../../support/service.ts'
import { createOperator } from '../../api/admin/operator.ts'
import type { TestOperator } from '../../api/admin/operator.ts'

const minuteMs = 60_000
const partner = { kind: 'http', url: 'https://partner.example/' }

describe('work that is snoozed because a setting is paused', () => {
  let service: TestService
  let casino: TestCasino
  let operator: TestOperator
  const now = new Date('2027-05-06T12:00:00Z')

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService({ clock: { now: () => now } })
    atEnd(() => service.stop())
  })
  beforeEach(async () => {
    casino = await service.factory.casino()
    operator = createOperator(service.client, casino.apiKey)
  })

  const later = (ms: number) => new Date(now.getTime() + ms)
  const pause = async (name: SettingName) => {
    await operator.put(`/${casino.id}/settings/${name}`, partner)
    const run = createPauseSetting({ ...service.deps, log: createLogger('test', 'silent') })
    const setting = (await loadSettingsOf(service.deps, casino.id)).get(name)
    expect(await run(casino.id, name, setting, 'status_401')).to.equal(true)
  }
  const lift = {
    resume: (name: SettingName) => operator.post(`/${casino.id}/settings/${name}/resume`),
    PUT: (name: SettingName) => operator.put(`/${casino.id}/settings/${name}`, partner),
  }
  /** Lets the work of an object rest, as workers do, and gives the object's id. */
  const rest = async (objectId: string, ms: number) => {
    const dueAt = later(ms)
    const { count } = await service.database.outbox.updateMany({
      where: { objectId },
      data: { dueAt, snoozedUntil: dueAt, createdAt: dueAt, relayed: 1 },
    })
    expect(count).to.equal(1)
    return objectId
  }
  const restsMs = async (objectId: string) => {
    const work = await service.database.outbox.findFirstOrThrow({ where: { objectId } })
    expect([work.dueAt, work.createdAt]).to.deep.equal([work.snoozedUntil, work.snoozedUntil])
    return work.dueAt.getTime() - now.getTime()
  }
  const cashback = async (data: object, { id, apiKey } = casino) => {
    const { prizeId, playerId } = await service.factory.prize(id)
    const body = { player_id: playerId, prize_id: prizeId }
    expect((await service.client.post('/prize/cashback', apiKey, body)).status).to.equal(200)
    const where = { casinoId: id, prizeId }
    await service.database.cashback.updateMany({ where, data })
    return (await service.database.cashback.findFirstOrThrow({ where })).id
  }
  const order = async (data: object) => {
    const { prizeId, playerId } = await service.factory.prize(casino.id)
    const body = { player_id: playerId, prize_id: prizeId, ...delivery }
    expect((await service.client.post('/prize/order', casino.apiKey, body)).status).to.equal(200)
    const where = { casinoId: casino.id, prizeId }
    await service.database.prizeOrder.updateMany({ where, data })
    return (await service.database.prizeOrder.findFirstOrThrow({ where })).id
  }

  for (const how of ['resume', 'PUT'] as const) {
    it(`consists of cashbacks, which are due within seconds of a ${how}, and spread`, async () => {
      await pause('wallet')
      const waiting: string[] = []
      for (let i = 0; i < 8; i++) {
        const state = i % 2 === 0 ? 'unknown' : 'requested'
        waiting.push(await rest(await cashback({ state }), (1 + (i % 5)) * minuteMs))
      }
      expect((await lift[how]('wallet')).status).to.equal(200)
      const times = await Promise.all(waiting.map(restsMs))
      for (const time of times) expect(time).to.be.within(3_000, 8_000)
      expect(new Set(times).size).to.be.greaterThan(1)
    })

    it(`consists of orders, which are due within seconds of a ${how}`, async () => {
      await pause('fulfilment')
      const waiting = [
        await rest(await order({ state: 'confirmed' }), 5 * minuteMs),
        await rest(await order({ state: 'cancel_requested', provider: 'http' }), 2 * minuteMs),
      ]
      expect((await lift[how]('fulfilment')).status).to.equal(200)
      for (const id of waiting) expect(await restsMs(id)).to.be.within(3_000, 8_000)
    })
  }

  it('does not include polls, reminders, late retries, calls under way, or another casino’s work', async () => {
    const other = await service.factory.casino()
    await pause('wallet')
    await pause('fulfilment')
    const rests: [string, number][] = [
      [await cashback({ state: 'unknown' }, other), 3 * minuteMs],
      [await cashback({ state: 'unknown' }), 60 * minuteMs],
      [await cashback({ state: 'processing', attemptUntil: later(15_000) }), 15_000],
      [await cashback({ state: 'unknown' }), 2_000],
      [await order({ state: 'pending_confirmation', announcedAt: now }), 4 * minuteMs],
      [await order({ state: 'submitted', provider: 'http', nextPollAt: later(4 * minuteMs) }), 4 * minuteMs],
      [
        await order({ state: 'cancel_requested', provider: 'http', nextPollAt: later(4 * minuteMs) }),
        4 * minuteMs,
      ],
      [await order({ state: 'confirmed', attempts: 1, attemptUntil: later(25_000) }), 25_000],
    ]
    for (const [id, ms] of rests) await rest(id, ms)
    await lift.resume('wallet')
    await lift.resume('fulfilment')
    for (const [id, ms] of rests) expect(await restsMs(id)).to.equal(ms)
  })

  it('stays snoozed when there is no pause to lift, or another setting is changed', async () => {
    await pause('wallet')
    const waiting = await rest(await cashback({ state: 'unknown' }), 3 * minuteMs)
    await lift.PUT('fulfilment')
    await operator.put(`/${casino.id}/settings/expiry`, { warn_days: 1 })
    expect(await restsMs(waiting)).to.equal(3 * minuteMs)
    await lift.resume('wallet')
    await rest(waiting, 3 * minuteMs)
    await lift.resume('wallet')
    await lift.PUT('wallet')
    expect(await restsMs(waiting)).to.equal(3 * minuteMs)
  })
})
