import { expect } from 'chai'
import { createLoginLimit } from '../../../api/ops/login-limit.ts'

describe('the limit of failed logins', () => {
  it('looks at no more attempts after twenty failures, until a minute has passed since the first', () => {
    let nowMs = Date.UTC(2026, 0, 1)
    const limit = createLoginLimit({ clock: { now: () => new Date(nowMs) } })
    for (let failure = 1; failure <= 20; failure++) {
      expect(limit.waitMs()).to.equal(0)
      limit.recordFailure()
      nowMs += 1_000
    }
    expect(limit.waitMs()).to.equal(40_000)
    nowMs += 39_999
    expect(limit.waitMs()).to.equal(1)
    nowMs += 1
    expect(limit.waitMs()).to.equal(0)
    limit.recordFailure()
    expect(limit.waitMs()).to.equal(0)
  })
})
