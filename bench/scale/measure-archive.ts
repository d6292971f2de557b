import { monotonicMs } from '../../core/platform/clock.ts'
import { watchCores } from '../cpu-use.ts'
import { runSteadyLoad, summarise } from '../load/steady.ts'
import type { SteadySummary } from '../load/steady.ts'
import { operations } from '../operations.ts'
import { percentilesOf, timeMs } from '../percentiles.ts'
import type { Percentiles } from '../percentiles.ts'
import type { ServiceEnvironment } from '../run-service.ts'
import { withSession } from '../servers.ts'
import type { Servers } from '../servers.ts'
import type { Run } from '../with-run.ts'
import { largeCasino } from './fill.ts'
import { withLoops } from './loops.ts'
import { withService } from './sized.ts'
import type { Sized } from './sized.ts'
import { spreadArchive } from './spread-archive.ts'

/** The loops of the archive: events, and then prizes with all that belongs to them. */
export const archivedKinds = ['events', 'prizes'] as const
type Archived = (typeof archivedKinds)[number]

/** Turns of one loop of the archive, until nothing was due or the time was up. */
export interface Sweep {
  /** The rows that were moved, and those that it looked at. */
  moved: number
  lookedAt: number
  seconds: number
  /** Turns that looked at something. */
  turns: Percentiles
  /** The longest statement of each such turn. */
  statements: Percentiles
}

/** The archive's loops beside so many prizes, and openings beside them. */
export interface MeasuredArchive {
  size: number
  /** Live rows before. */
  live: Readonly<Record<Archived, number>>
  sweeps: Readonly<Record<Archived, Sweep>>
  /** The months that have prizes, once they are spread. */
  months: number
  /** Turns when nothing is due, beside these months. */
  idle: Percentiles
  /** Openings right before, and while the archive begins. */
  alone: SteadySummary
  beside: SteadySummary
  /** The number of processors that programs outside the benchmark kept busy. */
  othersCores: number
  problems: readonly string[]
}

/** The fill's rows are up to 180 days old; the archive takes events after 60 days at the earliest. */
const archiveSettings = { EVENT_FEED_DAYS: '30', ARCHIVE_AFTER_DAYS: '60' }
/** Nothing is that old, so casinos whose sweep is not over have nothing due after a turn. */
const restSettings = { ARCHIVE_AFTER_DAYS: '36500' }
const idleTurns = 20
/** Openings a second: enough for percentiles, and a small part of the machine. */
const openingsRate = 50

/**
 * Runs the archive's loops as a worker with `ARCHIVE_AFTER_DAYS` does: events, and then the next day's sweep of prizes,
 * whose events must have moved. Each runs until nothing is due or the time is up. Players open boxes while it begins. Then
 * the archived rows are spread over several months.
 */
export async function measureArchive(
  run: Run,
  sized: Sized,
  { seconds, archiveSeconds }: { seconds: number; archiveSeconds: number },
): Promise<MeasuredArchive> {
  const openings = openingsRate * seconds
  const first = await sized.prepare(3 * openings)
  const before = await count(run.servers, sized)
  return withService(run, sized, async (service, environment) => {
    const open = async (from: number) => {
      const load = { url: service.url, apiKey: sized.apiKey, operation: operations.box, first: from }
      return summarise(await runSteadyLoad({ ...load, rate: openingsRate, seconds }, run))
    }
    const warmUp = await open(first)
    const readCoresAlone = watchCores(run.servers, service)
    const alone = await open(first + openings)
    const { others: othersAlone = 0 } = readCoresAlone()
    const readCoresBeside = watchCores(run.servers, service)
    const [ofEvents, beside] = await Promise.all([
      sweep(environment, 'events', archiveSeconds * 1_000),
      open(first + 2 * openings),
    ])
    await makePrizesDue(run.servers, sized)
    const ofPrizes = await sweep(environment, 'prizes', archiveSeconds * 1_000)
    const months = await spreadArchive(run.servers, sized)
    const idle = await withLoops(environment, { settings: restSettings }, async (loops) => {
      const turn = createTurn(loops, archivedKinds)
      while ((await turn()) > 0);
      return percentilesOf(await timeMs(idleTurns, turn))
    })
    const { others: othersBeside = 0 } = readCoresBeside()
    const failed = warmUp.failed + alone.failed + beside.failed
    const after = await count(run.servers, sized)
    return {
      size: sized.size,
      live: { events: before.liveEvents, prizes: before.livePrizes },
      sweeps: {
        events: { ...ofEvents, moved: after.archivedEvents - before.archivedEvents },
        prizes: { ...ofPrizes, moved: after.archivedPrizes - before.archivedPrizes },
      },
      months,
      idle,
      alone,
      beside,
      othersCores: Math.max(othersAlone, othersBeside),
      problems: [
        ...(failed === 0 ? [] : [`${failed} openings failed`]),
        ...(after.archivedOfLarge > 0 ? [] : ['no prize of the largest casino was archived']),
        ...findLost(before, after, 3 * openings - failed),
      ].map((problem) => `the archive beside ${sized.size}: ${problem}`),
    }
  })
}

