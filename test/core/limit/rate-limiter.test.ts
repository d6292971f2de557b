import { expect } from 'chai'
import { createRateLimiter } from '../../../core/limit/rate-limiter.ts'
import type { RateLimiter } from '../../../core/limit/rate-limiter.ts'
import type { ShareBuckets, Spending } from '../../../core/limit/share-buckets.ts'
import { createLogger } from '../../../core/platform/logger.ts'
import { atEndOfTest } from '../../support/at-end.ts'

/** A bucket that fills so slowly that it gains nothing during a test. */
const limit = { perSecond: 0.01, burst: 5 }
const log = createLogger('test', 'silent')

describe('the rate limiter', () => {
  const atTestEnd = atEndOfTest()

  function start(shareBuckets?: ShareBuckets): RateLimiter {
    const limiter = createRateLimiter({ shareBuckets, log })
    atTestEnd(() => limiter.stop())
    return limiter
  }
  const allowed = (limiter: RateLimiter, key: string, count: number) =>
    Array.from({ length: count }, () => limiter.take(key, limit)).filter(({ isAllowed }) => isAllowed).length

  /** The buckets that all processes share: as in Redis, but they never fill again. */
  function createShared(): { share: ShareBuckets; left: Map<string, number>; told: Spending[][] } {
    const left = new Map<string, number>()
    const told: Spending[][] = []
    const share: ShareBuckets = (spendings) => {
      told.push([...spendings])
      return Promise.resolve(
        spendings.map((spending) => {
          const tokens = (left.get(spending.key) ?? spending.limit.burst) - spending.spent
          left.set(spending.key, tokens)
          return tokens
        }),
      )
    }
    return { share, left, told }
  }

  it('allows a burst, then nothing, for each key separately', () => {
    const limiter = start()
    expect(allowed(limiter, 'a', 8)).to.equal(5)
    expect(allowed(limiter, 'b', 3)).to.equal(3)
    expect(limiter.take('a', limit).tokens).to.be.within(0, 0.99)
  })

  it('takes a token from each of several buckets, or from none when one is empty', () => {
    const limiter = start()
    const [wide, narrow] = [
      { key: 'wide', limit },
      { key: 'narrow', limit: { perSecond: 0.01, burst: 2 } },
    ]
    const answers = Array.from({ length: 4 }, () => limiter.takeOfEach([wide, narrow]))
    expect(answers.map((takes) => takes.map(({ isAllowed }) => isAllowed))).to.deep.equal([
      [true, true],
      [true, true],
      [true, false],
      [true, false],
    ])
    expect(allowed(limiter, 'wide', 9), 'left in the wide one').to.equal(3)
  })

  it('follows a limit that is changed while it is used', () => {
    const limiter = start()
    expect(allowed(limiter, 'a', 2)).to.equal(2)
    expect(limiter.take('a', { perSecond: 0.01, burst: 2 }).tokens).to.be.closeTo(1, 0.1)
    expect(limiter.take('a', { perSecond: 0.01, burst: 1_000 }).tokens).to.be.closeTo(0, 0.1)
  })

  it('counts the tokens that other processes took, and reports each token once', async () => {
    const { share, left } = createShared()
    const [one, two] = [start(share), start(share)]
    expect(allowed(one, 'a', 3)).to.equal(3)
    await one.share()
    expect(left.get('a')).to.equal(2)
    expect(allowed(two, 'a', 1)).to.equal(1)
    await two.share()
    expect(allowed(two, 'a', 5)).to.equal(1)
    await two.share()
    await one.share()
    expect(left.get('a')).to.equal(0)
  })

  it('refuses everywhere until an excess is paid back', async () => {
    const { share, left } = createShared()
    const limiters = [start(share), start(share), start(share)]
    for (const limiter of limiters) expect(allowed(limiter, 'a', 9)).to.equal(5)
    for (const limiter of limiters) await limiter.share()
    expect(left.get('a')).to.equal(-10)
    left.set('a', -4) // the clock has advanced
    for (const limiter of limiters) {
      limiter.take('a', limit)
      await limiter.share()
      expect(allowed(limiter, 'a', 3)).to.equal(0)
    }
  })

  it('also counts tokens that are taken during a report to the other processes', async () => {
    let answer: () => void = () => undefined
    const limiter = start(
      (spendings) =>
        new Promise((resolve) => {
          answer = () => {
            resolve(spendings.map(({ limit: { burst }, spent }) => burst - spent))
          }
        }),
    )
    expect(allowed(limiter, 'a', 2)).to.equal(2)
    const sharing = limiter.share()
    expect(allowed(limiter, 'a', 2)).to.equal(2)
    answer()
    await sharing
    expect(allowed(limiter, 'a', 5)).to.equal(1)
  })

  it('limits on its own when reports to the other processes fail, and reports no token twice', async () => {
    const { share, told, left } = createShared()
    let isAway = true
    const limiter = start((spendings) => (isAway ? Promise.reject(new Error('away')) : share(spendings)))
    expect(allowed(limiter, 'a', 2)).to.equal(2)
    await limiter.share()
    expect(allowed(limiter, 'a', 9)).to.equal(3)
    await limiter.share()
    isAway = false
    limiter.take('a', limit)
    await limiter.share()
    expect(told.flat().map(({ spent }) => spent)).to.deep.equal([0])
    expect(left.get('a')).to.equal(5)
  })

  it('reports many keys with few calls, and forgets buckets that are full', async () => {
    const { share, told } = createShared()
    const limiter = start(share)
    const quick = { perSecond: 1_000_000, burst: 1 }
    for (let n = 0; n < 1_200; n++) limiter.take(`key-${n}`, quick)
    await limiter.share()
    expect(told.map((spendings) => spendings.length)).to.deep.equal([500, 500, 200])
    await limiter.share()
    expect(told).to.have.length(3)
  })
})
