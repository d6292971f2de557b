import { setTimeout as delay } from 'node:timers/promises'
import { findDatabaseProblem } from './database-error.ts'
import { openDatabase } from './database.ts'
import type { Database } from './database.ts'
import { DeadlineError, withinMs } from './deadline.ts'
import type { Logger } from './logger.ts'
import { NotMigratedError } from './migrations.ts'
import type { PoolUse } from './pool.ts'
import { singleRow } from './single-row.ts'
import { sql } from './sql.ts'

/** How often the replica is compared with the primary while nobody reads. */
export const replicaIdleMs = 1_000
/** A replica that was unusable is used again after as many good comparisons, so that one on the brink is not used in turns. */
const goodTurnsMin = 3
/** A first connection takes longer than a comparison may: a replica is not called unusable before as many. */
const startTurnsMax = 3
const pollMs = 5
/** Comparisons that the lag is computed from: an hour of them. */
const samplesMax = 3_600

/** Why reads go to the primary instead. */
export const replicaProblems = ['starting', 'behind', 'away', 'promoted', 'cancelled'] as const
export type ReplicaProblem = (typeof replicaProblems)[number]

export interface ReplicaState {
  /** Undefined while reads go to the replica. */
  problem: ReplicaProblem | undefined
  /** For how long the replica has lacked something that the primary has; 0 if it has everything. */
  lagSeconds: number
}

export type ReadServer = 'replica' | 'primary'

/**
 * A streaming replica for lists and reports. A list is never older than its request: it is read from the replica only
 * once that has everything which was committed when the request came. So callers see their own changes, by every
 * process, and those of the workers.
 */
export interface Replica {
  /** The replica itself, for the first function that `read` takes. */
  database: Database
  /** Reads from the replica if it has caught up in time, otherwise from the primary, and again there if the replica fails. */
  read<Answer>(fromReplica: () => Promise<Answer>, fromPrimary: () => Promise<Answer>): Promise<Answer>
  state(): ReplicaState
  /** Calls `count` with the server of every read from now on. */
  countReads(count: (server: ReadServer) => void): void
  /** Compares the replica with the primary; a loop does this. */
  runOnce(): Promise<number>
  inUse: () => PoolUse
  close: () => Promise<void>
}

export interface ReplicaOptions {
  /** One replica, not an address behind which there are several: the positions of two replicas differ. */
  url: string
  poolMax: number
  /** How long a read waits for the replica to catch up. */
  waitMs: number
  primary: Database
  log: Logger
  nowMs: () => number
}

/** A position in the primary's log, and when it was asked for: everything committed by then is before it. */
interface Position {
  bytes: bigint
  atMs: number
}

/** Connects lazily. Until the first good comparisons, reads go to the primary. */
export function createReplica({ url, poolMax, waitMs, primary, log, nowMs }: ReplicaOptions): Replica {
  const pool = openDatabase({ url, poolMax, log: log.child({ server: 'replica' }) })
  const lag = createLag(nowMs)
  let problem: ReplicaProblem | undefined = 'starting'
  let goodTurns = 0
  let failedTurns = 0
  let onRead: (server: ReadServer) => void = () => undefined

  const giveUp = (found: ReplicaProblem, error?: unknown) => {
    goodTurns = 0
    if (problem === 'starting' && (failedTurns += 1) < startTurnsMax) return
    if (problem === undefined || problem === 'starting') {
      log.warn({ problem: found, ...(error === undefined ? {} : { err: error }) }, leaves[found])
    }
    problem = found
  }
  /**
   * Waits until the replica has everything up to the position. It is asked even if it had that before: it may have been
   * restarted or promoted since. Undefined if it has, otherwise the reason.
   */
  const awaitPosition = async ({ bytes }: Position): Promise<ReplicaProblem | undefined> => {
    const giveUpAtMs = nowMs() + waitMs
    let hasAnswered = false
    for (let leftMs = waitMs; leftMs > 0; leftMs = giveUpAtMs - nowMs()) {
      let replayed: bigint | undefined
      try {
        replayed = await withinMs(readReplayed(pool.database), leftMs)
      } catch (error) {
        // It is there, and the last question was merely asked too late to be answered in time.
        if (hasAnswered && error instanceof DeadlineError) return 'behind'
        throw error
      }
      hasAnswered = true
      if (replayed === undefined) return 'promoted'
      lag.learnReplayed(replayed)
      if (replayed >= bytes) return undefined
      await delay(Math.min(pollMs, leftMs))
    }
    return 'behind'
  }
  const compare = async (): Promise<{ found: ReplicaProblem | undefined; error?: unknown }> => {
    const position = await readPosition(primary, nowMs)
    lag.learnWritten(position)
    try {
      return { found: await awaitPosition(position) }
    } catch (error) {
      return { found: 'away', error }
    }
  }

  return {
    database: pool.database,
    read: async (fromReplica, fromPrimary) => {
      const usePrimary = () => {
        onRead('primary')
        return fromPrimary()
      }
      if (problem !== undefined) return usePrimary()
      const { found, error } = await compare()
      if (found !== undefined) {
        giveUp(found, error)
        return usePrimary()
      }
      try {
        const answer = await fromReplica()
        onRead('replica')
        return answer
      } catch (failure) {
        const failed = problemOf(failure)
        if (failed === undefined) throw failure
        giveUp(failed, failure)
        return usePrimary()
      }
    },
    state: () => ({ problem, lagSeconds: lag.seconds() }),
    countReads: (count) => {
      onRead = count
    },
    runOnce: async () => {
      const { found, error } = await compare()
      if (found !== undefined) giveUp(found, error)
      else if (problem !== undefined && (goodTurns += 1) >= goodTurnsMin) {
        log.info('lists and reports are read from the replica')
        problem = undefined
      }
      return 0
    },
    inUse: pool.inUse,
    close: pool.close,
  }
}

