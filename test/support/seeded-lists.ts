import type { Database, Prisma } from '../../core/platform/database.ts'
import { batchInput, int, sql, timestamptz } from '../../core/platform/sql.ts'

/** The casino whose lists are filled, and what the paths name. */
export interface ListedCasino {
  casinoId: string
  playerId: string
  endpointId: string
}

/** A list of the management API, and how it gets rows that were made at given times. */
export interface SeededList {
  path: (of: ListedCasino) => string
  /** The field that names a row. */
  id: string
  /** Where rows say when they were made. */
  at: 'created_at' | 'at'
  usualOrder: 'asc' | 'desc'
  /** The ids begin with the time, so that reading a range reads little else. */
  isTimed?: true
  /** Adds a row for each time. */
  seed: (database: Database, of: ListedCasino, times: readonly Date[]) => Promise<unknown>
}

let seeds = 0

/** Rows of `n` and `at`. Several seedings of a list have other numbers. */
function input(times: readonly Date[]): Prisma.Sql {
  const first = ++seeds * 100_000
  const rows = times.map((at, index) => ({ n: first + index, at }))
  return batchInput(rows, { n: int((row) => row.n), at: timestamptz((row) => row.at) })
}

/** As the service makes them, a little before the row. */
function timedId(prefix: string): Prisma.Sql {
  return sql`(${prefix}::text || '_'
    || lpad(to_hex((extract(epoch FROM input.at) * 1000)::bigint - input.n % 50), 12, '0')
    || '7' || right(md5(input.n::text), 19))`
}

/** In another order than that of time. */
const chosenId = sql`('chosen-' || md5(input.n::text))`
const casino = (path: string) => (of: ListedCasino) => `/admin/casinos/${of.casinoId}${path}`

/** The operator whose sessions are listed. */
const listedOperatorId = `opr_${'0'.repeat(32)}`

function seedOperators(database: Database, source: Prisma.Sql) {
  return database.$executeRaw`
    INSERT INTO operator (id, username, name, role, has_all_casinos, created_at, created_by, updated_at)
    SELECT ${timedId('opr')}, ${chosenId}, 'Jane', 'viewer', true, input.at, 'admin', input.at FROM ${source}`
}

function seedPrizes(database: Database, of: ListedCasino, source: Prisma.Sql) {
  return database.$executeRaw`
    INSERT INTO prize (casino_id, id, player_id, item_id, item_name, kind, state, created_at, updated_at)
    SELECT ${of.casinoId}::text, ${chosenId}, ${of.playerId}::text, 'mug', 'Mug', 'physical', 'won', input.at, input.at
      FROM ${source}`
}

const seedAudit = (casinoIdOf: (of: ListedCasino) => string): SeededList['seed'] => {
  return (database, of, times) => database.$executeRaw`
    INSERT INTO audit_entry (id, casino_id, at, actor, action, params, request_id, outcome)
    SELECT ${timedId('aud')}, ${casinoIdOf(of)}::text, input.at, 'admin', 'PUT /', '{}', 'req', '200'
      FROM ${input(times)}`
}

async function seedDeliveries(database: Database, of: ListedCasino, times: readonly Date[]) {
  const [event] = await database.$queryRaw<{ id: bigint }[]>`
    SELECT id FROM event WHERE casino_id = ${of.casinoId}::text ORDER BY txid, id LIMIT 1`
  const id = event?.id ?? (await seedEvents(database, of, [new Date('2019-01-01')]))[0]?.id ?? 0n
  return database.$executeRaw`
    INSERT INTO webhook_delivery (id, casino_id, endpoint_id, event_id, object_type, object_id, sequence, replay_number,
                                  state, created_at, updated_at)
    SELECT ${timedId('dlv')}, ${of.casinoId}::text, ${of.endpointId}::text, ${id}::bigint, 'prize', 'p', 1, input.n,
           'delivered', input.at, input.at
      FROM ${input(times)}`
}

function seedEvents(database: Database, of: ListedCasino, times: readonly Date[]) {
  return database.$queryRaw<{ id: bigint }[]>`
    INSERT INTO event (casino_id, object_type, object_id, sequence, type, to_state, actor, created_at, txid)
    SELECT ${of.casinoId}::text, 'prize', ${chosenId}, 1, 'prize.won', 'won', 'test', input.at, input.n / 3
      FROM ${input(times)} ORDER BY input.at
    RETURNING id`
}

