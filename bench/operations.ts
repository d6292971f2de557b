import type { JobName } from '../core/queue/jobs.ts'

/** The measured operations: the three that casinos call, with openings of a box without and with limited stock. */
export type OperationName = 'order' | 'cashback' | 'box' | 'box-stock'

/** The operations that draw. */
export function isOpening(operation: OperationName): boolean {
  return operation === 'box' || operation === 'box-stock'
}

/** The request of an operation, and the rows that are counted afterwards. */
export interface Operation {
  name: OperationName
  path: string
  /** The JSON body; every `{n}` stands for the number of the request, as 32 hexadecimal digits. */
  bodyTemplate: string
  /** The table that gets one row per acknowledged request; its key is `id`. */
  table: string
  /** The queue that gets one job per row; an opening has no work to follow. */
  jobName: JobName | undefined
  checks: readonly Check[]
}

/** A count that must be `perRow` times the number of the operation's rows. */
export interface Check {
  what: string
  /** A query for one row with one column, `count`. */
  sql: string
  perRow: number
}

const countOf = (table: string) => `SELECT count(*) AS count FROM ${table} WHERE casino_id = 'bench'`

const eventsOf = (type: string): Check => ({
  what: `events ${type}`,
  sql: `SELECT count(DISTINCT object_id) AS count FROM event WHERE casino_id = 'bench' AND type = '${type}'`,
  perRow: 1,
})

/** Snoozed work, such as the reminder to confirm an order, counts as finished. */
export const unfinishedWork = 'SELECT count(*) AS count FROM outbox WHERE snoozed_until IS NULL'
const noUnfinishedWork: Check = { what: 'unfinished work', sql: unfinishedWork, perRow: 0 }

/** The box differs (seed.ts), not the call. */
function openingOf(name: OperationName, checks: readonly Check[] = []): Operation {
  return {
    name,
    path: '/box/open',
    bodyTemplate: JSON.stringify({ player_id: 'player_{n}', box_id: 'bench-box' }),
    table: 'opening',
    jobName: undefined,
    checks: [
      {
        what: 'prizes won',
        sql: 'SELECT count(*) AS count FROM prize JOIN opening ON prize.opening_id = opening.id',
        perRow: 1,
      },
      {
        what: 'players who opened',
        sql: `${countOf('player')} AND opening_count = 1`,
        perRow: 1,
      },
      eventsOf('prize.won'),
      { what: 'events', sql: countOf('event'), perRow: 1 },
      ...checks,
    ],
  }
}

