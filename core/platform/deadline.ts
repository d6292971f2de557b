/** The result did not arrive in time; whether it still takes effect is unknown. */
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

/** Probes and pages give up soon, however long a connection's time-outs are. */
export const reachableWithinMs = 2_000

/** Whether a ping is answered in time. */
export function isReachable(ping: () => Promise<void>): Promise<boolean> {
  return withinMs(ping(), reachableWithinMs).then(
    () => true,
    () => false,
  )
}
