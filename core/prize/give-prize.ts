import { loadDecideStore } from '../batch/load-decide-store.ts'
import type { Change } from '../batch/load-decide-store.ts'
import { RewardsError } from '../errors.ts'
import { writtenEvents } from '../event/written-events.ts'
import { heldClaim, markedClaim } from '../idempotency/claim-steps.ts'
import type { HeldClaim } from '../idempotency/claim-steps.ts'
import type { Money } from '../money.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { instant, sql } from '../platform/sql.ts'
import { insertInto } from '../platform/sql-insert.ts'
import { seenPlayers } from '../player/seen-players.ts'
import { findPrize, isRemovedPrize } from './read-prizes.ts'
import type { PrizeRecord } from './read-prizes.ts'

export interface GivePrizeRequest {
  casinoId: string
  playerId: string
  itemId: string
  /** The casino's own id for the prize; a second request with it gives nothing new. */
  prizeId: string | undefined
  /** The cashback value that the prize must have, as the operator has seen it; undefined if it was not looked at. */
  expectedValue?: Money | null
  /** Actor, for the history: `admin` or `key:…`. */
  actor: string
  requestId: string
  claim: HeldClaim | undefined
}

export interface GivenPrize {
  prize: PrizeRecord
  /** False if it existed already. */
  isNew: boolean
}

/**
 * Adds a prize to a player's inventory, with the terms of its item now. A repeated request gets the existing prize; the
 * same id with other contents is refused. Throws `item_unknown`, `prize_exists`, or `revision_changed` if the item is worth
 * something else.
 */
export async function givePrize(
  { database, clock }: { database: Database; clock: Clock },
  request: GivePrizeRequest,
): Promise<GivenPrize> {
  const change: Change<GivePrizeRequest, Loaded, PrizeRecord, GivenPrize> = {
    load: async () => ({ ...(await load(database, request)), now: clock.now(), newId: newId('prz') }),
    decide: (_, loaded) => {
      const existing = decideExisting(request, loaded.existing)
      if (existing !== undefined) return { answer: { prize: existing, isNew: false } }
      if (loaded.isRemoved) throw new RewardsError('prize_exists')
      return { write: decidePrize(request, loaded) }
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

interface Found {
  item: PromisedItem | null
  existing: PrizeRecord | null
  /** The id was given, and the prize has left the database with its month of the archive. */
  isRemoved: boolean
}

interface Loaded extends Found {
  now: Date
  /** For a prize without an id. */
  newId: string
}

/** The terms of an item for its winner. */
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

function decidePrize(request: GivePrizeRequest, { item, now, newId: id }: Loaded): PrizeRecord {
  if (item === null) throw new RewardsError('item_unknown')
  if (request.expectedValue !== undefined && !isWorth(item, request.expectedValue)) {
    throw new RewardsError('revision_changed', "The item's cashback has changed since the preview")
  }
  return {
    id: request.prizeId ?? id,
    playerId: request.playerId,
    itemId: request.itemId,
    itemName: item.name,
    kind: item.kind,
    cashbackAmountMinor: item.cashbackAmountMinor,
    cashbackCurrency: item.cashbackCurrency,
    state: 'won',
    revision: 1,
    openingId: null,
    expiresAt: item.claimDays === null ? null : new Date(now.getTime() + item.claimDays * dayMs),
    createdAt: now,
    updatedAt: now,
  }
}

function isWorth(item: PromisedItem, value: Money | null): boolean {
  return (
    item.cashbackAmountMinor === (value?.amountMinor ?? null) &&
    item.cashbackCurrency === (value?.currency ?? null)
  )
}

async function load(database: Database, { casinoId, itemId, prizeId }: GivePrizeRequest): Promise<Found> {
  const [item, existing] = await Promise.all([
    database.item.findUnique({ where: { casinoId_id: { casinoId, id: itemId } } }),
    prizeId === undefined ? null : findPrize(database, casinoId, prizeId),
  ])
  const isRemoved =
    prizeId !== undefined && existing === null && (await isRemovedPrize(database, casinoId, prizeId))
  return { item, existing, isRemoved }
}

/** Writes nothing and returns false if a prize of this id was created in the meantime. */
async function storePrize(
  database: Database,
  { casinoId, actor, requestId, claim }: GivePrizeRequest,
  prize: PrizeRecord,
): Promise<boolean> {
  const amountMinor = prize.cashbackAmountMinor === null ? null : String(prize.cashbackAmountMinor)
  const rows = await database.$queryRaw<{ id: string }[]>`
    WITH ${heldClaim(claim)},
    player_seen AS (
      ${seenPlayers(sql`SELECT ${casinoId}::text AS casino_id, ${prize.playerId}::text AS id`)}
      RETURNING id
    ),
    prize_given AS (
      ${insertInto('prize', {
        from: sql`(SELECT count(*) FROM player_seen) AS players_first CROSS JOIN claim_held`,
        columns: {
          casino_id: sql`${casinoId}::text`,
          id: sql`${prize.id}::text`,
          player_id: sql`${prize.playerId}::text`,
          item_id: sql`${prize.itemId}::text`,
          item_name: sql`${prize.itemName}::text`,
          kind: sql`${prize.kind}::text`,
          cashback_amount_minor: sql`${amountMinor}::bigint`,
          cashback_currency: sql`${prize.cashbackCurrency}::text`,
          state: 'won',
          expires_at: instant(prize.expiresAt),
          created_at: instant(prize.createdAt),
          updated_at: instant(prize.updatedAt),
        },
      })}
      ON CONFLICT DO NOTHING
      RETURNING id
    ),
    ${markedClaim(claim, 'prize_given')},
    event_written AS (
      ${writtenEvents(instant(prize.createdAt), {
        from: sql`prize_given`,
        casinoId: sql`${casinoId}::text`,
        objectType: 'prize',
        objectId: sql`id`,
        sequence: sql`1`,
        type: 'prize.won',
        toState: 'won',
        actor: sql`${actor}::text`,
        requestId: sql`${requestId}::text`,
      })}
    )
    SELECT id FROM prize_given`
  return rows.length > 0
}
