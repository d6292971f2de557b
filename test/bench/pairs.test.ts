import { expect } from 'chai'
import { parseOptions } from '../../bench/pairs/options.ts'
import { findBusyBursts, ratioOf, renderBursts } from '../../bench/pairs/report.ts'
import type { Burst } from '../../bench/pairs/report.ts'
import { UsageError } from '../../core/platform/main-program.ts'

function burst(requestsPerSecond: number): Burst {
  const cpuMicroseconds = { api: 100, manage: 0, worker: 20, postgres: 150, redis: 5, client: 40, others: 10 }
  return { requestsPerSecond, p99Ms: 30, cpuMicroseconds, othersCores: 0.5 }
}

describe('the pairs of bursts', () => {
  it('compare each burst with that of the first in the same pair', () => {
    const ratio = ratioOf(
      [1_000, 4_000, 2_000].map((rate) => burst(rate)),
      [1_100, 4_800, 2_200].map((rate) => burst(rate)),
    )
    expect(ratio.median).to.be.closeTo(1.1, 1e-9)
    expect(ratio.mean).to.be.closeTo(3.4 / 3, 1e-9)
    expect(ratio.standardError).to.be.closeTo(0.1 / 3, 1e-9)
  })

  it('have a row for each form of the code, and name the first as the one to compare with', () => {
    const rows = renderBursts([
      { name: 'before', bursts: [burst(1_000), burst(2_000)] },
      { name: 'after', bursts: [burst(1_200), burst(2_200)] },
    ]).split('\n')
    expect(rows.slice(2)).to.deep.equal([
      '| before | 1500 | 30.0 | 100 | 20 | 150 | 5 | 40 | 10 |  |',
      '| after | 1700 | 30.0 | 100 | 20 | 150 | 5 | 40 | 10 | 1.150 (mean 1.150 ± 0.050) |',
    ])
  })

  it('say how busy other programs were in each burst', () => {
    const [finding] = findBusyBursts([{ name: 'after', bursts: [burst(1_000)] }])
    expect(finding).to.deep.equal({ text: 'after, burst 1', isExceeded: false, othersCores: 0.5 })
  })

  it('take checkouts by name, a change of the database and a form without a worker', () => {
    const { sides, operation, pairs } = parseOptions([
      '--operation',
      'cashback',
      'before=.',
      'after=.',
      '--sql',
      'after=DROP INDEX one',
      '--no-worker',
      'before',
    ])
    expect([operation, pairs]).to.deep.equal(['cashback', 12])
    expect(sides.map(({ name, sql, workerCount }) => [name, sql, workerCount])).to.deep.equal([
      ['before', undefined, 0],
      ['after', 'DROP INDEX one', 1],
    ])
  })

  for (const [what, args] of Object.entries({
    'a single form': ['one=.'],
    'two forms of one name': ['one=.', 'one=.'],
    'a folder that is no checkout': ['one=.', 'two=docs'],
    'a form without a name': ['one=.', '.'],
    'several operations': ['--operation', 'order,cashback', 'one=.', 'two=.'],
    'a single pair': ['--pairs', '1', 'one=.', 'two=.'],
    'two changes of one database': ['one=.', 'two=.', '--sql', 'two=SELECT 1', '--sql', 'two=SELECT 2'],
    'an unknown name': ['one=.', 'two=.', '--no-worker', 'three'],
  })) {
    it(`refuse ${what}`, () => {
      expect(() => parseOptions(args)).to.throw(UsageError)
    })
  }
})