/** Every list of the management API with `order` and a range of time, by its method's name in the document. */
export const seededLists: Readonly<Record<string, SeededList>> = {
  listCasinos: {
    path: () => '/admin/casinos',
    id: 'casino_id',
    at: 'created_at',
    usualOrder: 'asc',
    seed: (database, _, times) => database.$executeRaw`
      INSERT INTO casino (id, name, created_at, updated_at)
      SELECT ${chosenId}, 'Casino', input.at, input.at FROM ${input(times)}`,
  },
  listOperators: {
    path: () => '/admin/operators',
    id: 'operator_id',
    at: 'created_at',
    usualOrder: 'asc',
    seed: (database, _, times) => seedOperators(database, input(times)),
  },
  listOperatorSessions: {
    path: () => `/admin/operators/${listedOperatorId}/sessions`,
    id: 'session_id',
    at: 'created_at',
    usualOrder: 'asc',
    seed: async (database, _, times) => {
      await database.$executeRaw`
        INSERT INTO operator (id, username, name, role, has_all_casinos, created_at, created_by, updated_at)
        VALUES (${listedOperatorId}, 'listed', 'Listed', 'viewer', true, '2020-01-01', 'admin', '2020-01-01')
            ON CONFLICT DO NOTHING`
      await database.$executeRaw`
        INSERT INTO operator_session
          (id, operator_id, token_hash, created_at, seen_at, expires_at, address, user_agent)
        SELECT ${timedId('ses')}, ${listedOperatorId}, '', input.at, input.at, input.at, '', '' FROM ${input(times)}`
    },
  },
  listServiceAudit: {
    path: () => '/admin/audit',
    id: 'id',
    at: 'at',
    usualOrder: 'asc',
    isTimed: true,
    seed: seedAudit(() => ''),
  },
  listAudit: {
    path: casino('/audit'),
    id: 'id',
    at: 'at',
    usualOrder: 'asc',
    isTimed: true,
    seed: seedAudit(({ casinoId }) => casinoId),
  },
  listApiKeys: {
    path: casino('/api-keys'),
    id: 'key_id',
    at: 'created_at',
    usualOrder: 'asc',
    seed: (database, of, times) => database.$executeRaw`
      INSERT INTO api_key (id, casino_id, scopes, secret_hash, created_at)
      SELECT left(md5(input.n::text), 16), ${of.casinoId}::text, '{play}', ''::bytea, input.at FROM ${input(times)}`,
  },
  listActs: {
    path: casino('/acts'),
    id: 'act_id',
    at: 'created_at',
    usualOrder: 'desc',
    isTimed: true,
    seed: (database, of, times) => database.$executeRaw`
      INSERT INTO act (id, casino_id, action, params, state, amounts, needs_approval, object_count, made_by, created_at,
                       expires_at)
      SELECT ${timedId('act')}, ${of.casinoId}::text, 'order.confirm', '{}', 'previewed', '[]', false, 0, 'admin',
             input.at, input.at
        FROM ${input(times)}`,
  },
  listItems: {
    path: casino('/items'),
    id: 'item_id',
    at: 'created_at',
    usualOrder: 'asc',
    seed: (database, of, times) => database.$executeRaw`
      INSERT INTO item (casino_id, id, name, kind, created_at, updated_at)
      SELECT ${of.casinoId}::text, ${chosenId}, 'Mug', 'physical', input.at, input.at FROM ${input(times)}`,
  },
  listBoxes: {
    path: casino('/boxes'),
    id: 'box_id',
    at: 'created_at',
    usualOrder: 'asc',
    seed: async (database, of, times) => {
      await database.$executeRaw`
        INSERT INTO item (casino_id, id, name, kind, created_at, updated_at)
        VALUES (${of.casinoId}::text, 'mug', 'Mug', 'physical', '2019-01-01', '2019-01-01') ON CONFLICT DO NOTHING`
      await database.$executeRaw`
        WITH box_made AS (
          INSERT INTO box (casino_id, id, current_version, created_at)
          SELECT ${of.casinoId}::text, ${chosenId}, 1, input.at FROM ${input(times)}
          RETURNING casino_id, id, created_at
        ),
        version_made AS (
          INSERT INTO box_version (casino_id, box_id, version, name, access, odds_hash, created_at)
          SELECT casino_id, id, 1, 'Box', 'granted', repeat('0', 64), created_at FROM box_made
        )
        INSERT INTO box_entry (casino_id, box_id, version, position, item_id, weight)
        SELECT casino_id, id, 1, 1, 'mug', 1 FROM box_made`
    },
  },
  listPlayerPrizes: {
    id: 'prize_id',
    at: 'created_at',
    usualOrder: 'asc',
    path: (of) => casino(`/players/${of.playerId}/prizes`)(of),
    seed: (database, of, times) => seedPrizes(database, of, input(times)),
  },
  listPlayerGrants: {
    id: 'grant_id',
    at: 'created_at',
    usualOrder: 'asc',
    path: (of) => casino(`/players/${of.playerId}/grants`)(of),
    seed: (database, of, times) => database.$executeRaw`
      INSERT INTO opening_grant (casino_id, id, player_id, box_id, count, created_at)
      SELECT ${of.casinoId}::text, ${chosenId}, ${of.playerId}::text, 'box', 1, input.at FROM ${input(times)}`,
  },
  listGrants: {
    id: 'grant_id',
    at: 'created_at',
    usualOrder: 'desc',
    isTimed: true,
    path: casino('/grants'),
    seed: (database, of, times) => database.$executeRaw`
      INSERT INTO opening_grant (casino_id, id, player_id, box_id, count, created_at)
      SELECT ${of.casinoId}::text, ${chosenId}, 'player-' || input.n, 'box', 1, input.at FROM ${input(times)}`,
  },
  listOrders: {
    path: casino('/orders'),
    id: 'order_id',
    at: 'created_at',
    usualOrder: 'asc',
    isTimed: true,
    seed: async (database, of, times) => {
      const source = input(times)
      await seedPrizes(database, { ...of, playerId: 'somebody' }, source)
      await database.$executeRaw`
        INSERT INTO prize_order (id, casino_id, prize_id, player_id, state, delivery_ciphertext, created_at, updated_at)
        SELECT ${timedId('ord')}, ${of.casinoId}::text, ${chosenId}, ${of.playerId}::text, 'pending_confirmation',
               ''::bytea, input.at, input.at
          FROM ${source}`
    },
  },
  listCashbacks: {
    path: casino('/cashbacks'),
    id: 'cashback_id',
    at: 'created_at',
    usualOrder: 'asc',
    isTimed: true,
    seed: (database, of, times) => database.$executeRaw`
      INSERT INTO cashback (id, casino_id, prize_id, player_id, amount_minor, currency, state, created_at, updated_at)
      SELECT ${timedId('cbk')}, ${of.casinoId}::text, ${chosenId}, ${of.playerId}::text, 500, 'EUR', 'requested',
             input.at, input.at
        FROM ${input(times)}`,
  },
  listEvents: {
    path: casino('/events'),
    id: 'id',
    at: 'created_at',
    usualOrder: 'asc',
    isTimed: true,
    seed: seedEvents,
  },
  listWebhookEndpoints: {
    path: casino('/webhook-endpoints'),
    id: 'endpoint_id',
    at: 'created_at',
    usualOrder: 'asc',
    seed: (database, of, times) => database.$executeRaw`
      INSERT INTO webhook_endpoint (casino_id, id, url, event_types, state, cursor_txid, cursor_event_id, created_at,
                                    updated_at)
      SELECT ${of.casinoId}::text, ${chosenId}, 'https://crm.example.com/', '{}', 'disabled', 0, 0, input.at, input.at
        FROM ${input(times)}`,
  },
  listWebhookDeliveries: {
    id: 'delivery_id',
    at: 'created_at',
    usualOrder: 'desc',
    isTimed: true,
    path: (of) => casino(`/webhook-endpoints/${of.endpointId}/deliveries`)(of),
    seed: seedDeliveries,
  },
}

/** Makes the casino, its endpoint, and room below the feed's horizon for events of any transaction. */
export async function makeListedCasino(database: Database, casinoId: string): Promise<ListedCasino> {
  await database.$executeRaw`
    CREATE OR REPLACE FUNCTION event_txid_offset() RETURNS BIGINT LANGUAGE sql STABLE PARALLEL SAFE
      AS 'SELECT 1000000000::bigint'`
  const endpointId = 'listed'
  await database.$executeRaw`
    INSERT INTO webhook_endpoint (casino_id, id, url, event_types, state, cursor_txid, cursor_event_id, created_at,
                                  updated_at)
    VALUES (${casinoId}::text, ${endpointId}::text, 'https://crm.example.com/', '{}', 'disabled', 0, 0,
            '2019-01-01T00:00:00Z'::timestamptz, '2019-01-01T00:00:00Z'::timestamptz)`
  return { casinoId, playerId: 'ann', endpointId }
}
