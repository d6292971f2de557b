import { createFairSlots } from './fair-slots.ts'

/** Probes call somebody for up to ten seconds while somebody waits for the result. */
const probesAtOnceMax = 16
const probesPerCasinoMax = 2
/** Nobody waits for a slot: the one who asks can ask again. */
const waitMs = 1_000

/**
 * Runs a probe of a casino's partner or receiver. Throws `overloaded` when too many are under way, of the casino or of
 * all.
 */
export type RunProbe = <Result>(casinoId: string, probe: () => Promise<Result>) => Promise<Result>

/** One casino's probes, of whatever it is, leave room for others'. `holderOf`: whose share a casino's probes are. */
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
