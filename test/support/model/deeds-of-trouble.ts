import fc from 'fast-check'
import { anything, hasPrizes, index, pick, startTogether } from './deed.ts'
import type { Deed } from './deed.ts'
import { factsOfOrder, resultOfMove } from './facts.ts'
import { moveCashback, moveOrder, orderMoves } from './operate.ts'
import { sendUpdate, turnProvider, useProvider } from './partners.ts'
import { claimPrize, openBox } from './play.ts'
import { eventsOf, readRecords } from './records.ts'
import type { OrderRow } from './records.ts'
import { settleNow } from './settle.ts'
import { insist, newPrizeId } from './world.ts'
import type { KnownPrize, Model, ModelProvider, World } from './world.ts'

/** Events that chance seldom brings, one deed each: every guard of the service should be run into now and then. */

const dayMs = 24 * 3_600_000

/** All of them end before any of their failures is thrown. */
async function allDone(deeds: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(deeds)) if (result.status === 'rejected') throw result.reason
}

async function give(model: Model, world: World, purpose: string): Promise<KnownPrize> {
  const prize = { id: newPrizeId(model, purpose), playerId: 'ann' }
  const body = { player_id: prize.playerId, item_id: 'mug', prize_id: prize.id }
  const reply = await world.operator().post(`/${world.casino.id}/prizes`, body)
  insist(reply.status === 201, () => `giving ${prize.id} was answered with ${reply.status}: ${reply.text}`)
  model.prizes.push(prize)
  return prize
}

/** A new order that is confirmed while the providers are in this mood, in its current state. */
async function orderIn(mood: string, model: Model, world: World): Promise<OrderRow | undefined> {
  for (const provider of world.providers) turnProvider(provider, mood)
  const prize = await give(model, world, 'order')
  await claimPrize(model, world, { operation: 'order', prize, byStranger: false, key: undefined })
  const find = async () => {
    const { orders } = await readRecords(world.machine.database, world.casino.id)
    return orders.find(({ prize_id }) => prize_id === prize.id)
  }
  const placed = await find()
  if (placed === undefined) return undefined
  await moveOrder(world, placed, { move: 'confirm', holdReason: undefined, returnsPrize: true })
  await settleNow(world)
  return find()
}

/** One prize is ordered and cashed back at the same moment, by several callers at the same time. */
export const fight = fc.integer({ min: 1, max: 2 }).map((pairs): Deed => ({
  label: `${pairs} orders and ${pairs} cashbacks of one prize at the same time`,
  isPossible: anything,
  run: async (model, world) => {
    const prize = await give(model, world, 'fight')
    const claims = Array.from({ length: pairs }, () => ['order', 'cashback'] as const).flat()
    const start = startTogether(claims.length)
    await allDone(
      claims.map((operation) =>
        claimPrize(model, world, { operation, prize, byStranger: false, key: undefined }, start),
      ),
    )
  },
}))

async function tryRefusals(model: Model, world: World, row: OrderRow): Promise<void> {
  const records = await readRecords(world.machine.database, world.casino.id)
  const facts = factsOfOrder(eventsOf(records, 'prize_order', row.id)).at(-1)
  if (facts === undefined) return
  for (const move of new Set(orderMoves)) {
    if (resultOfMove(move, 'other', facts) !== undefined) continue
    model.log.push(`${move} ${row.id}`)
    await moveOrder(world, row, { move, holdReason: 'other', returnsPrize: true })
  }
}

/** Everything that must be refused is tried: on an order that waits for its parcel, if there is one. */
export const refusals = index.map((order): Deed => ({
  label: `whatever is illegal with order ${order}`,
  isPossible: hasPrizes,
  run: async (model, world) => {
    const { orders } = await readRecords(world.machine.database, world.casino.id)
    const confirmed = orders.filter(({ state }) => state === 'confirmed')
    const row = pick(confirmed.length > 0 ? confirmed : orders, order)
    if (row !== undefined) await tryRefusals(model, world, row)
  },
}))

/** A provider may have a parcel and has not said so: nothing must be done that takes for granted that it has not. */
export const doubt = fc.constantFrom('acts and dies', 'is down').map((mood): Deed => ({
  label: `an order is confirmed whose provider ${mood}, and whatever is illegal with it`,
  isPossible: anything,
  run: async (model, world) => {
    const row = await orderIn(mood, model, world)
    if (row !== undefined) await tryRefusals(model, world, row)
  },
}))

/** A provider is asked to cancel what it has, with or without giving the prize back. */
export const cancellation = fc
  .record({ mood: fc.constantFrom('accepts', 'accepts', 'is down'), returnsPrize: fc.boolean() })
  .map(({ mood, returnsPrize }): Deed => ({
    label: `a new order is cancelled, ${returnsPrize ? 'returning' : 'voiding'} its prize, whose provider ${mood}`,
    isPossible: anything,
    run: async (model, world) => {
      const row = await orderIn('accepts', model, world)
      for (const provider of world.providers) turnProvider(provider, mood)
      if (row === undefined) return
      await moveOrder(world, row, { move: 'cancel', holdReason: undefined, returnsPrize })
      await settleNow(world)
    },
  }))

