import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** A partner that hangs until `recover` is called, and from then on answers each call after the same delay. */
export interface HangingPartner {
  url: string
  /** The number of calls that have arrived. */
  calls(): number
  /** The number of different objects about which calls were answered. */
  answered(): number
  recover(): void
  /** The measurements since it recovered. */
  measured(): Measured
  stop(): Promise<void>
}

export interface Measured {
  /** The time from the recovery to the last answer. */
  tookMs: number
  /** The total duration of all calls, divided by the highest number of simultaneous calls. */
  callsMs: number
  openMax: number
  /** The number of calls beyond one for each object. */
  repeated: number
}

export async function startHangingPartner(answersAfterMs: number, answer: string): Promise<HangingPartner> {
  let letGo: () => void = () => undefined
  const gate = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const ids = new Set<string>()
  let calls = 0
  let open = 0
  let openMax = 0
  let sumMs = 0
  let recoveredMs = Infinity
  let lastMs = 0
  const server = createServer((request, response) => {
    calls += 1
    open += 1
    openMax = Math.max(openMax, open)
    const arrivedMs = performance.now()
    request.resume()
    void gate
      .then(() => (arrivedMs < recoveredMs ? undefined : delay(answersAfterMs, undefined, { ref: false })))
      .then(() => {
        open -= 1
        lastMs = performance.now()
        sumMs += lastMs - Math.max(arrivedMs, recoveredMs)
        ids.add(String(request.headers['webhook-id']))
        response.end(answer)
      })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/line`,
    calls: () => calls,
    answered: () => ids.size,
    recover: () => {
      recoveredMs = performance.now()
      letGo()
    },
    measured: () => ({
      tookMs: lastMs - recoveredMs,
      callsMs: sumMs / openMax,
      openMax,
      repeated: calls - ids.size,
    }),
    stop: () => {
      letGo()
      server.closeAllConnections()
      return new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
      })
    },
  }
}
