import { expect } from 'chai'
import fc from 'fast-check'
import {
  fullBucket,
  secondsUntilFull,
  secondsUntilToken,
  tokensAt,
} from '../../../core/limit/token-bucket.ts'

const limit = { perSecond: 10, burst: 50 }

describe('a token bucket', () => {
  it('is full at first, fills steadily, and never exceeds its burst', () => {
    expect(tokensAt(fullBucket(limit, 1_000), limit, 1_000)).to.equal(50)
    const bucket = { tokens: 0, atMs: 1_000 }
    expect(tokensAt(bucket, limit, 1_100)).to.be.closeTo(1, 1e-9)
    expect(tokensAt(bucket, limit, 3_500)).to.be.closeTo(25, 1e-9)
    expect(tokensAt(bucket, limit, 1e9)).to.equal(50)
    expect(tokensAt(bucket, limit, 0)).to.equal(0)
  })

  it('says when the next token is available, and when it is full', () => {
    expect([0, 0.95, -30, -30.1].map((tokens) => secondsUntilToken(tokens, limit))).to.deep.equal([
      1, 1, 4, 4,
    ])
    expect([50, 49, 0, -50].map((tokens) => secondsUntilFull(tokens, limit))).to.deep.equal([0, 1, 5, 10])
    expect(secondsUntilToken(0, { perSecond: 0.01, burst: 1 })).to.equal(100)
  })

  it('gives in any time no more than its burst and the refill of that time', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 2_000 }), { minLength: 1, maxLength: 300 }),
        fc.double({ min: 0.01, max: 200, noNaN: true }),
        fc.integer({ min: 1, max: 40 }),
        (pausesMs, perSecond, burst) => {
          const wanted = { perSecond, burst }
          let bucket = fullBucket(wanted, 0)
          let nowMs = 0
          let given = 0
          for (const pauseMs of pausesMs) {
            nowMs += pauseMs
            const tokens = tokensAt(bucket, wanted, nowMs)
            const isGiven = tokens >= 1
            if (isGiven) given += 1
            bucket = { tokens: isGiven ? tokens - 1 : tokens, atMs: nowMs }
          }
          expect(given).to.be.at.most(burst + (nowMs * perSecond) / 1000 + 1e-6)
        },
      ),
    )
  })
})
