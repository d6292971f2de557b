import { expect } from 'chai'
import { findUnfair } from '../../bench/scale/measure-fairness.ts'
import type { MeasuredFairness, SmallOrders } from '../../bench/scale/measure-fairness.ts'
import { findStockProblems } from '../../bench/scale/measure-hot-stock.ts'
import type { StockUse } from '../../bench/scale/measure-hot-stock.ts'

describe('hot stock in bench:scale', () => {
  /** Sold out: 100 pieces, 200 openings. */
  const soldOut: StockUse = {
    published: 100,
    remaining: 0,
    acknowledged: 200,
    inProgressMax: 0,
    failed: 0,
    won: 100,
    fallbacks: 100,
  }
  const problemsOf = (use: Partial<StockUse>) => findStockProblems({ ...soldOut, ...use })

  it('is right when every piece was won once and the others won the fallback', () => {
    expect(problemsOf({})).to.deep.equal([])
  })

  it('is right when as many requests more than acknowledged were carried out as were in progress', () => {
    const enough = { published: 1_000, remaining: 790, won: 210, fallbacks: 0 }
    expect(problemsOf({ ...enough, inProgressMax: 10 })).to.deep.equal([])
    expect(problemsOf({ ...enough, inProgressMax: 9 })).to.deep.equal([
      '10 more openings than acknowledged requests',
    ])
  })

  it('is wrong when more was won than was published', () => {
    expect(problemsOf({ won: 101, fallbacks: 99 })).to.include('101 pieces were won of 100')
  })

  it('is wrong when more pieces were taken than were won', () => {
    expect(problemsOf({ won: 99, fallbacks: 101 })).to.deep.equal([
      '100 pieces were taken for 99 openings that won one',
    ])
  })

  it('is wrong when the fallback was won although a piece was left', () => {
    expect(problemsOf({ remaining: 1, won: 99, fallbacks: 101 })).to.deep.equal([
      '101 openings won the fallback although 1 pieces are left',
    ])
  })

  it('is wrong when an acknowledged opening is missing, or one failed', () => {
    expect(problemsOf({ acknowledged: 201 })).to.deep.equal(['-1 more openings than acknowledged requests'])
    expect(problemsOf({ failed: 1 })).to.deep.equal(['1 openings were not answered with 200'])
  })
})

describe('fairness in bench:scale', () => {
  const orders = (answersP99Ms: number, worksP99Ms: number): SmallOrders => ({
    answers: { count: 100, failed: 0, p50Ms: 1, p99Ms: answersP99Ms },
    works: { p50Ms: 1, p99Ms: worksP99Ms },
    unfinished: 0,
  })
  const measured: MeasuredFairness = {
    alone: orders(10, 20),
    beside: orders(100, 1_000),
    floodPerSecond: 2_000,
    backlogs: [4_000, 0],
    othersCores: 0,
    problems: [],
  }

  it('lets the small casino wait 100 ms for answers and a second for its work', () => {
    expect(findUnfair(measured)).to.deep.equal([])
  })

  it('lets it wait three times as long as alone', () => {
    expect(findUnfair({ ...measured, alone: orders(50, 400), beside: orders(150, 1_200) })).to.deep.equal([])
  })

  it('names the answers and the work that took longer', () => {
    const found = findUnfair({ ...measured, beside: orders(101, 1_001), othersCores: 0.1 })
    expect(found).to.deep.equal([
      {
        text: "fairness: the small casino's answers took 101 ms beside the flood, more than 100",
        isExceeded: true,
        othersCores: 0.1,
      },
      {
        text: "fairness: the small casino's finished works took 1001 ms beside the flood, more than 1000",
        isExceeded: true,
        othersCores: 0.1,
      },
    ])
  })
})
