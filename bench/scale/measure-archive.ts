import { monotonicMs } from '../../core/platform/clock.ts'
import { watchCores } from '../cpu-use.ts'
import { runSteadyLoad, summarise } from '../load/steady.ts'
import type { SteadySummary } from '../load/steady.ts'
import { operations } from '../operations.ts'
import { percentilesOf, timeMs } from '../percentiles.ts'
import type { Percentiles } from '../percentiles.ts'
import { renderTable } from '../report.ts'
import type { ServiceEnvironment } from '../run-service.ts'
import type { Run } from '../with-run.ts'
import { boundOf } from '../neighbours/report.ts'
import { largeCasino } from './fill.ts'
import { withLoops } from './loops.ts'
import { boundsMs } from './report.ts'
import { withClient, withService } from './sized.ts'
import type { Sized } from './sized.ts'
import type { Finding } from '../verdict.ts'

/** The archive's loops beside so many prizes, and openings beside them. */
export interface MeasuredArchive {
  size: number
  /** The live events before. */
  events: number
  /** The rows of the archive afterwards, and the rows that the loops have looked at. */
  moved: number
  lookedAt: number
  seconds: number
  /** Turns that looked at something. */
  turns: Percentiles
  /** The longest statement of each such turn. */
  statements: Percentiles
  /** Turns when nothing is due. */
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
 * Runs the archive's loops as a worker with `ARCHIVE_AFTER_DAYS` does, until nothing is due or the time is up. Players
 * open boxes while it begins.
 */
export async function measureArchive(
  run: Run,
  sized: Sized,
  { seconds, archiveSeconds }: { seconds: number; archiveSeconds: number },
): Promise<MeasuredArchive> {
  const count = openingsRate * seconds
  const first = await sized.prepare(3 * count)
  const eventsBefore = await countEvents(sized)
  return withService(run, sized, async (service, environment) => {
    const open = async (from: number) => {
      const load = { url: service.url, apiKey: sized.apiKey, operation: operations.box, first: from }
      return summarise(await runSteadyLoad({ ...load, rate: openingsRate, seconds }, run))
    }
    const warmUp = await open(first)
    const readCoresAlone = watchCores(run.servers, service)
    const alone = await open(first + count)
    const { others: othersAlone = 0 } = readCoresAlone()
    const readCoresBeside = watchCores(run.servers, service)
    const [archived, beside] = await Promise.all([
      workThrough(environment, archiveSeconds * 1_000),
      open(first + 2 * count),
    ])
    const idle = await withLoops(environment, { settings: restSettings }, async (loops) => {
      const turn = createTurn(loops)
      while ((await turn()) > 0);
      return percentilesOf(await timeMs(idleTurns, turn))
    })
    const { others: othersBeside = 0 } = readCoresBeside()
    const failed = warmUp.failed + alone.failed + beside.failed
    const events = await countEvents(sized)
    return {
      size: sized.size,
      events: eventsBefore.live,
      moved: events.archived,
      ...archived,
      idle,
      alone,
      beside,
      othersCores: Math.max(othersAlone, othersBeside),
      problems: [
        ...(failed === 0 ? [] : [`${failed} openings failed`]),
        ...(events.archivedOfLarge > 0 ? [] : ['nothing of the largest casino was archived']),
        ...findLost(eventsBefore, events, 3 * count - failed),
      ].map((problem) => `the archive beside ${sized.size}: ${problem}`),
    }
  })
}

/** Turns of the archive until nothing is due or the time is up. */
async function workThrough(
  environment: ServiceEnvironment,
  limitMs: number,
): Promise<Pick<MeasuredArchive, 'lookedAt' | 'seconds' | 'turns' | 'statements'>> {
  let longestMs = 0
  const onStatement = (tookMs: number) => {
    longestMs = Math.max(longestMs, tookMs)
  }
  return withLoops(environment, { settings: archiveSettings, onStatement }, async (loops) => {
    const turn = createTurn(loops)
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

/** A turn of every loop of the archive; how many rows they looked at. */
function createTurn(loops: readonly { name: string; runOnce: () => Promise<number> }[]) {
  const ofArchive = loops.filter(({ name }) => name.startsWith('archive-'))
  if (ofArchive.length === 0) throw new Error('a worker with ARCHIVE_AFTER_DAYS has no loop archive-…')
  return async () => {
    let count = 0
    for (const { runOnce } of ofArchive) count += await runOnce()
    return count
  }
}

interface EventCounts {
  live: number
  archived: number
  archivedOfLarge: number
}

function countEvents({ databaseUrl }: Sized): Promise<EventCounts> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<EventCounts>(
      `SELECT (SELECT count(*) FROM event)::int AS live, archived.total AS archived, archived.large AS "archivedOfLarge"
         FROM (SELECT count(*)::int AS total, (count(*) FILTER (WHERE casino_id = $1))::int AS large FROM archived_event) AS archived`,
      [largeCasino],
    )
    return rows[0] ?? { live: 0, archived: 0, archivedOfLarge: 0 }
  })
}

/** Each opening has an event; the worker's other loops may have added more. */
export function findLost(
  before: Pick<EventCounts, 'live' | 'archived'>,
  after: Pick<EventCounts, 'live' | 'archived'>,
  openings: number,
): string[] {
  const lost = before.live + before.archived + openings - after.live - after.archived
  return lost > 0 ? [`${lost} events are neither live nor archived`] : []
}

/** The archive's turns and the openings beside it that exceed their bounds. */
export function findSlowArchive({ size, othersCores, ...measured }: MeasuredArchive): Finding[] {
  const { statements, idle, alone, beside } = measured
  return [
    { what: 'the longest statement of a turn', p99Ms: statements.p99Ms, boundMs: boundsMs.loop },
    { what: 'a turn when nothing is due', p99Ms: idle.p99Ms, boundMs: boundsMs.loop },
    { what: 'openings', p99Ms: beside.p99Ms, boundMs: boundOf(alone.p99Ms) },
  ]
    .filter(({ p99Ms, boundMs }) => p99Ms > boundMs)
    .map(({ what, p99Ms, boundMs }) => ({
      text: `the archive beside ${size}: ${what} took ${p99Ms.toFixed(0)} ms, more than ${boundMs.toFixed(0)}`,
      isExceeded: true,
      othersCores,
    }))
}

export function renderArchive(measured: readonly MeasuredArchive[]): string {
  const ms = ({ p50Ms, p99Ms }: Percentiles) => [p50Ms.toFixed(1), p99Ms.toFixed(1)]
  return renderTable(
    [
      'archive beside',
      'live events before',
      'moved',
      'looked at, a second',
      'a turn: p50 ms',
      'p99 ms',
      'its longest statement: p50 ms',
      'p99 ms',
      'nothing due: p50 ms',
      'p99 ms',
      'openings alone: p50 ms',
      'p99 ms',
      'beside: p50 ms',
      'p99 ms',
    ],
    measured.map((one) => [
      String(one.size),
      String(one.events),
      String(one.moved),
      (one.lookedAt / one.seconds).toFixed(0),
      ...[one.turns, one.statements, one.idle, one.alone, one.beside].flatMap(ms),
    ]),
  )
}
