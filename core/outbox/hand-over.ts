import type { Database } from '../platform/database.ts'
import type { Logger } from '../platform/logger.ts'
import { bigintArray } from '../platform/sql.ts'
import type { DueWork } from '../queue/jobs.ts'
import { sharedMax } from '../queue/queues.ts'
import type { Queues } from '../queue/queues.ts'
import { runWithoutSpan } from '../trace/current-span.ts'
import { parseTraceparent } from '../trace/traceparent.ts'
import type { Tracer } from '../trace/tracer.ts'
import { relayAfterMs } from './outbox.ts'

/** Puts due work into its queues without blocking the caller. Failures are left to the relay. */
export type HandOver = (works: readonly DueWork[]) => void

/** Work that waits here is also in the outbox, so beyond this limit it is left to the relay. */
const waitingMax = 20_000
/** One pipeline to Redis; more would only delay the first of them. */
const bulkSizeMax = 500
/**
 * So many works at a time are a sign of load: they wait a moment for others, so that fewer and larger jobs cost the queue
 * and the workers less.
 */
const gatheredMin = 16
/** So many nearly fill a shared job, if they are of one name and priority. */
const gatheredMax = (sharedMax * 3) / 4
const gatherMs = 90

export interface HandOverDeps {
  database: Database
  queues: Queues
  log: Logger
  /** Undefined where tracing is off. */
  tracer: Tracer | undefined
  /** When the relay checks a row that was handed over: if it still exists, its job was lost. */
  rescueAfterMs: number
}

/**
 * By then most work is finished and its row deleted, so that few rows have to be postponed; it must come before the
 * relay.
 */
const postponeAfterMs = relayAfterMs / 2

/**
 * Hands over in bulk, one bulk at a time; rows that arrive meanwhile form the next bulk. `settle` waits for everything
 * handed over so far.
 */
export function createHandOver(deps: HandOverDeps): { handOver: HandOver; settle: () => Promise<void> } {
  let waiting: DueWork[] = []
  let running: Promise<void> | undefined
  let isFailing = false
  let stopGathering: () => void = () => undefined
  const postponer = createPostponer(deps)

  const gather = async () => {
    if (waiting.length < gatheredMin || waiting.length >= gatheredMax) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, gatherMs)
      stopGathering = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  const run = async () => {
    while (waiting.length > 0) {
      await gather()
      const bulk = waiting.slice(0, bulkSizeMax)
      waiting = waiting.slice(bulkSizeMax)
      try {
        await inHandOverSpan(deps.tracer, bulk, () => deps.queues.addShared(bulk))
        postponer.add(bulk)
        if (isFailing) deps.log.info('handing over to the queues restored')
        isFailing = false
      } catch (error) {
        // Logged once per outage, not once per bulk.
        if (!isFailing)
          deps.log.warn({ err: error }, 'handing over to the queues failed: work left to the relay')
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
      if (waiting.length >= gatheredMax) stopGathering()
      // It runs for later requests too, so it belongs to no span.
      running ??= runWithoutSpan(run)
    },
    settle: async () => {
      stopGathering()
      await running
      await postponer.settle()
    },
  }
}

/** A bulk belongs to the trace of its first work that is recorded, and has links to all of those. */
function inHandOverSpan(
  tracer: Tracer | undefined,
  bulk: readonly DueWork[],
  add: () => Promise<void>,
): Promise<void> {
  const links = [...new Set(bulk.flatMap(({ traceparent }) => traceparent ?? []))].filter(
    (link) => parseTraceparent(link)?.isSampled,
  )
  if (tracer === undefined || links.length === 0) return add()
  const attributes = { 'messaging.batch.message_count': bulk.length }
  return tracer.run({ name: 'hand over', kind: 'producer', parent: links[0], links, attributes }, add)
}

/**
 * Postpones the relay's check until the work should long be finished. If this fails, the relay adds
 * a job for it, and the work runs twice, which changes nothing.
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
      log.warn({ err: error }, 'rescue of handed-over work not postponed')
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

/** Locked rows are being finished now; missing ones are finished. */
async function postponeRescue(database: Database, works: readonly DueWork[], byMs: number): Promise<void> {
  await database.$executeRaw`
    UPDATE outbox SET due_at = now() + ${byMs}::float8 * interval '1 millisecond'
     WHERE id = ANY(ARRAY(
       SELECT id FROM outbox
        WHERE id = ANY(${bigintArray(works.map((work) => work.outboxId))}) AND snoozed_until IS NULL
        ORDER BY id FOR UPDATE SKIP LOCKED
     ))`
}
