import { monotonicMs } from '../platform/clock.ts'
import type { Logger } from '../platform/logger.ts'
import type { RateLimit } from '../platform/rate-limits.ts'
import type { ShareBuckets, Spending } from './share-buckets.ts'
import { fullBucket, tokensAt } from './token-bucket.ts'
import type { TokenBucket } from './token-bucket.ts'

export interface Take {
  isAllowed: boolean
  /** The number of tokens left after it. */
  tokens: number
}

export interface NamedLimit {
  key: string
  limit: RateLimit
}

export interface RateLimiter {
  /** Takes a token of the bucket `key`, if there is one. Local only: it never waits and never fails. */
  take(key: string, limit: RateLimit): Take
  /** Takes a token from each of the buckets, or from none if one is empty. `takes` are in the order of the buckets. */
  takeOfEach(buckets: readonly NamedLimit[]): Take[]
  /** Reports this process's use to the others and reads theirs. Called automatically while buckets are in use. */
  share(): Promise<void>
  stop(): Promise<void>
}

interface LocalBucket extends TokenBucket {
  limit: RateLimit
  /** Taken here and not reported yet. */
  spent: number
  isTouched: boolean
}

/** How far the processes' views may differ. Ten small commands a second, under any load. */
const shareEveryMs = 100
/** One script call; more would block Redis. */
const sharedAtOnceMax = 500
/** A forgotten bucket counts as full: better too generous than out of memory. There are far fewer real keys. */
const bucketsMax = 100_000

/**
 * Token buckets shared by all processes. A request is decided immediately by this process's own view of the bucket; the
 * views are synchronised ten times a second. Within that time the processes may together exceed the bucket; it is then
 * below zero, and all of them refuse until it has recovered. So the rate is exact, and a burst may briefly be
 * multiplied by the number of processes. While the others cannot be reached, each process limits by itself.
 */
export function createRateLimiter(deps: {
  shareBuckets: ShareBuckets | undefined
  log: Logger
}): RateLimiter {
  const buckets = new Map<string, LocalBucket>()
  let timer: NodeJS.Timeout | undefined
  let sharing: Promise<void> | undefined
  let isStopped = false
  let isAlone = false

  function bucketOf(key: string, limit: RateLimit, nowMs: number): LocalBucket {
    const known = buckets.get(key)
    if (known !== undefined) {
      known.limit = limit
      return known
    }
    if (buckets.size >= bucketsMax) buckets.clear()
    const bucket: LocalBucket = { ...fullBucket(limit, nowMs), limit, spent: 0, isTouched: true }
    buckets.set(key, bucket)
    schedule(0) // others may have emptied it just now
    return bucket
  }

  function schedule(afterMs: number): void {
    if (isStopped || sharing !== undefined || (timer !== undefined && afterMs > 0)) return
    clearTimeout(timer)
    timer = setTimeout(() => void share(), afterMs).unref()
  }

  function share(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    sharing ??= shareAll().finally(() => {
      sharing = undefined
      if (buckets.size > 0) schedule(shareEveryMs)
    })
    return sharing
  }

  async function shareAll(): Promise<void> {
    forgetFullBuckets()
    const touched = [...buckets].filter(([, bucket]) => bucket.isTouched)
    for (let start = 0; start < touched.length; start += sharedAtOnceMax) {
      await shareSome(touched.slice(start, start + sharedAtOnceMax))
    }
  }

  async function shareSome(touched: readonly (readonly [string, LocalBucket])[]): Promise<void> {
    const spendings: Spending[] = touched.map(([key, { limit, spent }]) => ({ key, limit, spent }))
    for (const [, bucket] of touched) {
      bucket.spent = 0
      bucket.isTouched = false
    }
    if (deps.shareBuckets === undefined) return
    try {
      const shared = await deps.shareBuckets(spendings)
      const nowMs = monotonicMs()
      for (const [index, [, bucket]] of touched.entries()) {
        // Tokens taken since the request are not in its answer yet.
        bucket.tokens = (shared[index] ?? bucket.limit.burst) - bucket.spent
        bucket.atMs = nowMs
      }
      if (isAlone) deps.log.info('rate limits shared again')
      isAlone = false
    } catch (error) {
      // It is unknown whether the report was counted; our own bucket is already reduced in any case.
      if (!isAlone) deps.log.warn({ err: error }, 'rate limits not shared: each process limits by itself')
      isAlone = true
    }
  }

  function forgetFullBuckets(): void {
    const nowMs = monotonicMs()
    for (const [key, bucket] of buckets) {
      const isFull = tokensAt(bucket, bucket.limit, nowMs) >= bucket.limit.burst
      if (isFull && !bucket.isTouched) buckets.delete(key)
    }
  }

  function takeOfEach(named: readonly NamedLimit[]): Take[] {
    const nowMs = monotonicMs()
    const looked = named.map(({ key, limit }) => {
      const bucket = bucketOf(key, limit, nowMs)
      bucket.tokens = tokensAt(bucket, limit, nowMs)
      bucket.atMs = nowMs
      bucket.isTouched = true
      return { bucket, isAllowed: bucket.tokens >= 1 }
    })
    const isTaken = looked.every(({ isAllowed }) => isAllowed)
    return looked.map(({ bucket, isAllowed }) => {
      if (isTaken) {
        bucket.tokens -= 1
        bucket.spent += 1
      }
      return { isAllowed, tokens: bucket.tokens }
    })
  }

  return {
    take: (key, limit) => {
      const [take] = takeOfEach([{ key, limit }])
      if (take === undefined) throw new Error('a bucket gave no answer')
      return take
    },
    takeOfEach,
    share,
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await sharing
    },
  }
}
