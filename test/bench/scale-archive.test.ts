import { expect } from 'chai'
import { findSlowArchive } from '../../bench/scale/archive-report.ts'
import { findLost } from '../../bench/scale/measure-archive.ts'
import type { MeasuredArchive, Sweep } from '../../bench/scale/measure-archive.ts'

const quick = { p50Ms: 1, p99Ms: 20 }
const openings = { ...quick, count: 100, failed: 0 }
const sweep: Sweep = {
  moved: 12_000,
  lookedAt: 15_000,
  seconds: 2,
  turns: { p50Ms: 90, p99Ms: 900 },
  statements: quick,
}
const measured: MeasuredArchive = {
  size: 10_000,
  live: { events: 20_000, prizes: 10_000 },
  sweeps: { events: sweep, prizes: sweep },
  months: 36,
  idle: quick,
  alone: openings,
  beside: openings,
  othersCores: 0,
  problems: [],
}

describe('the archive in bench:scale', () => {
  it('has lost an event or a prize that is neither live nor archived', () => {
    const before = { liveEvents: 100, archivedEvents: 0, livePrizes: 40, archivedPrizes: 0 }
    const after = { liveEvents: 50, archivedEvents: 60, livePrizes: 30, archivedPrizes: 20 }
    expect(findLost(before, after, 10)).to.deep.equal([])
    expect(findLost(before, { ...after, archivedEvents: 59 }, 10)).to.deep.equal([
      '1 events are neither live nor archived',
    ])
    expect(findLost(before, { ...after, livePrizes: 28 }, 10)).to.deep.equal([
      '2 prizes are neither live nor archived',
    ])
  })

  it('may take long turns of many casinos, but no long statement', () => {
    expect(findSlowArchive(measured)).to.deep.equal([])
    for (const kind of ['events', 'prizes']) {
      const slow = { ...sweep, statements: { p50Ms: 10, p99Ms: 201 } }
      const [found, ...others] = findSlowArchive({
        ...measured,
        sweeps: { ...measured.sweeps, [kind]: slow },
      })
      expect(others).to.deep.equal([])
      expect(found?.text).to.equal(
        `the archive beside 10000: the longest statement of a turn for ${kind} took 201 ms, more than 200`,
      )
    }
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
