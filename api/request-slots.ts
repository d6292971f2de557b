import { createFairSlots } from '../core/limit/fair-slots.ts'
import type { FairSlots } from '../core/limit/fair-slots.ts'

/** How many reads, changes and partners' updates run in parallel: by casino; by address before the sender is known. */
export interface RequestSlots {
  readSlots: FairSlots
  manageSlots: FairSlots
  partnerSlots: FairSlots
}

/** Connections of the catalogue and of the evidence of draws: the three operations never wait for those. */
export const readPoolMax = 4
/** So many connections are left for looking up keys and for statements that one request sends in parallel. */
const managePoolSpare = 2
/**
 * A script may send a few hundred requests in parallel; further ones are told to come back. All wait as long as people do for a
 * page.
 */
const lineLimits = { linePerGroup: 250, lineMax: 1_000, waitMs: 10_000 }
/** Reads of one casino: pages of large boxes keep the event loop busy, so they are made one after the other. */
const readSlotsPerCasino = 1

export function createRequestSlots({ databasePoolMax }: { databasePoolMax: number }): RequestSlots {
  const slots = Math.max(1, Math.floor((databasePoolMax - managePoolSpare) / 2))
  const slotsPerGroup = Math.max(1, Math.floor(slots / 2))
  const manageOptions = { ...lineLimits, slots, slotsPerGroup }
  return {
    readSlots: createFairSlots({ ...lineLimits, slots: readPoolMax, slotsPerGroup: readSlotsPerCasino }),
    manageSlots: createFairSlots(manageOptions),
    partnerSlots: createFairSlots(manageOptions),
  }
}
