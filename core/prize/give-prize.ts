import { loadDecideStore } from '../batch/load-decide-store.ts'
import type { Change } from '../batch/load-decide-store.ts'
import { RewardsError } from '../errors.ts'
import { heldClaim, markedClaim } from '../idempotency/claim-steps.ts'
import type { HeldClaim } from '../idempotency/claim-steps.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { instant } from '../platform/sql.ts'
import type { PrizeRecord } from './read-prizes.ts'

export interface GivePrizeRequest {
  casinoId: string
  playerId: string
  itemId: string
  /** The casino's own name for the prize, under which it is given once. */
  prizeId: string | undefined
  /** Who gives, for the history: `admin` or `key:…`. */
  actor: string
  requestId: string
  claim: HeldClaim | undefined
}

export interface GivenPrize {
  prize: PrizeRecord
  /** False when it was there already. */
  isNew: boolean
}

/**
 * Puts a prize into a player's inventory, with what its item promises now. The same prize given again to the same player
 * (a repeated request) is the one that is there; anything else under its id is refused. Throws `item_unknown` or
 * `prize_exists`.
 */
export async function givePrize(
  { database, clock }: { database: Database; clock: Clock },
  request: GivePrizeRequest,
): Promise<GivenPrize> {
  const change: Change<GivePrizeRequest, Loaded, PrizeRecord, GivenPrize> = {
    load: () => load(database, request),
    decide: (_, loaded) => {
      const existing = decideExisting(request, loaded.existing)
      if (existing !== undefined) return { answer: { prize: existing, isNew: false } }
      return { write: decidePrize(request, loaded.item, clock.now()) }
    },
    store: async ([prize]) => {
      const isStored = prize !== undefined && (await storePrize(database, request, prize))
      return isStored ? new Map([[prize, { prize, isNew: true }]]) : new Map()
    },
  }
  const [result] = await loadDecideStore(change, [request])
  if (result === undefined) throw new Error('a request got no result')
  if ('error' in result) throw result.error
  return result.value
}

interface Loaded {
  item: PromisedItem | null
  existing: PrizeRecord | null
}

/** What an item promises to whoever wins it. */
interface PromisedItem {
  name: string
  kind: string
  cashbackAmountMinor: bigint | null
  cashbackCurrency: string | null
  claimDays: number | null
}

const dayMs = 24 * 3600 * 1000

function decideExisting(request: GivePrizeRequest, existing: PrizeRecord | null): PrizeRecord | undefined {
  if (existing === null) return undefined
  const isSame =
    existing.playerId === request.playerId &&
    existing.itemId === request.itemId &&
    existing.openingId === null
  if (!isSame) throw new RewardsError('prize_exists')
  return existing
}

function decidePrize(request: GivePrizeRequest, item: PromisedItem | null, now: Date): PrizeRecord {
  if (item === null) throw new RewardsError('item_unknown')
  return {
    id: request.prizeId ?? newId('prz'),
    playerId: request.playerId,
    itemId: request.itemId,
    itemName: item.name,
    kind: item.kind,
    cashbackAmountMinor: item.cashbackAmountMinor,
    cashbackCurrency: item.cashbackCurrency,
    state: 'won',
    openingId: null,
    expiresAt: item.claimDays === null ? null : new Date(now.getTime() + item.claimDays * dayMs),
    createdAt: now,
    updatedAt: now,
  }
}

async function load(database: Database, { casinoId, itemId, prizeId }: GivePrizeRequest): Promise<Loaded> {
  const [item, existing] = await Promise.all([
    database.item.findUnique({ where: { casinoId_id: { casinoId, id: itemId } } }),
    prizeId === undefined
      ? null
      : database.prize.findUnique({ where: { casinoId_id: { casinoId, id: prizeId } } }),
  ])
  return { item, existing }
}

/** Writes nothing and returns false when a prize of this id has appeared meanwhile. */
async function storePrize(
  database: Database,
  { casinoId, actor, requestId, claim }: GivePrizeRequest,
  prize: PrizeRecord,
): Promise<boolean> {
  const rows = await database.$queryRaw<{ id: string }[]>`
    WITH ${heldClaim(claim)},
    player_seen AS (
      INSERT INTO player (casino_id, id) VALUES (${casinoId}::text, ${prize.playerId}::text)
      ON CONFLICT DO NOTHING
      RETURNING id
    ),
    prize_given AS (
      INSERT INTO prize (casino_id, id, player_id, item_id, item_name, kind, cashback_amount_minor, cashback_currency,
                         state, expires_at, created_at, updated_at)
      SELECT ${casinoId}::text, ${prize.id}::text, ${prize.playerId}::text, ${prize.itemId}::text,
             ${prize.itemName}::text, ${prize.kind}::text,
             ${prize.cashbackAmountMinor === null ? null : String(prize.cashbackAmountMinor)}::bigint,
             ${prize.cashbackCurrency}::text, 'won', ${instant(prize.expiresAt)},
             ${instant(prize.createdAt)}, ${instant(prize.updatedAt)}
        FROM (SELECT count(*) FROM player_seen) AS players_first CROSS JOIN claim_held
      ON CONFLICT DO NOTHING
      RETURNING id
    ),
    ${markedClaim(claim, 'prize_given')},
    event_written AS (
      INSERT INTO event (casino_id, object_type, object_id, sequence, type, to_state, actor, request_id, created_at)
      SELECT ${casinoId}::text, 'prize', id, 1, 'prize.won', 'won', ${actor}::text, ${requestId}::text,
             ${instant(prize.createdAt)}
        FROM prize_given
    )
    SELECT id FROM prize_given`
  return rows.length > 0
}
