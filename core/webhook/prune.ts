import type { Prisma } from '../platform/database.ts'
import { instant, sql, textArray } from '../platform/sql.ts'
import { isNotSetAside, workAroundDamage } from '../set-aside/set-aside.ts'
import type { Found, SetAsideDeps } from '../set-aside/set-aside.ts'

const day = 86_400_000
/** Long enough to look into last month's deliveries. */
const keepDeliveredMs = 30 * day
/** Permanently failed deliveries can be replayed for this long. */
const keepFailedMs = 90 * day
/** One statement deletes this many in well under a second. */
const batchSizeMax = 1_000

/**
 * Deletes old finished deliveries, and expired secrets; never events. Bounded: returns the number deleted, and must be
 * called again while there are more. It finds the oldest unlocked rows, so locked ones do not hold up others. Not by
 * casino: nothing waits for it, and the index for that would cost something in every delivery.
 */
export async function pruneWebhooks(deps: SetAsideDeps): Promise<number> {
  const now = deps.clock.now()
  const before = (ms: number) => new Date(now.getTime() - ms)
  const delivered = await pruneDeliveries(deps, 'delivered', before(keepDeliveredMs))
  const failed = await pruneDeliveries(deps, 'failed', before(keepFailedMs))
  return delivered + failed + (await pruneSecrets(deps))
}

async function pruneDeliveries(
  deps: SetAsideDeps,
  state: 'delivered' | 'failed',
  before: Date,
): Promise<number> {
  // The second condition is that of the index: PostgreSQL plans without the value of the first one.
  const old = sql`webhook_delivery.state = ${state}::text AND webhook_delivery.state <> 'pending' AND webhook_delivery.updated_at < ${instant(before)}`
  const found = await deps.database.$queryRaw<Found[]>`
    SELECT casino_id AS "casinoId", id FROM webhook_delivery
     WHERE ${old} AND ${isPrunable(deps, sql`webhook_delivery`)}
     ORDER BY updated_at LIMIT ${batchSizeMax}::int FOR UPDATE SKIP LOCKED`
  return workAroundDamage(
    deps,
    'prune-webhooks',
    found,
    (some) => deps.database.$executeRaw`
      DELETE FROM webhook_delivery WHERE id = ANY(ARRAY(
        SELECT id FROM webhook_delivery WHERE id = ANY(${idsOf(some)}) AND ${old}
         ORDER BY id FOR UPDATE SKIP LOCKED))`,
  )
}

async function pruneSecrets(deps: SetAsideDeps): Promise<number> {
  const found = await deps.database.$queryRaw<Found[]>`
    SELECT casino_id AS "casinoId", id FROM webhook_secret
     WHERE expires_at < ${instant(deps.clock.now())} AND ${isPrunable(deps, sql`webhook_secret`)}
     LIMIT ${batchSizeMax}::int FOR UPDATE SKIP LOCKED`
  return workAroundDamage(
    deps,
    'prune-webhooks',
    found,
    (some) => deps.database.$executeRaw`
      DELETE FROM webhook_secret WHERE id = ANY(ARRAY(
        SELECT id FROM webhook_secret WHERE id = ANY(${idsOf(some)}) ORDER BY id FOR UPDATE SKIP LOCKED))`,
  )
}

function isPrunable({ clock }: SetAsideDeps, table: Prisma.Sql): Prisma.Sql {
  return isNotSetAside('prune-webhooks', clock.now(), {
    casinoId: sql`${table}.casino_id`,
    id: sql`${table}.id`,
  })
}

function idsOf(found: readonly Found[]): Prisma.Sql {
  return textArray(found.map(({ id }) => id))
}
