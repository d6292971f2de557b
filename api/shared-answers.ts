import { createFairSlots } from '../core/limit/fair-slots.ts'
import { withinMs } from '../core/platform/deadline.ts'

/** A scrape must not wait for what is away: Prometheus gives up on a target after ten seconds, and knows nothing then. */
const answerWithinMs = 1_500
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

/**
 * Makes questions whose answers all gauges and all scrapes share: whoever asks while somebody else does, or within a second
 * after, gets the same answer. Few questions are asked of the database at once; one that takes too long is not asked again
 * while it is under way, unless its answer never comes.
 */
export function createSharedAnswers({
  nowMs,
  keepMs = defaultKeepMs,
}: {
  nowMs: () => number
  keepMs?: number | undefined
}): {
  ofDatabase: <Value>(question: () => Promise<Value>) => Ask<Value>
  ofQueues: <Value>(question: () => Promise<Value>) => Ask<Value>
} {
  const slots = createFairSlots({
    slots: askedAtOnceMax,
    slotsPerGroup: askedAtOnceMax,
    linePerGroup: lineMax,
    lineMax,
    waitMs: givenUpMs,
  })

  function share<Value>(question: () => Promise<Value>): Ask<Value> {
    let asked: { answer: Promise<Value>; atMs: number } | undefined
    let kept: { value: Value; atMs: number } | undefined
    const ask = () => {
      const asking = { answer: question(), atMs: nowMs() }
      asked = asking
      const forget = () => {
        if (asked === asking) asked = undefined
      }
      asking.answer.then(
        (value) => {
          kept = { value, atMs: nowMs() }
          forget()
        },
        forget, // who asked is told
      )
      return asking
    }
    return async () => {
      if (kept !== undefined && nowMs() - kept.atMs < keepMs) return kept.value
      const { answer } = asked !== undefined && nowMs() - asked.atMs < givenUpMs ? asked : ask()
      return withinMs(answer, answerWithinMs).catch(() => undefined)
    }
  }

  return {
    ofDatabase: (question) =>
      share(() => {
        const place = slots.enter('scrape')
        return place.run(question).finally(place.leave)
      }),
    ofQueues: share,
  }
}
