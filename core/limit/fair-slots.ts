import { RewardsError } from '../errors.ts'

export interface FairSlotsOptions {
  /** Limits on simultaneous work, in total and per group. */
  slots: number
  slotsPerGroup: number
  /**
   * The maximum that may wait or run, per group and, roughly, in total. A group gets at most half of the places that
   * the others leave: a few groups cannot fill the queue, and one item of each group is always accepted. Beyond it,
   * work is refused immediately.
   */
  linePerGroup: number
  lineMax: number
  /** Work that has waited this long for a slot is refused. */
  waitMs: number
}

/** A place in a group's queue. */
export interface Place {
  /** Runs the work in a slot. Rejects with `overloaded`, without running it, if there is none in time. */
  run: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** Within `run`: releases the slot during work that needs none (a call, a calculation). */
  aside: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** Must be called at the end in any case; repeating it is harmless. */
  leave: () => void
}

export interface FairSlots {
  /** Throws `overloaded` if the queue is full. */
  enter(group: string): Place
}

interface Group {
  name: string
  line: number
  working: number
  waiting: (() => void)[]
}

/**
 * Limits simultaneous work, in total and per group. Groups take turns: one with little work gets the next free slot,
 * however much the others have.
 */
export function createFairSlots(options: FairSlotsOptions): FairSlots {
  const { slots, slotsPerGroup, linePerGroup, lineMax, waitMs } = options
  /** In the order of their turns. */
  const groups = new Map<string, Group>()
  let taken = 0
  let line = 0

  function startWaiting(): void {
    for (const group of groups.values()) {
      if (taken >= slots) return
      if (group.working >= slotsPerGroup) continue
      const start = group.waiting.shift()
      if (start === undefined) continue
      toEnd(group)
      taken += 1
      group.working += 1
      start()
    }
  }

  /** For the group that has had its turn. */
  function toEnd(group: Group): void {
    groups.delete(group.name)
    groups.set(group.name, group)
  }

  function giveBack(group: Group): void {
    toEnd(group)
    taken -= 1
    group.working -= 1
    startWaiting()
  }

  /** Rejects after `timeoutMs`; without one it waits as long as it takes. */
  function waitForSlot(group: Group, timeoutMs: number | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer =
        timeoutMs === undefined
          ? undefined
          : setTimeout(() => {
              group.waiting.splice(group.waiting.indexOf(start), 1)
              reject(new RewardsError('overloaded'))
            }, timeoutMs)
      // Work that had a slot before has begun, so it comes first.
      if (timeoutMs === undefined) group.waiting.unshift(start)
      else group.waiting.push(start)
      startWaiting()
    })
  }

  return {
    enter: (name) => {
      const group = groups.get(name) ?? { name, line: 0, working: 0, waiting: [] }
      const share = Math.max(1, Math.ceil((lineMax - line) / 2))
      if (group.line >= Math.min(linePerGroup, share)) throw new RewardsError('overloaded')
      groups.set(name, group)
      group.line += 1
      line += 1
      let hasLeft = false
      return {
        run: async (work) => {
          await waitForSlot(group, waitMs)
          try {
            return await work()
          } finally {
            giveBack(group)
          }
        },
        aside: async (work) => {
          giveBack(group)
          try {
            return await work()
          } finally {
            await waitForSlot(group, undefined)
          }
        },
        leave: () => {
          if (hasLeft) return
          hasLeft = true
          line -= 1
          group.line -= 1
          if (group.line === 0) groups.delete(name)
        },
      }
    },
  }
}
