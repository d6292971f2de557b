import type { LineKind } from './call-line.ts'
import { createCallSlots } from './slots.ts'
import type { CallSlots } from './call-slots.ts'

/** Half of them begin together, in one batch, while the calls of the others are made. */
const aheadPerEndpointMax = 16

/** Enough for a receiver that answers immediately; a process has room for many such endpoints. */
const slotsPerEndpointMax = 8

/** The same limit as for jobs of each kind. */
export function createSlotsOfKinds(options: {
  totalMax: number
  nowMs: () => number
}): Readonly<Record<LineKind, CallSlots>> {
  return {
    wallet: createCallSlots(options),
    provider: createCallSlots(options),
    webhook: createCallSlots({
      ...options,
      perLineMax: slotsPerEndpointMax,
      aheadMax: aheadPerEndpointMax,
    }),
  }
}