/** The casino takes another provider while one may have a parcel and has not said so. */
export const exchangeInDoubt = fc.nat(1).map((number): Deed => ({
  label: `provider ${number} is used instead, while the other one may have a parcel`,
  isPossible: anything,
  run: async (model, world) => {
    const { machine, casino, providers, wishes } = world
    const [from, to] = [providers[1 - number], providers[number]]
    if (wishes.fulfilment !== 'http' || from === undefined || to === undefined) return
    const use = async (provider: ModelProvider) => {
      await useProvider(world, provider)
      // Workers know settings for two seconds; new ones ask.
      await machine.restartWorkers()
    }
    await use(from)
    await orderIn('acts and dies', model, world)
    for (const provider of providers) turnProvider(provider, 'accepts')
    await use(to)
    await machine.passTime(casino.id, dayMs)
    await settleNow(world)
  },
}))

/** Two operators resolve a cashback of unknown outcome at the same time, in two ways. */
export const quarrel = fc
  .constantFrom('credited' as const, 'declined' as const, 'retry' as const)
  .map((move): Deed => ({
    label: `a cashback of unknown outcome is resolved twice at the same time: credited, ${move}`,
    isPossible: anything,
    run: async (model, world) => {
      world.wallet.behave('act-then-die')
      const prize = await give(model, world, 'quarrel')
      await claimPrize(model, world, { operation: 'cashback', prize, byStranger: false, key: undefined })
      await settleNow(world)
      const { cashbacks } = await readRecords(world.machine.database, world.casino.id)
      const row = cashbacks.find(({ prize_id }) => prize_id === prize.id)
      if (row === undefined) return
      const start = startTogether(2)
      await allDone([moveCashback(world, row, 'credited', start), moveCashback(world, row, move, start)])
    },
  }))

/** Two operators reverse a credit at the same time; its wallet takes the money back and does not say so. */
export const reversal = fc
  .constantFrom('return' as const, 'void' as const, 'money back' as const)
  .map((move): Deed => ({
    label: `a credited cashback is reversed twice at the same time: return, ${move}`,
    isPossible: anything,
    run: async (model, world) => {
      world.wallet.behave('honest')
      const prize = await give(model, world, 'reversal')
      await claimPrize(model, world, { operation: 'cashback', prize, byStranger: false, key: undefined })
      await settleNow(world)
      const { cashbacks } = await readRecords(world.machine.database, world.casino.id)
      const row = cashbacks.find(({ prize_id }) => prize_id === prize.id)
      if (row === undefined) return
      world.wallet.behave('act-then-die', 'honest')
      const start = startTogether(2)
      await allDone([moveCashback(world, row, 'return', start), moveCashback(world, row, move, start)])
      await settleNow(world)
    },
  }))

/** Two operators decide about a new order at the same time. */
export const rivalry = fc
  .constantFrom('confirm' as const, 'reject' as const, 'cancel' as const)
  .map((move): Deed => ({
    label: `a new order is confirmed by one and ${move}ed by another at the same time`,
    isPossible: anything,
    run: async (model, world) => {
      const prize = await give(model, world, 'rivalry')
      await claimPrize(model, world, { operation: 'order', prize, byStranger: false, key: undefined })
      const { orders } = await readRecords(world.machine.database, world.casino.id)
      const row = orders.find(({ prize_id }) => prize_id === prize.id)
      if (row === undefined) return
      const start = startTogether(2)
      const about = { holdReason: undefined, returnsPrize: true }
      await allDone([
        moveOrder(world, row, { ...about, move: 'confirm' }, start),
        moveOrder(world, row, { ...about, move }, start),
      ])
    },
  }))

/** Shipment updates arrive in the wrong order: the later one has been applied when the earlier one arrives. */
export const lateUpdates = fc
  .record({
    later: fc.constantFrom('processing', 'shipped'),
    earlier: fc.constantFrom('exception', 'delivered'),
  })
  .map(({ later, earlier }): Deed => ({
    label: `the provider says ${later} of a new order, and then what was before: ${earlier}`,
    isPossible: anything,
    run: async (model, world) => {
      const row = await orderIn('accepts', model, world)
      if (row === undefined) return
      for (const [status, offsetMs] of [
        [later, 0],
        [earlier, -60_000],
      ] as const) {
        await sendUpdate(model, world, row, { status, offsetMs, shipmentOffset: 0, repeats: false })
        await settleNow(world)
      }
    },
  }))

/** Prizes from a limited stock are not claimed in time, so that they go back. */
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
