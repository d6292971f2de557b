import { createCallSlots } from '../../core/partner/call-slots.ts'
import type { CallSlots } from '../../core/partner/call-slots.ts'

/** Room for whoever comes. */
export const unlimitedSlots: CallSlots = {
  ...createCallSlots({ totalMax: 1, nowMs: () => 0 }),
  take: () => true,
}
