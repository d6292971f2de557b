import fc from 'fast-check'
import { anything, hasPrizes, index, pick } from './deed.ts'
import type { Deed } from './deed.ts'
import { providerMoods, sendUpdate, turnProvider, useProvider, walletMoods } from './partners.ts'
import { receiverMoods } from './receiver.ts'
import { readRecords } from './records.ts'
import { insist } from './world.ts'

export const updates = fc
  .record({
    order: index,
    status: fc.constantFrom('processing', 'shipped', 'delivered', 'exception', 'cancelled', 'cancel_refused'),
    offsetMs: fc.integer({ min: -100_000, max: 1_000 }),
    shipmentOffset: fc.constantFrom(0, 0, 0, 0, -1, 1),
    repeats: fc.constantFrom(false, false, false, true),
  })
  .map(({ order, ...said }): Deed => ({
    label: `the provider says ${said.status} of order ${order} ${JSON.stringify(said)}`,
    isPossible: hasPrizes,
    run: async (model, world) => {
      const { orders } = await readRecords(world.machine.database, world.casino.id)
      const row = pick(orders.slice(-5), order)
      if (row !== undefined) await sendUpdate(model, world, row, said)
    },
  }))

export const moods = fc.oneof(
  fc.constantFrom(...Object.keys(walletMoods)).map((mood): Deed => ({
    label: `from now on the wallet ${mood}`,
    isPossible: anything,
    run: (_, { wallet }) => {
      wallet.behave(walletMoods[mood] ?? 'honest')
      return Promise.resolve()
    },
  })),
  fc.constantFrom(...Object.keys(providerMoods)).map((mood): Deed => ({
    label: `from now on each provider ${mood}`,
    isPossible: anything,
    run: (_, { providers }) => {
      for (const provider of providers) turnProvider(provider, mood)
      return Promise.resolve()
    },
  })),
  fc.constantFrom(...receiverMoods).map((mood): Deed => ({
    label: `from now on the receiver ${mood}`,
    isPossible: anything,
    run: (_, { receiver }) => {
      receiver.turn(mood)
      return Promise.resolve()
    },
  })),
)

export const exchange = fc.nat(1).map((number): Deed => ({
  label: `the casino uses provider ${number}`,
  isPossible: anything,
  run: async (_, world) => {
    const provider = pick(world.providers, number)
    if (provider !== undefined && world.wishes.fulfilment === 'http') await useProvider(world, provider)
  },
}))

export const late: Deed = {
  label: 'the wallet gives its late answers',
  isPossible: anything,
  run: (_, { wallet }) => {
    wallet.answerLate()
    return Promise.resolve()
  },
}

export const resume = fc.constantFrom('wallet', 'fulfilment').map((name): Deed => ({
  label: `resume ${name}`,
  isPossible: anything,
  run: async (_, world) => {
    const reply = await world.operator().post(`/${world.casino.id}/settings/${name}/resume`)
    insist(reply.status === 200, () => `resuming ${name} was answered with ${reply.status}: ${reply.text}`)
  },
}))