/** Turns of one loop until nothing is due or the time is up. */
async function sweep(
  environment: ServiceEnvironment,
  kind: Archived,
  limitMs: number,
): Promise<Omit<Sweep, 'moved'>> {
  let longestMs = 0
  const onStatement = (tookMs: number) => {
    longestMs = Math.max(longestMs, tookMs)
  }
  return withLoops(environment, { settings: archiveSettings, onStatement }, async (loops) => {
    const turn = createTurn(loops, [kind])
    const turnsMs: number[] = []
    const statementsMs: number[] = []
    let lookedAt = 0
    const beganMs = monotonicMs()
    while (monotonicMs() - beganMs < limitMs) {
      longestMs = 0
      const turnBeganMs = monotonicMs()
      const count = await turn()
      if (count === 0) break
      turnsMs.push(monotonicMs() - turnBeganMs)
      statementsMs.push(longestMs)
      lookedAt += count
    }
    return {
      lookedAt,
      seconds: (monotonicMs() - beganMs) / 1_000,
      turns: percentilesOf(turnsMs),
      statements: percentilesOf(statementsMs),
    }
  })
}

/** A turn of each of these loops of the archive; how many rows they looked at. */
function createTurn(
  loops: readonly { name: string; runOnce: () => Promise<number> }[],
  kinds: readonly Archived[],
) {
  const turns = kinds.map((kind) => {
    const loop = loops.find(({ name }) => name === `archive-${kind}`)
    if (loop === undefined) throw new Error(`a worker with ARCHIVE_AFTER_DAYS has no loop archive-${kind}`)
    return loop
  })
  return async () => {
    let lookedAt = 0
    for (const { runOnce } of turns) lookedAt += await runOnce()
    return lookedAt
  }
}

/** A sweep of prizes begins once a day. */
function makePrizesDue(servers: Servers, { databaseUrl }: Sized): Promise<void> {
  return withSession(servers, databaseUrl, async (client) => {
    await client.query('SELECT prepare_prize_archive()')
    await client.query(
      `UPDATE prize_archive SET cursor_at = NULL, cursor_id = NULL, due_at = date_trunc('milliseconds', now())`,
    )
  })
}

interface Counts {
  liveEvents: number
  archivedEvents: number
  livePrizes: number
  archivedPrizes: number
  /** Archived prizes of the largest casino. */
  archivedOfLarge: number
}

function count(servers: Servers, { databaseUrl }: Sized): Promise<Counts> {
  return withSession(servers, databaseUrl, async (client) => {
    const { rows } = await client.query<Counts>(
      `SELECT (SELECT count(*) FROM event)::int AS "liveEvents", (SELECT count(*) FROM archived_event)::int AS "archivedEvents",
              (SELECT count(*) FROM prize)::int AS "livePrizes", (SELECT count(*) FROM archived_prize)::int AS "archivedPrizes",
              (SELECT count(*) FROM archived_prize WHERE casino_id = $1)::int AS "archivedOfLarge"`,
      [largeCasino],
    )
    const [row] = rows
    if (row === undefined) throw new Error('a statement returned no row')
    return row
  })
}

/** Each opening makes a prize and its event; the worker's other loops may have added more events. */
export function findLost(
  before: Omit<Counts, 'archivedOfLarge'>,
  after: Omit<Counts, 'archivedOfLarge'>,
  openings: number,
): string[] {
  const lost = {
    events: before.liveEvents + before.archivedEvents + openings - after.liveEvents - after.archivedEvents,
    prizes: before.livePrizes + before.archivedPrizes + openings - after.livePrizes - after.archivedPrizes,
  }
  return archivedKinds
    .filter((kind) => lost[kind] > 0)
    .map((kind) => `${lost[kind]} ${kind} are neither live nor archived`)
}
