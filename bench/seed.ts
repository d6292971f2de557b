import pg from 'pg'
import { formatApiKey, generateApiKey, hashApiKeySecret } from '../core/casino/api-key.ts'
import { hashOddsTable } from '../core/box/odds-table.ts'
import type { OddsTable } from '../core/box/odds-table.ts'
import { migrateQueueTables } from '../core/queue/queue-backend.ts'
import { migrateDatabase } from '../prisma/migrate.ts'
import type { OperationName } from './operations.ts'
import type { Servers } from './servers.ts'

/** Enough rows that no plan is chosen for an empty table. */
export const usualHistorySize = 50_000

/** A database with everything that an operation needs; every measurement gets a copy of its own. */
export interface Template {
  name: string
  operation: OperationName
  apiKey: string
  /** Requests 1 to `count` have their own prize or player. */
  count: number
}

/** Makes the template database of an operation. This is not measured. */
export async function createTemplate(
  servers: Servers,
  operation: OperationName,
  count: number,
  hashSecret: string,
  historySize = usualHistorySize,
): Promise<Template> {
  const name = `template_${operation.replace('-', '_')}`
  const url = await servers.postgres.createDatabase(name)
  await migrateDatabase(url)
  await migrateQueueTables(url)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const apiKey = await seedCasino(client, hashSecret)
    await seedHistory(client, historySize)
    switch (operation) {
      case 'box':
        await seedUnlimitedBox(client)
        break
      case 'box-stock':
        await seedLimitedBox(client, count)
        break
      default:
        await seedPrizes(client, count)
    }
    await analyzeFilled(client)
    return { name, operation, apiKey, count }
  } finally {
    await client.end()
  }
}

/** The casino that the requests come from, with its items; returns its key. */
export async function seedCasino(client: pg.Client, hashSecret: string, casinoId = 'bench'): Promise<string> {
  const key = generateApiKey()
  await client.query(`INSERT INTO casino (id, name, updated_at) VALUES ($1, 'Benchmark', now())`, [casinoId])
  await client.query(
    `INSERT INTO api_key (id, casino_id, scopes, secret_hash) VALUES ($1, $2, '{play}', $3)`,
    [key.id, casinoId, hashApiKeySecret(hashSecret, key)],
  )
  await client.query(
    `INSERT INTO item (casino_id, id, name, kind, cashback_amount_minor, cashback_currency, claim_days, updated_at)
     SELECT $1, 'item-' || n, 'Coffee maker ' || n, 'physical', 2500, 'EUR', 30, now()
       FROM generate_series(1, 8) AS n`,
    [casinoId],
  )
  return formatApiKey(key)
}

/**
 * Vacuums and analyzes, which autovacuum would otherwise do in the middle of a measurement. Like autovacuum, it skips
 * empty tables: without statistics PostgreSQL takes them for small ones, and with statistics for ones that stay empty.
 */
export async function analyzeFilled(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`
    SELECT quote_ident(relname) AS name FROM pg_class
     WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND pg_relation_size(oid) > 0`)
  await client.query(`VACUUM (ANALYZE) ${rows.map(({ name }) => name).join(', ')}`)
}

/**
 * Writes the history of another casino. PostgreSQL plans statements for the tables as it first finds them, and the
 * performance of an unused service is of no interest.
 */
async function seedHistory(client: pg.Client, historySize: number): Promise<void> {
  await client.query(`INSERT INTO casino (id, name, updated_at) VALUES ('earlier', 'Earlier', now())`)
  const past = `now() - interval '7 days', now() - interval '7 days'`
  const each = `FROM generate_series(1, ${historySize}) AS n`
  await client.query(`
    INSERT INTO prize (casino_id, id, player_id, item_id, item_name, kind, state, revision, created_at, updated_at)
    SELECT 'earlier', 'prz_old_' || n, 'player_' || n % 5000, 'item-1', 'Coffee maker 1', 'physical',
           'ordered', 2, ${past} ${each}`)
  await client.query(`
    INSERT INTO prize_order (id, casino_id, prize_id, player_id, state, revision, delivery_ciphertext, delivery_key,
                             delivery_key_id, announced_at, ended_at, created_at, updated_at)
    SELECT 'ord_old_' || n, 'earlier', 'prz_old_' || n, 'player_' || n % 5000, 'delivered', 6,
           decode(repeat('00', 350), 'hex'), decode(repeat('00', 60), 'hex'), 'bench', now(), now(), ${past} ${each}`)
  await client.query(`
    INSERT INTO cashback (id, casino_id, prize_id, player_id, amount_minor, currency, state, revision, created_at,
                          updated_at)
    SELECT 'cbk_old_' || n, 'earlier', 'prz_older_' || n, 'player_' || n % 5000, 2500, 'EUR', 'credited', 2, ${past} ${each}`)
  await client.query(`
    INSERT INTO ledger_transaction (id, casino_id, kind, cashback_id, created_at)
    SELECT 'txn_cbk_old_' || n, 'earlier', 'cashback_credit', 'cbk_old_' || n, now() ${each}`)
  await client.query(`
    INSERT INTO ledger_entry (transaction_id, position, casino_id, account, player_id, amount_minor, currency)
    SELECT 'txn_cbk_old_' || n, side, 'earlier', CASE side WHEN 1 THEN 'casino_cashback' ELSE 'player_wallet' END,
           CASE side WHEN 2 THEN 'player_' || n % 5000 END, CASE side WHEN 1 THEN -2500 ELSE 2500 END, 'EUR'
      FROM generate_series(1, ${historySize}) AS n, generate_series(1, 2) AS side`)
  await client.query(`SET session_replication_role = 'replica'`) // from before openings had a seed
  await client.query(`
    INSERT INTO opening (id, casino_id, player_id, sequence, box_id, version, position, item_id, substituted, prize_id,
                         request_id, odds_hash, opened_at)
    SELECT 'opn_old_' || n, 'earlier', 'player_' || n % 5000, n, 'old-box', 1, 1, 'item-1', false, 'prz_old_' || n,
           'req', repeat('0', 64), now() ${each}`)
  await client.query(`SET session_replication_role = 'origin'`)
  await client.query(`
    INSERT INTO player (casino_id, id, opening_count)
    SELECT 'earlier', 'player_' || n, 1 ${each}`)
  await client.query(`
    INSERT INTO event (casino_id, object_type, object_id, sequence, type, to_state, actor, created_at)
    SELECT 'earlier', 'prize', 'prz_old_' || n, sequence, 'prize.won', 'won', 'key:old', now()
      FROM generate_series(1, ${historySize}) AS n, generate_series(1, 3) AS sequence`)
}

