/**
 * A value that is loaded when it is first needed, by one request for all that wait, and again when it is old. If that
 * fails, the old one stays in use. A failure is told again for a while, without another attempt.
 */
export function createCached<Value>({
  load,
  keepMs,
  retryAfterMs,
  nowMs,
}: {
  load: () => Promise<Value>
  keepMs: number
  retryAfterMs: number
  nowMs: () => number
}): () => Promise<Value> {
  let known: { value: Value; atMs: number } | undefined
  let failed: { error: unknown; atMs: number } | undefined
  let underWay: Promise<Value> | undefined

  async function loadOnce(): Promise<Value> {
    try {
      const value = await load()
      known = { value, atMs: nowMs() }
      failed = undefined
      return value
    } catch (error) {
      failed = { error, atMs: nowMs() }
      if (known !== undefined) return known.value
      throw error
    } finally {
      underWay = undefined
    }
  }

  return async () => {
    if (known !== undefined && nowMs() - known.atMs < keepMs) return known.value
    if (failed !== undefined && nowMs() - failed.atMs < retryAfterMs) {
      if (known !== undefined) return known.value
      throw failed.error
    }
    underWay ??= loadOnce()
    return underWay
  }
}
