import type { FindSettings } from '../casino/settings.ts'
import { RewardsError } from '../errors.ts'
import { writtenEvents } from '../event/written-events.ts'
import type { Database } from '../platform/database.ts'
import { singleRow } from '../platform/single-row.ts'
import { batchInput, instant, sql, text, timestamptz } from '../platform/sql.ts'
import { isNotSetAside, workAroundDamage } from '../set-aside/set-aside.ts'
import { findDue } from '../set-aside/find-due.ts'
import type { Found, SetAsideDeps } from '../set-aside/set-aside.ts'

export interface WarnExpiringDeps extends SetAsideDeps {
  findSettings: FindSettings
}

const casinosAtOnceMax = 500
/** One statement moves this many in a few dozen milliseconds. */
const warnedAtOnceMax = 500
const dayMs = 24 * 3_600_000

/** The latest last day for which a casino's prizes are due for their warning. */
interface WarnedCasino {
  casinoId: string
  until: Date
}

/**
 * Writes the event `prize.expiring` for prizes that expire within their casino's `warn_days`, once for each last day. A
 * prize won with less time than that is warned about immediately. Any number of processes may run it at the same time. Handles a
 * bounded number and returns it: above zero, there may be more. Skips casinos whose setting cannot be read, and throws
 * for them at the end.
 */
export async function warnExpiring(deps: WarnExpiringDeps): Promise<number> {
  let warned = 0
  let unreadable = 0
  let afterId = ''
  for (;;) {
    const casinos = await deps.database.casino.findMany({
      where: { id: { gt: afterId } },
      orderBy: { id: 'asc' },
      take: casinosAtOnceMax,
      select: { id: true },
    })
    const found = await findWarnedCasinos(
      deps,
      casinos.map(({ id }) => id),
    )
    unreadable += found.unreadable
    if (found.casinos.length > 0) warned += await warnSome(deps, found.casinos)
    const last = casinos.at(-1)
    if (last === undefined || casinos.length < casinosAtOnceMax) break
    afterId = last.id
  }
  if (unreadable > 0) throw new Error(`the setting "expiry" of ${unreadable} casinos cannot be read`)
  return warned
}

async function findWarnedCasinos(
  { clock, findSettings }: WarnExpiringDeps,
  casinoIds: readonly string[],
): Promise<{ casinos: WarnedCasino[]; unreadable: number }> {
  const casinos: WarnedCasino[] = []
  let unreadable = 0
  for (const [casinoId, settings] of await findSettings(casinoIds)) {
    try {
      const { warnDays } = settings.get('expiry').value
      if (warnDays > 0) casinos.push({ casinoId, until: new Date(clock.now().getTime() + warnDays * dayMs) })
    } catch (error) {
      if (!(error instanceof RewardsError)) throw error
      unreadable += 1
    }
  }
  return { casinos, unreadable }
}

async function warnSome(deps: WarnExpiringDeps, casinos: readonly WarnedCasino[]): Promise<number> {
  const now = deps.clock.now()
  const isWanted = isNotSetAside('warn-expiring', now, { casinoId: sql`prize.casino_id`, id: sql`prize.id` })
  const due = await findDue(deps.database, {
    casinos: batchInput(casinos, {
      casino_id: text((casino) => casino.casinoId),
      until: timestamptz((casino) => casino.until),
    }),
    due: sql`
      SELECT prize.casino_id, prize.id, prize.expires_at AS due_at FROM prize
       WHERE prize.casino_id = input.casino_id AND prize.state = 'won' AND prize.kind <> 'none'
         AND prize.expiry_warned_at IS NULL AND prize.expires_at IS NOT NULL
         AND prize.expires_at > ${instant(now)} AND prize.expires_at <= input.until AND ${isWanted}`,
    max: warnedAtOnceMax,
  })
  return workAroundDamage(deps, 'warn-expiring', due, (found) => warn(deps.database, now, found))
}

async function warn(database: Database, now: Date, found: readonly Found[]): Promise<number> {
  const rows = await database.$queryRaw<{ count: number }[]>`
    WITH prize_locked AS (
      SELECT prize.casino_id, prize.id, prize.revision, prize.expires_at
        FROM ${batchInput(found, { casino_id: text((prize) => prize.casinoId), id: text((prize) => prize.id) })}
        JOIN prize ON prize.casino_id = input.casino_id AND prize.id = input.id
       WHERE prize.state = 'won' AND prize.expiry_warned_at IS NULL AND prize.expires_at > ${instant(now)}
       ORDER BY prize.casino_id, prize.id
         FOR UPDATE OF prize SKIP LOCKED
    ),
    prize_warned AS (
      UPDATE prize SET expiry_warned_at = ${instant(now)}, revision = prize.revision + 1,
                       updated_at = ${instant(now)}
        FROM prize_locked WHERE prize.casino_id = prize_locked.casino_id AND prize.id = prize_locked.id
    ),
    event_written AS (
      ${writtenEvents(instant(now), {
        from: sql`prize_locked`,
        objectType: 'prize',
        objectId: sql`id`,
        sequence: sql`revision + 1`,
        type: 'prize.expiring',
        fromState: 'won',
        toState: 'won',
        actor: 'worker',
        data: sql`jsonb_build_object(
          'expires_at', to_char(expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`,
      })}
    )
    SELECT count(*)::int AS count FROM prize_locked`
  return singleRow(rows).count
}
