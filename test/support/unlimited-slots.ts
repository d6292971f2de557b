import { createCallSlots } from '../../core/outbound/slots.ts'
import type { CallSlots } from '../../core/outbound/call-slots.ts'

/** Room for every call. */
export const unlimitedSlots: CallSlots = {
  ...createCallSlots({ totalMax: 1, nowMs: () => 0 }),
  take: () => true,
  turn: () => Promise.resolve(true),
}
