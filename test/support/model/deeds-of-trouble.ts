import fc from 'fast-check'
import { anything, hasPrizes, index, pick } from './deed.ts'
import type { Deed } from './deed.ts'
import { factsOfOrder, resultOfMove } from './facts.ts'
import { moveOrder, orderMoves } from './operate.ts'
import { tellNews } from './partners.ts'
import { claimPrize, openBox } from './play.ts'
import { eventsOf, readRecords } from './records.ts'
import { settleNow } from './settle.ts'
import { insist } from './world.ts'
import type { KnownPrize, Model, World } from './world.ts'

/** What is seldom hit by chance, one deed each: every guard of the service should be run into now and then. */

/** One prize is ordered and cashed back at the same moment, by several at once. */
export const fight = fc.integer({ min: 1, max: 2 }).map((pairs): Deed => ({
  label: `${pairs} orders and ${pairs} cashbacks of one prize at once`,
  isPossible: anything,
  run: async (model, world) => {
    const id = `prize-${model.prizes.length}-fight`
    const prize: KnownPrize = { id, playerId: 'ann' }
    const body = { player_id: prize.playerId, item_id: 'mug', prize_id: id }
    const reply = await world.operator().post(`/${world.casino.id}/prizes`, body)
    insist(reply.status === 201, () => `giving ${id} was answered with ${reply.status}: ${reply.text}`)
    model.prizes.push(prize)
    const claims = Array.from({ length: pairs }, () => ['order', 'cashback'] as const).flat()
    const results = await Promise.allSettled(
      claims.map((operation) =>
        claimPrize(model, world, { operation, prize, byStranger: false, key: undefined }),
      ),
    )
    for (const result of results) if (result.status === 'rejected') throw result.reason
  },
}))

/** Everything that must be refused is tried: on an order that waits for its parcel, if there is one. */
export const refusals = index.map((order): Deed => ({
  label: `whatever is illegal with order ${order}`,
  isPossible: hasPrizes,
  run: async (model, world) => {
    const records = await readRecords(world.machine.database, world.casino.id)
    const confirmed = records.orders.filter(({ state }) => state === 'confirmed')
    const row = pick(confirmed.length > 0 ? confirmed : records.orders, order)
    const facts =
      row === undefined ? undefined : factsOfOrder(eventsOf(records, 'prize_order', row.id)).at(-1)
    if (row === undefined || facts === undefined) return
    for (const move of new Set(orderMoves)) {
      if (resultOfMove(move, 'other', facts) !== undefined) continue
      model.log.push(`${move} ${row.id}`)
      await moveOrder(world, row, { move, holdReason: 'other', returnsPrize: true })
    }
  },
}))

/** The news of a parcel comes in the wrong order: the later one has been applied when the earlier one comes. */
export const lateNews = fc
  .record({
    order: index,
    later: fc.constantFrom('processing', 'shipped'),
    earlier: fc.constantFrom('shipped', 'exception', 'delivered'),
  })
  .map(({ order, later, earlier }): Deed => ({
    label: `the provider says ${later} of order ${order}, and then what was before: ${earlier}`,
    isPossible: hasPrizes,
    run: async (model, world) => {
      const say = async (status: string, offsetMs: number) => {
        const { orders } = await readRecords(world.machine.database, world.casino.id)
        const row = pick(
          orders.filter(
            ({ provider, state }) =>
              provider === 'http' && ['submitted', 'processing', 'shipped'].includes(state),
          ),
          order,
        )
        if (row === undefined) return
        await tellNews(model, world, row, { status, offsetMs, shipmentOffset: 0, repeats: false })
        await settleNow(world)
      }
      await say(later, 0)
      await say(earlier, -60_000)
    },
  }))

const dayMs = 24 * 3_600_000

/** What comes out of a limited stock is not claimed in time, so that it goes back. */
export const expiry = fc.integer({ min: 1, max: 3 }).map((openings): Deed => ({
  label: `${openings} openings of scarce are forgotten`,
  isPossible: anything,
  run: async (model: Model, world: World) => {
    for (let opened = 0; opened < openings; opened++)
      await openBox(model, world, { boxId: 'scarce', playerId: 'bob', key: undefined })
    await world.machine.passTime(world.casino.id, 5 * dayMs)
    await world.machine.sweepPrizes()
  },
}))