/** One prize and player for each request with these numbers. */
export async function seedPrizes(
  client: pg.Client,
  count: number,
  first = 1,
  casinoId = 'bench',
): Promise<void> {
  await client.query(
    `INSERT INTO prize (casino_id, id, player_id, item_id, item_name, kind, cashback_amount_minor, cashback_currency,
                        state, expires_at, created_at, updated_at)
     SELECT $1, 'prz_' || lpad(to_hex(n), 32, '0'), 'player_' || lpad(to_hex(n), 32, '0'), 'item-1',
            'Coffee maker 1', 'physical', 2500, 'EUR', 'won', now() + interval '30 days', now(), now()
       FROM generate_series($2::int, $3::int) AS n`,
    [casinoId, first, first + count - 1],
  )
}

/** A box that every player may open very often, with eight entries that never run out. */
export function seedUnlimitedBox(client: pg.Client): Promise<void> {
  return seedBox(client, { entries: entriesOf(8, null), fallbackItemId: null })
}

/**
 * The hot rows: every opening takes one of four stocks, four of ten the same one. No stock runs out during a measurement,
 * so each opening moves a row; the fallback is there because such a box has one.
 */
function seedLimitedBox(client: pg.Client, count: number): Promise<void> {
  return seedBox(client, { entries: entriesOf(4, count), fallbackItemId: 'item-8' })
}

/** A box whose every opening takes from the same stock, and wins the fallback when that is used up. */
export function seedStockBox(client: pg.Client, boxId: string, stock: number): Promise<void> {
  return seedBox(client, { entries: entriesOf(1, stock), fallbackItemId: 'item-8' }, boxId)
}

function entriesOf(count: number, stock: number | null): OddsTable['entries'] {
  return Array.from({ length: count }, (_, index) => ({
    itemId: `item-${index + 1}`,
    weight: index + 1,
    stock,
  }))
}

async function seedBox(client: pg.Client, odds: OddsTable, boxId = 'bench-box'): Promise<void> {
  await client.query('BEGIN') // the database refuses entries that come after their version
  await client.query(`INSERT INTO box (casino_id, id, current_version) VALUES ('bench', $1, 1)`, [boxId])
  await client.query(
    `INSERT INTO box_version (casino_id, box_id, version, name, access, limit_count, limit_period, fallback_item_id,
                              odds_hash)
     VALUES ('bench', $1, 1, 'Bench box', 'limited', 1000000, 'day', $2, $3)`,
    [boxId, odds.fallbackItemId, hashOddsTable(odds)],
  )
  for (const [index, { itemId, weight, stock }] of odds.entries.entries()) {
    await client.query(
      `INSERT INTO box_entry (casino_id, box_id, version, position, item_id, weight, stock)
       VALUES ('bench', $1, 1, $2, $3, $4, $5)`,
      [boxId, index + 1, itemId, weight, stock],
    )
  }
  await client.query(
    `INSERT INTO box_stock (casino_id, box_id, version, position, remaining)
     SELECT casino_id, box_id, version, position, stock FROM box_entry
      WHERE casino_id = 'bench' AND box_id = $1 AND stock IS NOT NULL`,
    [boxId],
  )
  await client.query('COMMIT')
}

/** A copy of the template; the measurement before had one too, so each begins with the same pages. */
export async function cloneTemplate(servers: Servers, template: Template, name: string): Promise<string> {
  await dropDatabase(servers, name)
  await servers.admin.query(`CREATE DATABASE ${name} TEMPLATE ${template.name} STRATEGY file_copy`)
  await servers.admin.query('CHECKPOINT')
  return servers.urlOf(name)
}

export async function dropDatabase(servers: Servers, name: string): Promise<void> {
  await servers.admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
}