const fromThePrimary = 'lists and reports are read from the primary'
const leaves: Readonly<Record<ReplicaProblem, string>> = {
  starting: fromThePrimary,
  behind: `${fromThePrimary}: the replica does not catch up within DATABASE_REPLICA_WAIT_MS`,
  away: `${fromThePrimary}: the replica cannot be reached or is not usable`,
  promoted: `${fromThePrimary}: the server in DATABASE_REPLICA_URL is not a replica; it may have been promoted`,
  cancelled: `${fromThePrimary}: the replica cancelled a query to apply changes (hot_standby_feedback = on avoids this)`,
}

/**
 * A failure that the primary would not have had. A statement that took too long (57014) or a refused value would fail
 * there too, and refusals of the service are no failures.
 */
function problemOf(failure: unknown): ReplicaProblem | undefined {
  if (failure instanceof NotMigratedError) return 'away'
  const found = findDatabaseProblem(failure)
  if (found === undefined || /^(57014|22|23)/.test(found.sqlState ?? '')) return undefined
  return found.sqlState?.startsWith('40') ? 'cancelled' : 'away'
}

/** Every commit that was acknowledged before is in the log by now. */
async function readPosition(primary: Database, nowMs: () => number): Promise<Position> {
  const atMs = nowMs()
  const rows = await primary.$queryRaw<{ bytes: string }[]>(
    sql`SELECT (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::text AS bytes`,
  )
  return { bytes: BigInt(singleRow(rows).bytes), atMs }
}

/** Up to where queries of the replica see the primary's changes; undefined if it is not a replica. */
async function readReplayed(replica: Database): Promise<bigint | undefined> {
  const rows = await replica.$queryRaw<{ bytes: string | null }[]>(
    sql`SELECT CASE WHEN pg_is_in_recovery() THEN (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::text END AS bytes`,
  )
  const { bytes } = singleRow(rows)
  return bytes === null ? undefined : BigInt(bytes)
}

/** The time since the oldest position that the replica does not have. Needs no clock of either server. */
function createLag(nowMs: () => number) {
  let missing: Position[] = []
  let replayed = 0n
  return {
    learnWritten: (position: Position) => {
      const last = missing.at(-1)
      const isNew = position.bytes > replayed && position.bytes > (last?.bytes ?? 0n)
      if (isNew && position.atMs - (last?.atMs ?? 0) >= replicaIdleMs / 2 && missing.length < samplesMax) {
        missing.push(position)
      }
    },
    learnReplayed: (bytes: bigint) => {
      replayed = bytes
      missing = missing.filter((position) => position.bytes > bytes)
    },
    seconds: () => {
      const [oldest] = missing
      return oldest === undefined ? 0 : (nowMs() - oldest.atMs) / 1_000
    },
  }
}
