import { setImmediate } from 'node:timers/promises'
import { expect } from 'chai'
import { lineOf, parseLine } from '../../../core/outbound/call-line.ts'
import { newHolder } from '../../../core/outbound/call-slots.ts'
import { createCallSlots } from '../../../core/outbound/slots.ts'

describe('slots for calls', () => {
  let nowMs = 0
  const create = (totalMax = 64, perLineMax = totalMax) => {
    nowMs = 1_000_000
    return createCallSlots({ totalMax, perLineMax, nowMs: () => nowMs })
  }
  type Slots = ReturnType<typeof create>
  const [a, b] = [lineOf('wallet', 'a'), lineOf('wallet', 'b')]
  /** The holders that get a slot, out of `count` new ones. */
  const takeAll = (slots: Slots, line = a, count = 100) =>
    Array.from({ length: count }, newHolder).filter((holder) => slots.take(line, holder))
  const countTaken = (slots: Slots, line = a) => takeAll(slots, line).length
  const reserved = (slots: Slots) =>
    slots.reserve().map(({ line, holders }) => [line.casinoId, holders.length] as const)
  const first = (holders: readonly symbol[] | undefined) => {
    const [holder] = holders ?? []
    if (holder === undefined) throw new Error('nobody has a slot')
    return holder
  }
  const silence = { hasSucceeded: false, hasAnswered: false }

  it('allow a casino a quarter of all, count a slot that is taken twice once, and can be returned', () => {
    const slots = create()
    const taken = takeAll(slots)
    expect(taken.length).to.equal(16)
    expect(taken.every((holder) => slots.take(a, holder))).to.equal(true)
    slots.release(first(taken))
    slots.release(first(taken))
    slots.release(newHolder())
    expect(slots.take(a, newHolder())).to.equal(true)
    expect(slots.take(a, newHolder())).to.equal(false)
  })

  it('are counted for each endpoint separately, and for all endpoints of a casino together', () => {
    const slots = create(64, 8)
    const endpoints = Array.from({ length: 20 }, (_, n) => lineOf('webhook', 'slow', `e${n}`))
    expect(endpoints.map((line) => countTaken(slots, line))).to.deep.equal([
      8,
      8,
      ...endpoints.slice(2).map(() => 0),
    ])
    expect(countTaken(slots, lineOf('webhook', 'other', 'e'))).to.equal(8)
  })

  it('leave room for the next casino, however many calls hang', () => {
    const slots = create(64)
    const taken = Array.from({ length: 12 }, (_, n) => countTaken(slots, lineOf('wallet', `c${n}`)))
    expect(taken.slice(0, 4)).to.deep.equal([16, 16, 11, 7])
    expect(
      taken.slice(0, 6).every((count) => count > 0),
      String(taken),
    ).to.equal(true)
    expect(create(1).take(a, newHolder())).to.equal(true)
  })

  it('are few for a partner whose call has failed, until one succeeds', () => {
    const slots = create()
    slots.observe(a, { hasSucceeded: false, hasAnswered: true, startedMs: nowMs })
    expect(countTaken(slots)).to.equal(2)
    expect(countTaken(slots, b)).to.equal(16)
    slots.observe(a, { hasSucceeded: true, hasAnswered: true, startedMs: nowMs })
    expect(countTaken(slots), 'beside those two').to.equal(14)
  })

  it('go to waiting work when they become free, not to work that happens to arrive', () => {
    const slots = create()
    let told = 0
    const taken = takeAll(slots)
    slots.onRoom(() => (told += 1))
    slots.noteWaiting(a)
    slots.release(first(taken))
    expect(told).to.equal(2)
    expect(slots.take(a, newHolder())).to.equal(false)
    const [reservation] = slots.reserve()
    const longest = first(reservation?.holders)
    if (reservation === undefined) throw new Error('nothing reserved')
    expect(reservation.holders.length).to.equal(1)
    expect(slots.take(a, longest), 'has it already').to.equal(true)
    slots.noteEmpty(reservation)
    slots.release(longest)
    expect(slots.take(a, newHolder()), 'nobody waits any more').to.equal(true)
  })

  it('keep a line that work has joined while it was being emptied', () => {
    const slots = create()
    slots.noteWaiting(a)
    const [reservation] = slots.reserve()
    if (reservation === undefined) throw new Error('nothing reserved')
    slots.noteWaiting(a)
    slots.noteEmpty(reservation)
    for (const holder of reservation.holders) slots.release(holder)
    expect(reserved(slots)).to.deep.equal([['a', 16]])
  })

  it('serve one line after the other when there are not enough for all', () => {
    const slots = create(4)
    const lines = ['a', 'b', 'c', 'd', 'e', 'f'].map((casino) => lineOf('wallet', casino))
    for (const line of lines) slots.noteWaiting(line)
    const early = slots.reserve()
    for (const holder of early.flatMap(({ holders }) => holders)) slots.release(holder)
    const second = slots.reserve()
    expect(early.map(({ line }) => line.casinoId)).to.deep.equal(['a', 'b', 'c', 'd'])
    expect(second.map(({ line }) => line.casinoId)).to.deep.equal(['e', 'f', 'a', 'b'])
  })

  /** The seconds until each of the next calls for waiting work, when each call ends like this. */
  const pausesOf = (slots: Slots, count: number, end: (startedMs: number) => void) => {
    const probe = (): number => {
      const startedMs = nowMs
      for (; ; nowMs += 500) {
        const holders = slots.reserve().flatMap((reservation) => reservation.holders)
        if (holders.length === 0) continue
        const callAtMs = nowMs
        nowMs += 10_000
        for (const holder of holders) {
          end(callAtMs)
          slots.release(holder)
        }
        return (callAtMs - startedMs) / 1_000
      }
    }
    slots.noteWaiting(a)
    return Array.from({ length: count }, probe)
  }

  it('let waiting work call a silent partner with growing pauses, and all of it once the partner answers', () => {
    const slots = create()
    const pauses = pausesOf(slots, 9, (startedMs) => {
      slots.observe(a, { ...silence, startedMs })
    })
    expect(pauses).to.deep.equal([0, 0.5, 1, 2, 4, 8, 16, 30, 30])
    slots.observe(a, { hasSucceeded: true, hasAnswered: true, startedMs: nowMs })
    expect(reserved(slots)).to.deep.equal([['a', 16]])
  })

  it('treat a partner whose name does not resolve as a silent one', () => {
    const slots = create()
    // Of the calls that find out at the same time, only the first counts.
    const pauses = pausesOf(slots, 5, () => {
      slots.noteUnreachable(a)
    })
    expect(pauses).to.deep.equal([0, 0.5, 1, 2, 4])
    expect(countTaken(slots, b)).to.equal(16)
  })

  describe('of a line whose calls are quick', () => {
    const ahead = { perLineMax: 8, aheadMax: 4, totalMax: 64, nowMs: () => 1_000_000 }
    const quick = { hasSucceeded: true, hasAnswered: true, startedMs: 1_000_000 }
    const [one, other] = [lineOf('webhook', 'a', 'one'), lineOf('webhook', 'a', 'other')]
    const reserveQuick = (options: Partial<Parameters<typeof createCallSlots>[0]> = {}) => {
      const slots = createCallSlots({ ...ahead, ...options })
      slots.noteWaiting(one)
      slots.observe(one, quick)
      const holders = slots.reserve().flatMap((reservation) => reservation.holders)
      return { slots, calling: holders.slice(0, 8), early: holders.slice(8) }
    }
    /** The answers to the turns so far. */
    const asked = (turns: readonly Promise<boolean>[]) => {
      const known: (boolean | undefined)[] = turns.map(() => undefined)
      turns.forEach((turn, index) => void turn.then((hasSlot) => (known[index] = hasSlot)))
      return known
    }

    it('let some more work begin ahead, and call in order as others end', async () => {
      const { slots, calling, early } = reserveQuick()
      expect([calling.length, early.length]).to.deep.equal([8, 4])
      expect(await slots.turn(first(calling))).to.equal(true)
      const known = asked(early.map((holder) => slots.turn(holder)))
      await setImmediate()
      expect(known).to.deep.equal([undefined, undefined, undefined, undefined])
      slots.release(first(calling))
      slots.release(first(calling.slice(1)))
      await setImmediate()
      expect(known).to.deep.equal([true, true, undefined, undefined])
      // Two holders were called, so two more are taken ahead.
      const more = slots.reserve().flatMap(({ holders }) => holders)
      expect(more.length).to.equal(2)
    })

    it('pass in turn to the other lines of the same casino', async () => {
      const { slots, calling, early } = reserveQuick({ totalMax: 32 })
      const known = asked(early.map((holder) => slots.turn(holder)))
      slots.noteWaiting(other)
      slots.release(first(calling))
      await setImmediate()
      expect(known).to.deep.equal([true, undefined, undefined, undefined])
      slots.release(first(calling.slice(1)))
      await setImmediate()
      expect(known, 'the other one comes first now').to.deep.equal([true, undefined, undefined, undefined])
      expect(slots.reserve().map(({ line }) => line.key)).to.include(other.key)
    })

    it('send work that began ahead back when a call fails, when it waits for long, and at the end', async () => {
      const failing = reserveQuick()
      const turns = failing.early.slice(1).map((holder) => failing.slots.turn(holder))
      failing.slots.observe(one, { ...quick, hasSucceeded: false })
      expect(await Promise.all(turns)).to.deep.equal([false, false, false])
      expect(await failing.slots.turn(first(failing.early)), 'who comes later').to.equal(false)
      expect(failing.slots.take(one, first(failing.early))).to.equal(false)

      const long = reserveQuick({ aheadWaitMaxMs: 1 })
      expect(await long.slots.turn(first(long.early))).to.equal(false)
      for (const holder of long.early) long.slots.release(holder)
      expect(long.slots.reserve(), 'it is not quick').to.deep.equal([])

      const ending = reserveQuick()
      const last = ending.slots.turn(first(ending.early))
      ending.slots.endAhead()
      expect(await last).to.equal(false)
      expect(ending.slots.reserve()).to.deep.equal([])
    })

    it('let no work begin ahead while calls take long, or while others have slots of the line', () => {
      const slow = createCallSlots(ahead)
      slow.noteWaiting(one)
      slow.observe(one, { ...quick, startedMs: quick.startedMs - 500 })
      expect(slow.reserve().map(({ holders }) => holders.length)).to.deep.equal([8])
      expect(reserveQuick({ totalMax: 8 }).early, 'two slots for the casino').to.deep.equal([])
    })

    it('keep an empty line until the work that began ahead in it has called', async () => {
      const { slots, calling, early } = reserveQuick()
      slots.noteEmpty({ line: one, holders: [], comings: 1 })
      for (const holder of early.slice(1)) slots.release(holder)
      const turn = slots.turn(first(early))
      expect(slots.take(one, newHolder()), 'a newcomer').to.equal(false)
      slots.release(first(calling))
      expect(await turn).to.equal(true)
      slots.release(first(early))
      expect(slots.take(one, newHolder())).to.equal(true)
    })
  })

  it('name each line so that the name can be parsed again', () => {
    const line = lineOf('webhook', 'lucky', 'crm')
    expect(parseLine(line.key)).to.deep.equal({ kind: 'webhook', line })
  })
})
