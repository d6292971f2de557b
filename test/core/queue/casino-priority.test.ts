import { expect } from 'chai'
import { createCasinoPriority } from '../../../core/queue/casino-priority.ts'

describe('the priority of a casino', () => {
  const create = () => {
    const world = { nowMs: 0 }
    const priorityOf = createCasinoPriority(() => world.nowMs)
    const next = (casinoId: string, count: number) =>
      Array.from({ length: count }, () => priorityOf('credit-cashback', casinoId))
    return { world, next, priorityOf }
  }
  const countsOf = (priorities: readonly number[]) => {
    const counts = new Map<number, number>()
    for (const priority of priorities) counts.set(priority, (counts.get(priority) ?? 0) + 1)
    return [...counts]
  }

  it('is the first for 200 works, and a step later for each twice as many', () => {
    expect(countsOf(create().next('large', 1_600))).to.deep.equal([
      [0, 200],
      [1, 200],
      [2, 400],
      [3, 800],
    ])
  })

  it('is that of its own works in its own queue', () => {
    const { next, priorityOf } = create()
    next('large', 10_000)
    expect(next('small', 1)).to.deep.equal([0])
    expect(priorityOf('fulfil-prize-order', 'large')).to.equal(0)
  })

  it('follows the rate of the last seconds', () => {
    const { world, next } = create()
    const atRate = (perSecond: number) => {
      let last = 0
      for (let tenth = 0; tenth < 600; tenth++) {
        world.nowMs += 100
        last = Math.max(...next('casino', perSecond / 10))
      }
      return last
    }
    expect([10, 30, 100, 2_000].map(atRate)).to.deep.equal([0, 1, 3, 7])
    expect(atRate(10)).to.equal(0)
  })
})
