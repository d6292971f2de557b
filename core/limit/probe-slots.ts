import { createFairSlots } from './fair-slots.ts'

/** A probe may take ten seconds while an operator waits for the result. */
const probesAtOnceMax = 16
const probesPerCasinoMax = 2
/** Probes do not wait for a slot: the caller can repeat the request. */
const waitMs = 1_000

/**
 * Runs a probe of a casino's partner or receiver. Throws `overloaded` if too many are running, of the casino or in
 * total.
 */
export type RunProbe = <Result>(casinoId: string, probe: () => Promise<Result>) => Promise<Result>

/** Limits one casino's probes, of any kind, to leave room for others. `holderOf`: the casino whose share is used. */
export function createRunProbe(holderOf: (casinoId: string) => string): RunProbe {
  const slots = createFairSlots({
    slots: probesAtOnceMax,
    slotsPerGroup: probesPerCasinoMax,
    linePerGroup: probesPerCasinoMax,
    lineMax: probesAtOnceMax,
    waitMs,
  })
  return async (casinoId, probe) => {
    const place = slots.enter(holderOf(casinoId))
    try {
      return await place.run(probe)
    } finally {
      place.leave()
    }
  }
}
