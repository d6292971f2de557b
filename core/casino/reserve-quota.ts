import { RewardsError } from '../errors.ts'
import type { Database } from '../platform/database.ts'
import { findSqlState } from '../platform/database-error.ts'
import type { QuotaName, Quotas } from '../platform/quotas.ts'
import type { Statement } from '../platform/raw-statements.ts'
import { runAtOnce } from '../platform/reserve-quota.ts'
import type { ReserveQuota } from '../platform/reserve-quota.ts'
import { singleRow } from '../platform/single-row.ts'
import { inCasinoTurn } from './casino-turn.ts'
import { parseStoredValue } from './setting-values.ts'

export interface QuotaDeps {
  database: Database
  /** The defaults for casinos without this setting. */
  quotas: Quotas
}

/**
 * Within this distance from a quota, changes take turns and each counts again; farther away they only check. At most
 * this many are in progress at the same time, so the quota is exact, and changes far from it do not wait.
 */
const nearness = 500
/** Raised by `refuse_beyond_quota` in the database. */
const beyondQuota = 'RQ001'

export function createReserveQuota(deps: QuotaDeps): ReserveQuota {
  const { database } = deps
  return async (casinoId, growths) => {
    if (growths.length === 0) return runAtOnce
    const quotas = await findQuotas(deps, casinoId)
    const guards: Statement<unknown>[] = []
    let nearest: RewardsError | undefined
    for (const { quota, added, used } of growths) {
      const most = quotas[quota]
      const row = singleRow(await database.$queryRaw<{ used: bigint }[]>`SELECT (${used})::bigint AS used`)
      const wanted = Number(row.used) + added
      if (wanted > most) throw quotaExceeded(quota, most)
      if (wanted + nearness <= most) continue
      nearest ??= quotaExceeded(quota, most)
      guards.push(database.$executeRaw`
        SELECT refuse_beyond_quota((${used})::bigint + ${added}::int, ${most}::bigint, ${quota}::text)::text`)
    }
    if (guards.length === 0) return runAtOnce
    return async (statement) => {
      try {
        return await inCasinoTurn(database, casinoId, guards, statement)
      } catch (error) {
        throw findSqlState(error) === beyondQuota && nearest !== undefined ? nearest : error
      }
    }
  }
}

/** The quotas of a casino; of a sandbox, those of its casino. */
export async function findQuotas({ database, quotas }: QuotaDeps, casinoId: string): Promise<Quotas> {
  const [setting] = await database.$queryRaw<{ value: unknown }[]>`
    SELECT setting.value
      FROM casino
      JOIN casino_setting AS setting
        ON setting.casino_id = COALESCE(casino.sandbox_of, casino.id) AND setting.name = 'quotas'
     WHERE casino.id = ${casinoId}::text`
  const own = setting === undefined ? {} : parseStoredValue('quotas', setting.value)
  if (own === undefined)
    throw new RewardsError('setting_unreadable', 'The setting quotas cannot be read: save it again')
  return { ...quotas, ...own }
}

const nouns: Record<QuotaName, string> = {
  items: 'items',
  boxes: 'boxes',
  entries: 'entries in the current versions of its boxes',
  entries_per_day: 'entries published within a day',
  players: 'players',
  webhook_endpoints: 'webhook endpoints',
  seeds_per_day: 'server seeds made within a day',
}

export function quotaExceeded(quota: QuotaName, most: number): RewardsError {
  return new RewardsError(
    'quota_exceeded',
    `The casino has reached its quota of ${most} ${nouns[quota]}: reuse existing ones, or ask the operator for a larger quota`,
  )
}
