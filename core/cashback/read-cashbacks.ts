import { listQuery, listSql, newestOf, scanPage, toPage } from '../page.ts'
import type { ListRequest, Newest, Page, Scan } from '../page.ts'
import { cappedCount } from '../platform/capped-count.ts'
import type { Database, Prisma } from '../platform/database.ts'
import { singleRow } from '../platform/single-row.ts'
import { sql, textArray } from '../platform/sql.ts'
import { countStates } from '../platform/state-counts.ts'
import type { StateCounts } from '../platform/state-counts.ts'
import { cashbackTransitions } from './state.ts'
import type { CashbackState } from './state.ts'

/** A stored cashback, without fields only for attempts. The part that its casino sees is its shape in the API. */
export type CashbackRecord = Omit<
  Prisma.CashbackModel,
  'casinoId' | 'walletAsked' | 'attemptUntil' | 'debitNumber'
>

export async function listCashbacks(
  database: Database,
  filter: { casinoId: string; playerId: string | undefined; state: CashbackState | undefined },
  page: ListRequest,
): Promise<Page<CashbackRecord>> {
  const { casinoId, playerId, state } = filter
  if (playerId !== undefined && state !== undefined) {
    const scan: Scan = {
      from: () => sql`every_cashback AS cashback`,
      id: sql`cashback.id`,
      within: sql`cashback.casino_id = ${casinoId}::text AND cashback.player_id = ${playerId}::text`,
      columns: sql`cashback.created_at, cashback.state`,
      wanted: sql`scanned.state = ${state}::text`,
      timedIds: 'cbk',
    }
    return scanPage(database, page, scan, (ids) =>
      database.everyCashback.findMany({ where: { casinoId, id: { in: [...ids] } } }),
    )
  }
  if (playerId === undefined && state === undefined) return listOfAllStates(database, casinoId, page)
  const { where, ...part } = listQuery(page, 'cbk')
  const rows = await database.everyCashback.findMany({
    where: {
      casinoId,
      ...(playerId === undefined ? {} : { playerId }),
      ...(state === undefined ? {} : { state }),
      ...where,
    },
    ...part,
  })
  return toPage(rows, page)
}

/**
 * An index of a casino's cashbacks in the order of their ids would be written with each request and each credit. So this
 * reads a page of each state, and merges them.
 */
async function listOfAllStates(
  database: Database,
  casinoId: string,
  page: ListRequest,
): Promise<Page<CashbackRecord>> {
  const { conditions, direction } = listSql(page, { id: sql`id`, createdAt: sql`created_at` }, 'cbk')
  const rows = await database.$queryRaw<CashbackRecord[]>`
    SELECT ${recordColumns}
      FROM unnest(${textArray(Object.keys(cashbackTransitions))}) AS wanted (wanted_state)
     CROSS JOIN LATERAL (
       SELECT * FROM every_cashback
        WHERE casino_id = ${casinoId}::text AND state = wanted_state ${conditions}
        ORDER BY id ${direction} LIMIT ${page.limit + 1}::int
     ) AS cashback
     ORDER BY id ${direction} LIMIT ${page.limit + 1}::int`
  return toPage(rows, page)
}

/** As in `CashbackRecord`. */
const recordColumns = sql`
  id, prize_id AS "prizeId", player_id AS "playerId", amount_minor AS "amountMinor", currency, state, revision,
  wallet, attempts, wallet_reference AS "walletReference", problem,
  reversal_prize AS "reversalPrize", debit_attempts AS "debitAttempts", created_at AS "createdAt", updated_at AS "updatedAt"`

const openStates = ['unknown', 'manual_review', 'reversal_unknown', 'reversal_review', 'paused'] as const

/**
 * The number of cashbacks, of all casinos, that wait for a wallet or an operator; `paused` are those of paused wallets.
 * Each is counted up to `countedMax`.
 */
export async function countOpenCashbacks(
  database: Database,
): Promise<ReadonlyMap<(typeof openStates)[number], number>> {
  const inState = (state: Prisma.Sql) => cappedCount(sql`SELECT FROM cashback WHERE state = ${state}`)
  const rows = await database.$queryRaw<Record<(typeof openStates)[number], number>[]>`
    SELECT ${inState(sql`'unknown'`)} AS unknown, ${inState(sql`'manual_review'`)} AS manual_review,
           ${inState(sql`'reversal_unknown'`)} AS reversal_unknown,
           ${inState(sql`'reversal_review'`)} AS reversal_review,
           ${cappedCount(sql`
             SELECT FROM casino_setting AS setting
               JOIN cashback ON cashback.casino_id = setting.casino_id
                AND cashback.state IN ('requested', 'processing', 'reversing')
              WHERE setting.name = 'wallet' AND setting.paused_at IS NOT NULL
                AND (cashback.attempt_until IS NULL OR cashback.attempt_until < now())`)} AS paused`
  const counts = singleRow(rows)
  return new Map(openStates.map((state) => [state, counts[state]]))
}

/** A prize's cashback is taken again only after one was declined or reversed, so it has a few. */
const cashbacksOfPrizeMax = 100

/** A prize's cashbacks, the oldest first: at most one live, and the ended ones. Two subqueries, because each has an index. */
export async function listCashbacksOfPrize(
  database: Database,
  casinoId: string,
  prizeId: string,
): Promise<Newest<CashbackRecord>> {
  const rows = await database.$queryRaw<CashbackRecord[]>`
    SELECT ${recordColumns}
      FROM (
        SELECT * FROM every_cashback
         WHERE casino_id = ${casinoId}::text AND prize_id = ${prizeId}::text AND state NOT IN ('declined', 'reversed')
        UNION ALL
        (SELECT * FROM every_cashback
          WHERE casino_id = ${casinoId}::text AND prize_id = ${prizeId}::text AND state IN ('declined', 'reversed')
          ORDER BY id DESC LIMIT ${cashbacksOfPrizeMax + 1}::int)
      ) AS cashback
     ORDER BY id`
  return newestOf(rows, cashbacksOfPrizeMax)
}

/** The states of a player's cashbacks, of the newest ones. */
export function countCashbacksOfPlayer(
  database: Database,
  { casinoId, playerId }: { casinoId: string; playerId: string },
): Promise<StateCounts> {
  return countStates(
    database,
    sql`SELECT state FROM every_cashback WHERE casino_id = ${casinoId}::text AND player_id = ${playerId}::text ORDER BY id DESC`,
  )
}
