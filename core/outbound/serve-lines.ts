import { setImmediate } from 'node:timers/promises'
import { findLines, giveBackTaken, linesMax, takeFromLines } from '../outbox/line.ts'
import type { DueWork } from '../queue/jobs.ts'
import type { SetAsideDeps } from '../set-aside/set-aside.ts'
import { parseLine } from './call-line.ts'
import type { LineKind } from './call-line.ts'
import type { CallSlots, Holder, Reservation } from './call-slots.ts'

/** The longest wait of a line whose process has died, or whose pause is over. */
export const lookAtLinesMs = 1_000

/** Gives free slots of this process to the work that has waited for them longest. */
export interface LineServer {
  /**
   * Looks for lines: other processes, running or dead, leave work in them. Returns 0 at the end of the list, and starts
   * again.
   */
  lookOnce: () => Promise<number>
  /** Starts nothing more, gives back claimed work, and waits for running work. */
  stop: () => Promise<void>
}

/**
 * Work from a line runs here directly, under its slot: it needs no job and no place in its queue's worker. Its outbox
 * row ensures that nothing is lost if this process dies.
 */
export function createLineServer({
  database,
  clock,
  log,
  slots,
  run,
}: SetAsideDeps & {
  slots: Readonly<Record<LineKind, CallSlots>>
  /** Never rejects. */
  run: (work: DueWork, holder: Holder) => Promise<unknown>
}): LineServer {
  const running = new Set<Promise<unknown>>()
  let lookedUpTo = ''
  let isStopped = false
  let isFailing = false

  const start = (of: CallSlots, work: DueWork, holder: Holder) => {
    const done = run(work, holder).finally(() => {
      running.delete(done)
      of.release(holder)
    })
    running.add(done)
  }
  /** Leaves the slots without work in `unused`. */
  const serve = async (of: CallSlots, reserved: readonly Reservation[], unused: Set<Holder>) => {
    const works = await takeFromLines(
      { database, clock, log },
      reserved.map(({ line, holders }) => ({ line: line.key, count: holders.length })),
    )
    if (isStopped) {
      await giveBackTaken(database, works)
      return
    }
    for (const reservation of reserved) {
      const { line, holders } = reservation
      const taken = works.filter((work) => work.line === line.key)
      holders.forEach((holder, index) => {
        const work = taken[index]
        if (work === undefined) return
        unused.delete(holder)
        start(of, work, holder)
      })
      if (taken.length < holders.length) of.noteEmpty(reservation)
    }
  }
  /** False if it failed: then it is not retried until it is woken. */
  const serveOnce = async (of: CallSlots): Promise<boolean> => {
    const reserved = isStopped ? [] : of.reserve()
    if (reserved.length === 0) return true
    const unused = new Set(reserved.flatMap(({ holders }) => holders))
    try {
      await serve(of, reserved, unused)
      isFailing = false
      return true
    } catch (error) {
      if (!isFailing) log.error({ err: error }, 'cannot take work from its line')
      isFailing = true
      return false
    } finally {
      for (const holder of unused) of.release(holder)
    }
  }
  /** One statement at a time for each kind: slots that become free meanwhile share the next. */
  const wakers = Object.values(slots).map((of) => {
    let isWanted = false
    let serving: Promise<void> | undefined
    const serveAll = async () => {
      // At the end of the event loop's turn, so that slots that become free together are served together.
      await setImmediate()
      while (isWanted) {
        isWanted = false
        if (!(await serveOnce(of))) isWanted = false
      }
      serving = undefined
    }
    const wake = () => {
      isWanted = true
      serving ??= serveAll()
    }
    of.onRoom(wake)
    return { wake, settle: async () => serving }
  })

  return {
    lookOnce: async () => {
      const keys = await findLines(database, lookedUpTo)
      lookedUpTo = keys.length < linesMax ? '' : (keys.at(-1) ?? '')
      for (const key of keys) {
        const { kind, line } = parseLine(key)
        if (isKind(kind, slots)) slots[kind].noteWaiting(line)
      }
      for (const { wake } of wakers) wake()
      return lookedUpTo === '' ? 0 : keys.length
    },
    stop: async () => {
      isStopped = true
      for (const of of Object.values(slots)) of.endAhead()
      await Promise.all(wakers.map(({ settle }) => settle()))
      await Promise.all(running)
    },
  }
}

function isKind(kind: string, slots: Readonly<Record<LineKind, CallSlots>>): kind is LineKind {
  return Object.hasOwn(slots, kind)
}
