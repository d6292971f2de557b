import type { RateLimit } from '../platform/rate-limits.ts'
import type { RunScript } from '../queue/queue-backend.ts'

/** The tokens that one process has taken from a bucket since its last report. */
export interface Spending {
  key: string
  limit: RateLimit
  spent: number
}

/** Subtracts the reported tokens, and returns the current contents of each bucket, in the same order. */
export type ShareBuckets = (spendings: readonly Spending[]) => Promise<number[]>

/**
 * By Redis's own clock, so that the clocks of the processes do not matter. A bucket that was unused for the time it
 * takes to fill is full, so it need not be kept.
 */
const script = `
local now = redis.call('TIME')
local now_ms = now[1] * 1000 + now[2] / 1000
local left = {}
for i, key in ipairs(KEYS) do
  local per_ms = tonumber(ARGV[3 * i - 2]) / 1000
  local burst = tonumber(ARGV[3 * i - 1])
  local spent = tonumber(ARGV[3 * i])
  local stored = redis.call('HMGET', key, 'tokens', 'at_ms')
  local tokens = tonumber(stored[1] or burst)
  local at_ms = tonumber(stored[2] or now_ms)
  tokens = math.min(burst, tokens + math.max(0, now_ms - at_ms) * per_ms) - spent
  local full_in_ms = math.ceil((burst - tokens) / per_ms) + 1000
  redis.call('HSET', key, 'tokens', string.format('%.6f', tokens), 'at_ms', string.format('%.3f', now_ms))
  redis.call('PEXPIRE', key, string.format('%.0f', math.min(full_in_ms, 1e12)))
  left[i] = string.format('%.6f', tokens)
end
return left`

/** Shares buckets through the queues' Redis; undefined without Redis. */
export function createShareBuckets(runScript: RunScript | undefined): ShareBuckets | undefined {
  if (runScript === undefined) return undefined
  return async (spendings) => {
    const answer = await runScript(
      script,
      spendings.map(({ key }) => `limit:${key}`),
      spendings.flatMap(({ limit, spent }) => [limit.perSecond, limit.burst, spent]),
    )
    if (!Array.isArray(answer) || answer.length !== spendings.length) {
      throw new Error('Redis gave another number of buckets')
    }
    return answer.map(toTokens)
  }
}

function toTokens(text: unknown): number {
  const tokens = Number(text)
  if (typeof text !== 'string' || !Number.isFinite(tokens)) throw new Error('Redis gave no number of tokens')
  return tokens
}
