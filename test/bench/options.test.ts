import { expect } from 'chai'
import { parseOptions, usage } from '../../bench/options.ts'
import { UsageError } from '../../core/platform/main-program.ts'

describe('the options of the benchmark', () => {
  it('measure everything with the PostgreSQL of the npm package, unless they say otherwise', () => {
    expect(parseOptions([])).to.deep.include({
      operations: ['order', 'cashback', 'box', 'box-stock'],
      connections: [16, 64, 256],
      rounds: 1,
      postgres: undefined,
    })
    expect(parseOptions(['--postgres', '/usr/lib/postgresql/18'])).to.include({
      postgres: '/usr/lib/postgresql/18',
    })
  })

  it('are described by the usage', () => {
    for (const option of ['operation', 'service', 'connections', 'seconds', 'rounds', 'client', 'postgres']) {
      expect(usage).to.include(`--${option} `)
    }
  })

  it('refuse names and counts that do not exist', () => {
    for (const args of [
      ['--operation', 'orders'],
      ['--service', 'theirs'],
      ['--rounds', '0'],
      ['--client', 'curl'],
    ]) {
      expect(() => parseOptions(args)).to.throw(UsageError, args[0])
    }
  })
})
