import { listSql, scanPage, toPage } from '../page.ts'
import type { ListRequest, Page, Scan } from '../page.ts'
import { Prisma } from '../platform/database.ts'
import type { Database } from '../platform/database.ts'
import { sql, textArray } from '../platform/sql.ts'
import { countStates } from '../platform/state-counts.ts'
import type { StateCounts } from '../platform/state-counts.ts'
import { selectOrders } from './load-orders.ts'
import type { OrderSnapshot } from './order.ts'
import type { OrderState } from './state.ts'

export interface OrderFilter {
  casinoId: string
  playerId: string | undefined
  state: OrderState | undefined
  /** Whether the order has an open hold. */
  isHeld: boolean | undefined
}

/** Lists a casino's orders, by player, state or hold. */
export async function listOrders(
  database: Database,
  filter: OrderFilter,
  page: ListRequest,
): Promise<Page<OrderSnapshot>> {
  const { casinoId, playerId, state } = filter
  const scan = scanOf(filter)
  if (scan !== undefined) {
    return scanPage(database, page, scan, (ids) => {
      const found = sql`SELECT * FROM every_prize_order WHERE casino_id = ${casinoId}::text AND id = ANY(${textArray(ids)})`
      return database.$queryRaw<OrderSnapshot[]>`${selectOrders(found)}`
    })
  }
  const { conditions, direction } = listSql(page, { id: sql`id`, createdAt: sql`created_at` }, 'ord')
  const found = sql`
    SELECT * FROM every_prize_order
     WHERE casino_id = ${casinoId}::text
           ${playerId === undefined ? Prisma.empty : sql`AND player_id = ${playerId}::text`}
           ${state === undefined ? Prisma.empty : sql`AND state = ${state}::text`} ${conditions}
     ORDER BY id ${direction} LIMIT ${page.limit + 1}::int`
  const rows = await database.$queryRaw<OrderSnapshot[]>`
    ${selectOrders(found)} ORDER BY prize_order.id ${direction}`
  return toPage(rows, page)
}

/** The condition for filters without an ordered index; undefined if there is one. */
function scanOf({ casinoId, playerId, state, isHeld }: OrderFilter): Scan | undefined {
  if (isHeld === undefined && (playerId === undefined || state === undefined)) return undefined
  const hasHold = sql`EXISTS (SELECT FROM order_hold WHERE order_id = scanned.id AND released_at IS NULL)`
  const ofState = state === undefined ? Prisma.empty : sql`AND scanned.state = ${state}::text`
  const isOfHold =
    isHeld === undefined ? Prisma.empty : isHeld ? sql`AND ${hasHold}` : sql`AND NOT ${hasHold}`
  const common = {
    columns: sql`prize_order.created_at, prize_order.state`,
    wanted: sql`true ${ofState} ${isOfHold}`,
    timedIds: 'ord',
  } as const
  if (isHeld === true && playerId === undefined) {
    // Few orders are held, and those have an index. They are live.
    return {
      ...common,
      from: (direction) => sql`(
          SELECT order_id FROM order_hold
           WHERE casino_id = ${casinoId}::text AND released_at IS NULL
           GROUP BY order_id ORDER BY order_id ${direction}
        ) AS hold JOIN prize_order ON prize_order.id = hold.order_id`,
      id: sql`hold.order_id`,
      within: sql`true`,
    }
  }
  const narrowest =
    playerId !== undefined
      ? sql`AND prize_order.player_id = ${playerId}::text`
      : state !== undefined
        ? sql`AND prize_order.state = ${state}::text`
        : Prisma.empty
  return {
    ...common,
    from: () => sql`every_prize_order AS prize_order`,
    id: sql`prize_order.id`,
    within: sql`prize_order.casino_id = ${casinoId}::text ${narrowest}`,
  }
}

/** The states of a player's orders, of the newest ones. */
export function countOrdersOfPlayer(
  database: Database,
  { casinoId, playerId }: { casinoId: string; playerId: string },
): Promise<StateCounts> {
  return countStates(
    database,
    sql`SELECT state FROM every_prize_order WHERE casino_id = ${casinoId}::text AND player_id = ${playerId}::text ORDER BY id DESC`,
  )
}
