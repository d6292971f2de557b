import { createFairSlots } from '../core/limit/fair-slots.ts'
import { withinMs } from '../core/platform/deadline.ts'

/**
 * A scrape must not wait for a server that is away: Prometheus abandons a scrape after ten seconds, with all its
 * values. So an answer may take this long from when its question is asked, after as long a wait in the line.
 */
const answerWithinMs = 1_500
const lineWithinMs = 6_000
/** However many scrape, and however often: nothing is asked for more than once in this time. */
const defaultKeepMs = 1_000
/** Of the three connections that there are for this and for probes. */
const askedAtOnceMax = 2
/** A statement has ended by then, or its connection has. */
const givenUpMs = 10_000
/** More than there are questions. */
const lineMax = 100

/** The latest answer to a question; undefined when there is none in time. */
export type Ask<Value> = () => Promise<Value | undefined>

/** A question under way: in the line, then asked, then answered. */
interface Asking<Value> {
  isAsked: Promise<void>
  answer: Promise<Value>
}

/**
 * Makes questions whose answers all gauges and all scrapes share: a caller during another one's query, or within a second
 * after, gets the same answer. Few questions are asked of the database in parallel; one that takes too long is not asked again
 * while it is under way, unless its answer never comes. The log says once that a question fails.
 */
export function createSharedAnswers(deps: {
  log: Record<'warn' | 'info', (fields: object, message: string) => void>
  nowMs: () => number
  keepMs?: number | undefined
  answerMs?: number
}): {
  ask: <Value>(name: string, question: () => Promise<Value>, about?: { isOfDatabase: boolean }) => Ask<Value>
  /** All questions so far, by their names. */
  asks: ReadonlyMap<string, Ask<unknown>>
} {
  const { log, nowMs, keepMs = defaultKeepMs, answerMs = answerWithinMs } = deps
  const asks = new Map<string, Ask<unknown>>()
  const slots = createFairSlots({
    slots: askedAtOnceMax,
    slotsPerGroup: askedAtOnceMax,
    linePerGroup: lineMax,
    lineMax,
    waitMs: givenUpMs,
  })
  /** `isAsked` settles with the slot: those who wait for it are not to blame. */
  const inSlot = <Value>(question: () => Promise<Value>): Asking<Value> => {
    const place = slots.enter('scrape')
    let tellAsked: () => void = () => undefined
    const isAsked = new Promise<void>((resolve) => {
      tellAsked = resolve
    })
    const ask = () => {
      tellAsked()
      return question()
    }
    const answer = place.run(ask).finally(() => {
      tellAsked()
      place.leave()
    })
    return { answer, isAsked }
  }

  return {
    asks,
    ask: <Value>(
      name: string,
      question: () => Promise<Value>,
      { isOfDatabase } = { isOfDatabase: true },
    ): Ask<Value> => {
      let asked: (Asking<Value> & { atMs: number }) | undefined
      let kept: { value: Value; atMs: number } | undefined
      let isFailing = false
      const begin = () => {
        const begun = isOfDatabase ? inSlot(question) : { answer: question(), isAsked: Promise.resolve() }
        const asking = { ...begun, atMs: nowMs() }
        asked = asking
        asking.answer
          .then((value) => {
            kept = { value, atMs: nowMs() }
            if (isFailing) log.info({ question: name }, 'the data of a metric can be read again')
            isFailing = false
          })
          .catch((error: unknown) => {
            if (!isFailing) log.warn({ err: error, question: name }, 'cannot read the data of a metric')
            isFailing = true
          })
          .finally(() => {
            if (asked === asking) asked = undefined
          })
        return asking
      }
      const ask: Ask<Value> = async () => {
        if (kept !== undefined && nowMs() - kept.atMs < keepMs) return kept.value
        const asking = asked !== undefined && nowMs() - asked.atMs < givenUpMs ? asked : begin()
        try {
          await withinMs(asking.isAsked, lineWithinMs)
          return await withinMs(asking.answer, answerMs)
        } catch {
          return undefined // the log has it
        }
      }
      asks.set(name, ask)
      return ask
    },
  }
}
