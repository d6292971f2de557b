import { expect } from 'chai'
import { findBoxProblems } from '../../../core/box/box-definition.ts'
import type { BoxDefinition } from '../../../core/box/box-definition.ts'

describe('findBoxProblems', () => {
  const most = Number.MAX_SAFE_INTEGER
  const entry = (weight: number) => ({ itemId: 'cup', weight, stock: null })
  const problemsOf = (change: Partial<BoxDefinition>) =>
    findBoxProblems({
      name: 'Gold',
      description: null,
      imageUrl: null,
      access: 'granted',
      limit: null,
      activeFrom: null,
      activeUntil: null,
      entries: [entry(1)],
      fallbackItemId: null,
      ...change,
    })

  it('finds no problem in a box at its limits', () => {
    const [first, next] = [new Date(0), new Date(1)]
    expect(
      problemsOf({ entries: [entry(most - 1), entry(1)], activeFrom: first, activeUntil: next }),
    ).to.deep.equal([])
    expect(
      problemsOf({
        access: 'limited',
        limit: { count: 1, period: 'day', timeZone: 'UTC' },
        activeFrom: next,
      }),
    ).to.deep.equal([])
  })

  it('sums weights without losing a digit', () => {
    expect(problemsOf({ entries: [entry(most), entry(1)] })).to.deep.equal(['weights_too_large'])
    expect(problemsOf({ entries: Array.from({ length: 1_000 }, () => entry(most)) })).to.deep.equal([
      'weights_too_large',
    ])
  })

  it('finds a window in which the box is never open', () => {
    const moment = new Date(5)
    expect(problemsOf({ activeFrom: moment, activeUntil: moment })).to.deep.equal(['window_empty'])
  })

  it('requires a limit exactly when access is limited', () => {
    expect(problemsOf({ access: 'limited' })).to.deep.equal(['limit_missing'])
    expect(problemsOf({ limit: { count: 1, period: 'day', timeZone: 'UTC' } })).to.deep.equal([
      'limit_unexpected',
    ])
  })
})
