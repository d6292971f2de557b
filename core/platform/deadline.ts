/** What was waited for did not come in time; whether it still takes effect is unknown. */
export class DeadlineError extends Error {
  constructor(timeoutMs: number) {
    super(`no answer within ${timeoutMs} ms`)
    this.name = 'DeadlineError'
  }
}

/** Settles like the promise, or rejects with a DeadlineError after `timeoutMs`. Cancels nothing. */
export async function withinMs<Value>(promise: Promise<Value>, timeoutMs: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new DeadlineError(timeoutMs))
    }, timeoutMs)
  })
  try {
    return await Promise.race([promise, deadline])
  } finally {
    clearTimeout(timer)
  }
}

/** Those who ask (probes, people before a page) give up soon, whatever the time-outs of a connection are. */
export const reachableWithinMs = 2_000

/** Whether a ping comes back, and soon. */
export function isReachable(ping: () => Promise<void>): Promise<boolean> {
  return withinMs(ping(), reachableWithinMs).then(
    () => true,
    () => false,
  )
}
