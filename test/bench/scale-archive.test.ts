import { expect } from 'chai'
import { findLost, findSlowArchive } from '../../bench/scale/measure-archive.ts'
import type { MeasuredArchive } from '../../bench/scale/measure-archive.ts'

const quick = { p50Ms: 1, p99Ms: 20 }
const openings = { ...quick, count: 100, failed: 0 }
const measured: MeasuredArchive = {
  size: 10_000,
  events: 20_000,
  moved: 12_000,
  lookedAt: 15_000,
  seconds: 2,
  turns: { p50Ms: 90, p99Ms: 900 },
  statements: quick,
  idle: quick,
  alone: openings,
  beside: openings,
  othersCores: 0,
  problems: [],
}

describe('the archive in bench:scale', () => {
  it('has lost an event that is neither live nor archived', () => {
    const before = { live: 100, archived: 0 }
    expect(findLost(before, { live: 50, archived: 60 }, 10)).to.deep.equal([])
    expect(findLost(before, { live: 50, archived: 59 }, 10)).to.deep.equal([
      '1 events are neither live nor archived',
    ])
  })

  it('may take long turns of many casinos, but no long statement', () => {
    expect(findSlowArchive(measured)).to.deep.equal([])
    const [found, ...others] = findSlowArchive({ ...measured, statements: { p50Ms: 10, p99Ms: 201 } })
    expect(others).to.deep.equal([])
    expect(found?.text).to.equal(
      'the archive beside 10000: the longest statement of a turn took 201 ms, more than 200',
    )
  })

  it('may delay openings to three times their own time, or to 100 ms', () => {
    const besideMs = (p99Ms: number) =>
      findSlowArchive({ ...measured, beside: { ...openings, p99Ms } }).map(({ text }) => text)
    expect(besideMs(100)).to.deep.equal([])
    expect(besideMs(101)).to.deep.equal(['the archive beside 10000: openings took 101 ms, more than 100'])
    const slowAlone = { ...measured, alone: { ...openings, p99Ms: 50 } }
    expect(findSlowArchive({ ...slowAlone, beside: { ...openings, p99Ms: 150 } })).to.deep.equal([])
  })
})
