import { createCallSlots } from '../core/partner/call-slots.ts'
import type { CallSlots, LineKind } from '../core/partner/call-slots.ts'
import { monotonicMs } from '../core/platform/clock.ts'
import type { Config } from '../core/platform/config.ts'

/** Enough for a receiver that answers at once; a process has room for many such endpoints. */
const slotsPerEndpointMax = 8

/** As many calls of each kind as there may be jobs of it. */
export function createSlotsOfKinds({
  workerConcurrency: totalMax,
}: Config): Readonly<Record<LineKind, CallSlots>> {
  const options = { totalMax, nowMs: monotonicMs }
  return {
    wallet: createCallSlots(options),
    provider: createCallSlots(options),
    webhook: createCallSlots({ ...options, perLineMax: slotsPerEndpointMax }),
  }
}
