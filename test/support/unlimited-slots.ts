import { createCallSlots } from '../../core/outbound/slots.ts'
import type { CallSlots } from '../../core/outbound/slots.ts'

/** Room for whoever comes. */
export const unlimitedSlots: CallSlots = {
  ...createCallSlots({ totalMax: 1, nowMs: () => 0 }),
  take: () => true,
}
