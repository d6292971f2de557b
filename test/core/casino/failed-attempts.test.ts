import { expect } from 'chai'
import { createFailedAttempts } from '../../../core/casino/failed-attempts.ts'

describe('failed attempts', () => {
  let nowMs = 1_000_000
  const start = (failuresMax = 3) => createFailedAttempts({ nowMs: () => nowMs, failuresMax })

  it('delay their own address for the rest of the minute, and no other', () => {
    const attempts = start()
    for (let n = 0; n < 3; n++) {
      expect(attempts.waitSeconds('192.0.2.1', 'key')).to.equal(0)
      attempts.recordFailure('192.0.2.1')
      nowMs += 5_000
    }
    expect(attempts.waitSeconds('192.0.2.1', 'key')).to.equal(45)
    expect(attempts.waitSeconds('::ffff:192.0.2.1', 'key')).to.equal(45)
    expect(attempts.waitSeconds('192.0.2.2', 'key')).to.equal(0)
    nowMs += 45_000
    expect(attempts.waitSeconds('192.0.2.1', 'key')).to.equal(0)
    attempts.recordFailure('192.0.2.1')
    expect(attempts.waitSeconds('192.0.2.1', 'key')).to.equal(0)
  })

  it('do not affect keys that have been valid from the same address', () => {
    const attempts = start()
    attempts.recordSuccess('192.0.2.1', 'known')
    for (let n = 0; n < 5; n++) attempts.recordFailure('192.0.2.1')
    expect(attempts.waitSeconds('192.0.2.1', 'known')).to.equal(0)
    expect(attempts.waitSeconds('192.0.2.1', 'other')).to.be.greaterThan(0)
    for (let n = 0; n < 5; n++) attempts.recordFailure('192.0.2.9')
    expect(attempts.waitSeconds('192.0.2.9', 'known')).to.be.greaterThan(0)
  })

  it('are remembered for a bounded number of addresses, the latest', () => {
    const attempts = start(1)
    attempts.recordFailure('192.0.2.1')
    attempts.recordFailure('192.0.2.2')
    for (let n = 0; n < 9_998; n++) attempts.recordFailure(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`)
    attempts.recordFailure('192.0.2.1')
    attempts.recordFailure('198.51.100.1')
    expect(attempts.waitSeconds('192.0.2.2', 'key')).to.equal(0)
    expect(attempts.waitSeconds('192.0.2.1', 'key')).to.be.greaterThan(0)
    expect(attempts.waitSeconds('198.51.100.1', 'key')).to.be.greaterThan(0)
  })
})
