import type { JobName } from './jobs.ts'

/** A casino's works are counted over this time; older ones count less and less. */
const windowMs = 10_000
/** A casino with at most so many in that time comes first, in one line with all others of these. */
const promptMax = 200

/**
 * Returns the priority of a casino's next work in a queue. Work of casinos that cause little goes before the backlog
 * of one that causes much: BullMQ takes jobs of priority 0 first, then those of 1, 2 and so on, each in their order. A
 * casino is at 0 up to 200 works in about ten seconds, at 1 up to 400, at 2 up to 800. Each process counts its own.
 */
export function createCasinoPriority(nowMs: () => number): (queue: JobName, casinoId: string) => number {
  const counted = new Map<string, { works: number; atMs: number }>()
  return (queue, casinoId) => {
    const key = `${queue} ${casinoId}`
    const atMs = nowMs()
    const before = counted.get(key)
    const still = before === undefined ? 0 : before.works * Math.exp((before.atMs - atMs) / windowMs)
    const works = still + 1
    counted.set(key, { works, atMs })
    return Math.max(0, Math.ceil(Math.log2(works / promptMax)))
  }
}
