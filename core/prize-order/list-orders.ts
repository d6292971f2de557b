import { listQuery, scanPage, toPage } from '../page.ts'
import type { ListRequest, Page, Scan } from '../page.ts'
import { Prisma } from '../platform/database.ts'
import type { Database } from '../platform/database.ts'
import { sql } from '../platform/sql.ts'
import { shown, toRecords } from './read-orders.ts'
import type { OrderRecord } from './read-orders.ts'
import type { OrderState } from './state.ts'

export interface OrderFilter {
  casinoId: string
  playerId: string | undefined
  state: OrderState | undefined
  /** Whether a hold is open. */
  isHeld: boolean | undefined
}

/** The orders of a casino, of a player, in a state, or held or not. */
export async function listOrders(
  database: Database,
  filter: OrderFilter,
  page: ListRequest,
): Promise<Page<OrderRecord>> {
  const { casinoId, playerId, state } = filter
  const scan = scanOf(filter)
  if (scan !== undefined) {
    return scanPage(database, page, scan, async (ids) => {
      const rows = await database.prizeOrder.findMany({
        where: { casinoId, id: { in: [...ids] } },
        select: shown,
      })
      return (await toRecords(database, casinoId, rows)).map(({ order }) => order)
    })
  }
  const { where, ...part } = listQuery(page, 'ord')
  const rows = await database.prizeOrder.findMany({
    where: {
      casinoId,
      ...(playerId === undefined ? {} : { playerId }),
      ...(state === undefined ? {} : { state }),
      ...where,
    },
    ...part,
    select: shown,
  })
  const found = await toRecords(database, casinoId, rows)
  return toPage(
    found.map(({ order }) => order),
    page,
  )
}

/** How orders are looked for that no index has in order; undefined when one has. */
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
    // Few orders are held, and an index has those.
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
    from: () => sql`prize_order`,
    id: sql`prize_order.id`,
    within: sql`prize_order.casino_id = ${casinoId}::text ${narrowest}`,
  }
}
