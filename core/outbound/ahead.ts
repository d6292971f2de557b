import type { Holder } from './call-slots.ts'

/**
 * Those of a partner that begin their attempts before there is a slot for their calls, so that no statement stands between
 * two calls: in the order of the line. Who has begun waits here for a slot.
 */
export interface Ahead {
  size(): number
  has(holder: Holder): boolean
  add(holder: Holder): void
  /** Whether the holder has got a slot in the end. It is too long after a while: its lease runs. */
  wait(holder: Holder): Promise<boolean>
  /** The first that has begun. */
  findReady(): Holder | undefined
  /** It has a slot now, or wants none any more. */
  remove(holder: Holder, hasSlot: boolean): void
  holders(): readonly Holder[]
}

/**
 * Much less than the margin of a lease, which the wait is taken from. The partner answers within a tenth of this, or nobody
 * would be ahead.
 */
const waitMaxMs = 1_000

/** `onTooLong` removes the holder. */
export function createAhead(onTooLong: (holder: Holder) => void, maxMs = waitMaxMs): Ahead {
  const ahead = new Set<Holder>()
  const ready = new Map<Holder, (hasSlot: boolean) => void>()
  return {
    size: () => ahead.size,
    has: (holder) => ahead.has(holder),
    add: (holder) => ahead.add(holder),
    wait: (holder) =>
      new Promise((resolve) => {
        const timer = setTimeout(onTooLong, maxMs, holder)
        ready.set(holder, (hasSlot) => {
          clearTimeout(timer)
          resolve(hasSlot)
        })
      }),
    findReady: () => ready.keys().next().value,
    remove: (holder, hasSlot) => {
      ahead.delete(holder)
      ready.get(holder)?.(hasSlot)
      ready.delete(holder)
    },
    holders: () => [...ahead],
  }
}
