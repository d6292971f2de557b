import type { Holder } from './call-slots.ts'

/**
 * The holders of a partner's line that begin their attempts before there is a slot for their calls, so that no
 * statement runs between two calls. They wait here for a slot, in the order of the line.
 */
export interface Ahead {
  size(): number
  has(holder: Holder): boolean
  add(holder: Holder): void
  /** Returns whether the holder got a slot. After a while the wait is too long: the attempt's lease is running. */
  wait(holder: Holder): Promise<boolean>
  /** The waiting holder whose attempt began first. */
  findReady(): Holder | undefined
  /** The holder has a slot now, or does not need one any more. */
  remove(holder: Holder, hasSlot: boolean): void
  holders(): readonly Holder[]
}

/**
 * Much less than the margin of a lease, which includes the wait. Holders only begin ahead if the partner answers within
 * a tenth of this.
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
