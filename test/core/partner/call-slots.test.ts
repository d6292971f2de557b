import { expect } from 'chai'
import { createCallSlots, lineOf, parseLine } from '../../../core/partner/call-slots.ts'

describe('slots for calls', () => {
  let nowMs = 0
  const create = (totalMax = 64, perLineMax = totalMax) => {
    nowMs = 1_000_000
    return createCallSlots({ totalMax, perLineMax, nowMs: () => nowMs })
  }
  type Slots = ReturnType<typeof create>
  const [a, b] = [lineOf('wallet', 'a'), lineOf('wallet', 'b')]
  /** How many of so many newcomers get a slot. */
  const countTaken = (slots: Slots, line = a, count = 100) =>
    Array.from({ length: count }, (_, n) => slots.take(line, `${line.key} ${n}`)).filter(Boolean).length
  const reserved = (slots: Slots) =>
    slots.reserve().map(({ line, tokens }) => [line.casinoId, tokens.length] as const)
  const silence = { hasSucceeded: false, hasAnswered: false }

  it('gives a casino a quarter of all, a slot that is taken twice once, and back again', () => {
    const slots = create()
    expect(countTaken(slots)).to.equal(16)
    expect(countTaken(slots, a, 16), 'the same holders').to.equal(16)
    slots.release('wallet\na 3')
    slots.release('wallet\na 3')
    slots.release('nobody')
    expect(slots.take(a, 'late')).to.equal(true)
    expect(slots.take(a, 'later')).to.equal(false)
  })

  it('gives each endpoint its own, and all endpoints of a casino together its share', () => {
    const slots = create(64, 8)
    const endpoints = Array.from({ length: 20 }, (_, n) => lineOf('webhook', 'slow', `e${n}`))
    expect(endpoints.map((line) => countTaken(slots, line))).to.deep.equal([
      ...[8, 8],
      ...endpoints.slice(2).map(() => 0),
    ])
    expect(countTaken(slots, lineOf('webhook', 'other', 'e'))).to.equal(8)
  })

  it('leaves something for the next casino, however many hang', () => {
    const slots = create(64)
    const taken = Array.from({ length: 12 }, (_, n) => countTaken(slots, lineOf('wallet', `c${n}`)))
    expect(taken.slice(0, 4)).to.deep.equal([16, 16, 11, 7])
    expect(
      taken.slice(0, 6).every((count) => count > 0),
      String(taken),
    ).to.equal(true)
    expect(create(1).take(a, 'the only one')).to.equal(true)
  })

  it('gives few for a partner whose call was in vain, until one succeeds', () => {
    const slots = create()
    slots.observe(a, { hasSucceeded: false, hasAnswered: true, startedMs: nowMs })
    expect(countTaken(slots)).to.equal(2)
    expect(countTaken(slots, b)).to.equal(16)
    slots.observe(a, { hasSucceeded: true, hasAnswered: true, startedMs: nowMs })
    expect(countTaken(slots)).to.equal(16)
  })

  it('gives a slot that comes free to who waits, not to who happens to come', () => {
    const slots = create()
    let told = 0
    countTaken(slots)
    slots.onRoom(() => (told += 1))
    slots.noteWaiting(a)
    slots.release('wallet\na 0')
    expect(told).to.equal(2)
    expect(slots.take(a, 'newcomer')).to.equal(false)
    const [reservation] = slots.reserve()
    const [token] = reservation?.tokens ?? []
    if (reservation === undefined || token === undefined) throw new Error('nothing reserved')
    expect(reservation.tokens.length).to.equal(1)
    slots.pass(token, 'longest')
    expect(slots.take(a, 'longest'), 'has it already').to.equal(true)
    slots.noteEmpty(reservation)
    slots.release('longest')
    expect(slots.take(a, 'newcomer'), 'nobody waits any more').to.equal(true)
  })

  it('does not take a line for empty to which work has come meanwhile', () => {
    const slots = create()
    slots.noteWaiting(a)
    const [reservation] = slots.reserve()
    if (reservation === undefined) throw new Error('nothing reserved')
    slots.noteWaiting(a)
    slots.noteEmpty(reservation)
    for (const token of reservation.tokens) slots.release(token)
    expect(reserved(slots)).to.deep.equal([['a', 16]])
  })

  it('serves one line after the other when there is not enough for all', () => {
    const slots = create(4)
    const lines = ['a', 'b', 'c', 'd', 'e', 'f'].map((casino) => lineOf('wallet', casino))
    for (const line of lines) slots.noteWaiting(line)
    const first = slots.reserve()
    for (const token of first.flatMap(({ tokens }) => tokens)) slots.release(token)
    const second = slots.reserve()
    expect(first.map(({ line }) => line.casinoId)).to.deep.equal(['a', 'b', 'c', 'd'])
    expect(second.map(({ line }) => line.casinoId)).to.deep.equal(['e', 'f', 'a', 'b'])
  })

  it('calls those who wait for a silent partner with longer and longer pauses, and all once it answers', () => {
    const slots = create()
    const probe = (): number => {
      const startedMs = nowMs
      for (; ; nowMs += 500) {
        const tokens = slots.reserve().flatMap((reservation) => reservation.tokens)
        if (tokens.length === 0) continue
        const callAtMs = nowMs
        nowMs += 10_000
        for (const token of tokens) {
          slots.observe(a, { ...silence, startedMs: callAtMs })
          slots.release(token)
        }
        return callAtMs - startedMs
      }
    }
    slots.noteWaiting(a)
    const pauses = Array.from({ length: 9 }, probe).map((ms) => ms / 1_000)
    expect(pauses).to.deep.equal([0, 0.5, 1, 2, 4, 8, 16, 30, 30])
    slots.observe(a, { hasSucceeded: true, hasAnswered: true, startedMs: nowMs })
    expect(reserved(slots)).to.deep.equal([['a', 16]])
  })

  it('reads the name of a line', () => {
    const line = lineOf('webhook', 'lucky', 'crm')
    expect(parseLine(line.key)).to.deep.equal({ kind: 'webhook', line })
  })
})