/** Nothing else writes for this casino, so plain counts are enough. */
export const operations: Record<OperationName, Operation> = {
  order: {
    name: 'order',
    path: '/prize/order',
    bodyTemplate: JSON.stringify({
      player_id: 'player_{n}',
      prize_id: 'prz_{n}',
      recipient_name: 'Maria Fernández de la Cruz',
      street: 'Calle de la Princesa 25, 3.º B',
      city: 'Madrid',
      state: 'Comunidad de Madrid',
      postal_code: '28008',
      country: 'Spain',
      phone_number: '+34 600 123 456',
      email: 'maria.fernandez@example.com',
      additional_notes: 'Please ring twice; the bell of the front door is the second from the top.',
    }),
    table: 'prize_order',
    jobName: 'fulfil-prize-order',
    checks: [
      {
        what: 'prizes ordered',
        sql: `SELECT count(*) AS count FROM prize JOIN prize_order
                ON prize_order.casino_id = prize.casino_id AND prize_order.prize_id = prize.id
               WHERE prize.casino_id = 'bench' AND prize.state = 'ordered' AND prize.revision = 2`,
        perRow: 1,
      },
      {
        what: 'orders announced',
        sql: `SELECT count(*) AS count FROM prize_order
               WHERE casino_id = 'bench' AND announced_at IS NOT NULL AND revision = 2`,
        perRow: 1,
      },
      eventsOf('prize.ordered'),
      eventsOf('prize_order.placed'),
      eventsOf('prize_order.confirmation_requested'),
      { what: 'events', sql: countOf('event'), perRow: 3 },
      noUnfinishedWork,
    ],
  },
  cashback: {
    name: 'cashback',
    path: '/prize/cashback',
    bodyTemplate: JSON.stringify({ player_id: 'player_{n}', prize_id: 'prz_{n}' }),
    table: 'cashback',
    jobName: 'credit-cashback',
    checks: [
      {
        what: 'prizes cashed back',
        sql: `SELECT count(*) AS count FROM prize JOIN cashback
                ON cashback.casino_id = prize.casino_id AND cashback.prize_id = prize.id
               WHERE prize.casino_id = 'bench' AND prize.state = 'cashed_back' AND prize.revision = 3 AND cashback.state = 'credited'`,
        perRow: 1,
      },
      {
        what: 'credits to the right player',
        sql: `SELECT count(*) AS count FROM cashback
                JOIN ledger_transaction ON ledger_transaction.cashback_id = cashback.id
                JOIN ledger_entry ON ledger_entry.transaction_id = ledger_transaction.id
               WHERE cashback.casino_id = 'bench' AND ledger_entry.account = 'player_wallet' AND ledger_entry.player_id = cashback.player_id
                 AND ledger_entry.amount_minor = cashback.amount_minor`,
        perRow: 1,
      },
      {
        what: 'ledger credits',
        sql: `${countOf('ledger_transaction')} AND kind = 'cashback_credit'`,
        perRow: 1,
      },
      {
        what: 'ledger transactions without two entries',
        sql: `${countOf('ledger_transaction')}
               AND 2 <> (SELECT count(*) FROM ledger_entry WHERE ledger_entry.transaction_id = ledger_transaction.id)`,
        perRow: 0,
      },
      {
        what: 'ledger transactions that do not sum to zero',
        sql: `SELECT count(*) AS count
                FROM (SELECT transaction_id FROM ledger_entry WHERE casino_id = 'bench'
                       GROUP BY transaction_id, currency HAVING sum(amount_minor) <> 0) AS unbalanced`,
        perRow: 0,
      },
      {
        what: 'players whose reserved money went nowhere',
        sql: `SELECT count(*) AS count
                FROM (SELECT player_id FROM ledger_entry WHERE casino_id = 'bench' AND account = 'player_pending'
                       GROUP BY player_id HAVING sum(amount_minor) <> 0) AS pending`,
        perRow: 0,
      },
      eventsOf('prize.cashback_pending'),
      eventsOf('prize.cashed_back'),
      eventsOf('cashback.requested'),
      eventsOf('cashback.credited'),
      { what: 'events', sql: countOf('event'), perRow: 4 },
      noUnfinishedWork,
    ],
  },
  box: openingOf('box'),
  'box-stock': openingOf('box-stock', [
    {
      what: 'stock taken',
      sql: `SELECT coalesce(sum(box_entry.stock - box_stock.remaining), 0) AS count
              FROM box_entry JOIN box_stock USING (casino_id, box_id, version, position) WHERE casino_id = 'bench'`,
      perRow: 1,
    },
    {
      what: 'stocks that differ from their openings',
      sql: `SELECT count(*) AS count
              FROM box_entry JOIN box_stock USING (casino_id, box_id, version, position)
             WHERE casino_id = 'bench' AND (remaining < 0 OR stock - remaining <> (
               SELECT count(*) FROM opening
                WHERE opening.casino_id = box_entry.casino_id AND opening.box_id = box_entry.box_id
                  AND opening.version = box_entry.version AND opening.position = box_entry.position
                  AND NOT opening.substituted))`,
      perRow: 0,
    },
    {
      what: 'fallbacks given although there was stock',
      sql: `${countOf('opening')} AND substituted`,
      perRow: 0,
    },
  ]),
}
