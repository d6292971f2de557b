import type { Database } from '../platform/database.ts'
import type { Logger } from '../platform/logger.ts'
import { bigintArray } from '../platform/sql.ts'
import type { DueWork } from '../queue/jobs.ts'
import type { Queues } from '../queue/queues.ts'
import { relayAfterMs } from './outbox.ts'

/** Puts due work into its queues, later and without making anybody wait. What fails is left to the relay. */
export type HandOver = (works: readonly DueWork[]) => void

/** What waits here is also in the outbox, so beyond this it is simply left there. */
const waitingMax = 20_000
/** One pipeline to Redis; more would only delay the first of them. */
const bulkSizeMax = 500

export interface HandOverDeps {
  database: Database
  queues: Queues
  log: Logger
  /** When the relay looks at a handed-over row again: its job was lost if the row is still there. */
  rescueAfterMs: number
}

/** Most work is finished by then and its row gone, so that few rows are left to be written; it must be before the relay. */
const postponeAfterMs = relayAfterMs / 2

/**
 * Hands over in bulk, one bulk at a time; what comes meanwhile forms the next bulk. `settle` waits for all that was
 * handed over so far.
 */
export function createHandOver(deps: HandOverDeps): { handOver: HandOver; settle: () => Promise<void> } {
  let waiting: DueWork[] = []
  let running: Promise<void> | undefined
  let isFailing = false
  const postponer = createPostponer(deps)

  const run = async () => {
    while (waiting.length > 0) {
      const bulk = waiting.slice(0, bulkSizeMax)
      waiting = waiting.slice(bulkSizeMax)
      try {
        await deps.queues.add(bulk)
        postponer.add(bulk)
        if (isFailing) deps.log.info('handing work over to the queues works again')
        isFailing = false
      } catch (error) {
        // Said once per outage, not once per bulk.
        if (!isFailing)
          deps.log.warn({ err: error }, 'cannot hand work over to the queues; leaving it to the relay')
        isFailing = true
        waiting = [] // all of it is in the outbox
      }
    }
    running = undefined
  }

  return {
    handOver: (works) => {
      if (works.length === 0 || waiting.length + works.length > waitingMax) return
      waiting.push(...works)
      running ??= run()
    },
    settle: async () => {
      await running
      await postponer.settle()
    },
  }
}

/**
 * Tells the relay that work has its job, and to look again only when that should long be finished. When this fails, the
 * relay hands the work over once more, under the same job id, which changes nothing.
 */
function createPostponer({ database, log, rescueAfterMs }: HandOverDeps): {
  add: (works: readonly DueWork[]) => void
  settle: () => Promise<void>
} {
  let handedOver: DueWork[] = []
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()

  const postpone = async () => {
    clearTimeout(timer)
    timer = undefined
    const works = handedOver
    handedOver = []
    if (works.length === 0) return
    try {
      await postponeRescue(database, works, rescueAfterMs)
    } catch (error) {
      log.warn({ err: error }, 'cannot postpone the rescue of work that was handed over')
    }
  }
  return {
    add: (works) => {
      handedOver.push(...works)
      timer ??= setTimeout(() => {
        running = postpone()
      }, postponeAfterMs)
    },
    settle: async () => {
      await running
      await postpone()
    },
  }
}

/** Rows that somebody has locked are being finished right now; those that are gone, have been. */
async function postponeRescue(database: Database, works: readonly DueWork[], byMs: number): Promise<void> {
  await database.$executeRaw`
    UPDATE outbox SET due_at = now() + ${byMs}::float8 * interval '1 millisecond'
     WHERE id = ANY(ARRAY(
       SELECT id FROM outbox
        WHERE id = ANY(${bigintArray(works.map((work) => work.outboxId))}) AND snoozed_until IS NULL
        ORDER BY id FOR UPDATE SKIP LOCKED
     ))`
}
