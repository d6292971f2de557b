import { RewardsError } from '../errors.ts'

export interface FairSlotsOptions {
  /** How much is worked on at once, and how much of it for one group. */
  slots: number
  slotsPerGroup: number
  /**
   * How many of one group, and about how many of all, may wait or be worked on. A group has at most half of what others
   * leave: a few cannot fill the line, and one of each group is always let in. Beyond it they are refused at once.
   */
  linePerGroup: number
  lineMax: number
  /** Who has waited for so long without a slot is refused. */
  waitMs: number
}

/** A place in the line of a group. */
export interface Place {
  /** Works as soon as there is a slot. Rejects with `overloaded`, and does nothing, when there is none in time. */
  run: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** From within `run`: does what needs no slot (a call of somebody else, a calculation) without holding one. */
  aside: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** Has to be called in the end, whether anything was done or not; more than once does no harm. */
  leave: () => void
}

export interface FairSlots {
  /** Throws `overloaded` when the line is full. */
  enter(group: string): Place
}

interface Group {
  name: string
  line: number
  working: number
  waiting: (() => void)[]
}

/**
 * Bounds how much is done at once, and how much of that for one group. Groups take turns: who asks for little gets the
 * next slot that is free, however much others ask for.
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

  /** Whose turn it was. */
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
      // Who has had a slot before has begun something: it comes first.
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
