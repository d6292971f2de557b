import fc from 'fast-check'
import { boxNames } from './begin-world.ts'
import { anything, hasPrizes, index, pick } from './deed.ts'
import type { Deed } from './deed.ts'
import { resultOfCashbackMove } from './facts.ts'
import type { CashbackMoveName, OrderMoveName } from './facts.ts'
import { legalMoves, moveCashback, moveOrder, orderMoves } from './operate.ts'
import { claimPrize, openBox } from './play.ts'
import { readRecords } from './records.ts'
import { insist, newPrizeId } from './world.ts'

/** Few, so that they are used again. */
const key = fc.option(fc.constantFrom('k1', 'k2', 'k3'), { nil: undefined, freq: 2 })

export const give = fc
  .record({
    item: fc.constantFrom('mug', 'mug', 'voucher', 'money', 'poster'),
    player: fc.constantFrom('ann', 'bob'),
  })
  .map(({ item, player }): Deed => ({
    label: `give ${player} a ${item}`,
    isPossible: anything,
    run: async (model, world) => {
      const id = newPrizeId(model, item)
      const body = { player_id: player, item_id: item, prize_id: id }
      const reply = await world.operator().post(`/${world.casino.id}/prizes`, body)
      insist(reply.status === 201, () => `giving ${id} was answered with ${reply.status}: ${reply.text}`)
      model.prizes.push({ id, playerId: player })
    },
  }))

export const open = fc
  .record({ boxId: fc.constantFrom(...boxNames), playerId: fc.constantFrom('ann', 'bob'), key })
  .map((opening): Deed => ({
    label: `${opening.playerId} opens ${opening.boxId}${keyLabel(opening.key)}`,
    isPossible: anything,
    run: (model, world) => openBox(model, world, opening),
  }))

export const grant = fc.integer({ min: 1, max: 2 }).map((count): Deed => ({
  label: `grant ann ${count}`,
  isPossible: anything,
  run: async (_, world) => {
    const grants = [{ player_id: 'ann', box_id: 'granted', count }]
    const reply = await world.operator().post(`/${world.casino.id}/grants`, { grants })
    insist(reply.status < 300, () => `granting was answered with ${reply.status}: ${reply.text}`)
  },
}))

export const claim = fc
  .record({
    operation: fc.constantFrom('order' as const, 'cashback' as const),
    prize: index,
    byStranger: fc.integer({ min: 0, max: 19 }).map((number) => number === 0),
    key,
  })
  .map(({ operation, prize, byStranger, key: itsKey }): Deed => ({
    label: `${byStranger ? 'a stranger' : 'the owner'} asks for ${operation} of prize ${prize}${keyLabel(itsKey)}`,
    isPossible: hasPrizes,
    run: async (model, world) => {
      // Mostly among the latest, which are unclaimed.
      const known = pick(model.prizes.slice(-5), prize)
      if (known !== undefined)
        await claimPrize(model, world, { operation, prize: known, byStranger, key: itsKey })
    },
  }))

/** The way that most orders go, in one deed. */
export const orderAndConfirm = fc
  .record({ prize: index, isHeld: fc.constantFrom(false, false, true) })
  .map(({ prize, isHeld }): Deed => ({
    label: `prize ${prize} is ordered, ${isHeld ? 'held ' : ''}and confirmed`,
    isPossible: hasPrizes,
    run: async (model, world) => {
      const { prizes } = await readRecords(world.machine.database, world.casino.id)
      const free = model.prizes.filter(({ id }) =>
        prizes.some((row) => row.id === id && row.state === 'won' && row.kind === 'physical'),
      )
      const known = pick(free, prize)
      if (known === undefined) return
      await claimPrize(model, world, { operation: 'order', prize: known, byStranger: false, key: undefined })
      const { orders } = await readRecords(world.machine.database, world.casino.id)
      const placed = orders.find(
        ({ prize_id, state }) => prize_id === known.id && state === 'pending_confirmation',
      )
      const confirm = { move: 'confirm', holdReason: undefined, returnsPrize: true } as const
      if (placed === undefined) return
      if (isHeld) await moveOrder(world, placed, { ...confirm, move: 'hold', holdReason: 'fraud_risk' })
      await moveOrder(world, placed, confirm)
      // Which is refused, as long as it is held.
      if (isHeld) await moveOrder(world, placed, { ...confirm, move: 'ship' })
    },
  }))

/** A caller that lost an answer asks again. */
export const repeat = index.map((number): Deed => ({
  label: `request ${number} is repeated`,
  isPossible: (model) => model.accepted.some(({ key: itsKey }) => itsKey !== undefined),
  run: async (model, world) => {
    const keyed = model.accepted.filter(({ key: itsKey }) => itsKey !== undefined)
    const request = pick(keyed, number)
    if (request === undefined) return
    const { operation, prizeId: id, fingerprint, key: itsKey } = request
    const [, playerId = '', boxId = ''] = fingerprint.split(' ')
    if (operation === 'open') await openBox(model, world, { boxId, playerId, key: itsKey })
    else
      await claimPrize(model, world, { operation, prize: { id, playerId }, byStranger: false, key: itsKey })
  },
}))

const holdReason = fc.constantFrom('fraud_risk', 'kyc_pending', undefined)
export const moveOfOrder = fc
  .record({ order: index, isLegal: fc.boolean(), move: index, holdReason, returnsPrize: fc.boolean() })
  .map(({ order, isLegal, move, holdReason: reason, returnsPrize }): Deed => ({
    label: `${isLegal ? 'a fitting move' : 'any move'} ${move} of order ${order}, ${reason}, ${returnsPrize}`,
    isPossible: hasPrizes,
    run: async (model, world) => {
      const records = await readRecords(world.machine.database, world.casino.id)
      const row = pick(records.orders.slice(-5), order)
      if (row === undefined) return
      const name = pick<OrderMoveName>(isLegal ? legalMoves(records, row) : orderMoves, move)
      if (name === undefined) return
      model.log.push(`${name} ${row.id}`)
      const wanted = name === 'hold' ? (reason ?? 'other') : reason
      await moveOrder(world, row, { move: name, holdReason: wanted, returnsPrize })
    },
  }))

const cashbackMoves: readonly CashbackMoveName[] = [
  'retry',
  'credited',
  'declined',
  'reversed',
  'return',
  'void',
  'money back',
]

export const moveOfCashback = fc
  .record({ cashback: index, isLegal: fc.boolean(), move: index })
  .map(({ cashback, isLegal, move }): Deed => ({
    label: `${isLegal ? 'a fitting move' : 'any move'} ${move} of cashback ${cashback}`,
    isPossible: hasPrizes,
    run: async (model, world) => {
      const { cashbacks } = await readRecords(world.machine.database, world.casino.id)
      const row = pick(cashbacks.slice(-5), cashback)
      if (row === undefined) return
      const legal = cashbackMoves.filter((name) => resultOfCashbackMove(name, row) !== undefined)
      const name = pick(isLegal ? legal : cashbackMoves, move)
      if (name === undefined) return
      model.log.push(`${name} ${row.id}`)
      await moveCashback(world, row, name)
    },
  }))

function keyLabel(name: string | undefined): string {
  return name === undefined ? '' : ` with ${name}`
}
