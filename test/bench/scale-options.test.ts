import { expect } from 'chai'
import { UsageError } from '../../core/platform/main-program.ts'
import { parseOptions, parts, usage } from '../../bench/scale/options.ts'

describe('the options of bench:scale', () => {
  it('measure all parts beside 10,000, a million and ten million prizes when nothing is said', () => {
    expect(parseOptions([])).to.deep.include({
      parts,
      sizes: [10_000, 1_000_000, 10_000_000],
      archiveSeconds: 60,
    })
  })

  it('measure fewer sizes on request', () => {
    expect(parseOptions(['--sizes', '10000,1000000']).sizes).to.deep.equal([10_000, 1_000_000])
  })

  it('measure only the named parts', () => {
    expect(parseOptions(['--part', 'archive,processes']).parts).to.deep.equal(['archive', 'processes'])
  })

  it('have a line in the usage each, with the default that they have', () => {
    const lines = [...usage.matchAll(/^ {2}--(\S+) (\S+)/gm)].map(([, name, value]) => [
      `--${name}`,
      value ?? '',
    ])
    expect(lines.map(([name]) => name)).to.include.members(['--part', '--sizes', '--archive-seconds'])
    expect(parseOptions(lines.flat())).to.deep.equal(parseOptions([]))
  })

  for (const args of [
    ['--part', 'archives'],
    ['--sizes', '1000000,10000'],
    ['--sizes', '10'],
    ['--sizes', '100000000'],
    ['--archive-seconds', '0'],
    ['--rounds', 'many'],
  ]) {
    it(`refuse ${args.join(' ')} before anything is started`, () => {
      expect(() => parseOptions(args)).to.throw(UsageError, args[0])
    })
  }
})
