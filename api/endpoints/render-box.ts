import { createHash } from 'node:crypto'
import type { WinnableItem } from '../../core/box/box.ts'
import { oddsOf, oddsOfFallback } from '../../core/box/odds.ts'
import type { BoxContents } from '../../core/box/read-contents.ts'
import type { OpeningsLeft } from '../../core/box/read-openings-left.ts'

/** A version of a box as JSON, in which only what can change from one look to the next is missing. */
export interface RenderedBox {
  /** With the positions that are out of stock, and what `renderLeft` says of the player. */
  toJson: (soldOut: readonly number[], player: object | undefined) => string
  /** Of all that `toJson` does not get. */
  hash: string
  /** About how much memory it takes. */
  bytes: number
}

/** What an entry's strings and numbers take beside their characters. */
const bytesPerEntry = 200

/**
 * Renders a box of the catalogue. Entries stay apart, also those of one item: each has its own odds and its own stock, and
 * they are what the odds hash is about.
 */
export function renderBox(box: BoxContents): RenderedBox {
  const head = withoutEnd({
    id: box.boxId,
    name: box.name,
    description: box.description,
    image: box.imageUrl,
    version: box.version,
    odds_hash: box.oddsHash,
    access: box.access,
    limit:
      box.limit === null
        ? null
        : { count: box.limit.count, period: box.limit.period, time_zone: box.limit.timeZone },
    active_until: box.activeUntil,
  })
  const odds = oddsOf(box.entries.map(({ weight }) => weight))
  const entries = box.entries.map(({ position, weight, item }, index) => ({
    position,
    weight,
    start: withoutEnd({ ...renderItem(item), position }),
    odds: JSON.stringify(odds[index]),
  }))
  const fallback = box.fallback === null ? null : withoutEnd(renderItem(box.fallback))
  const toJson: RenderedBox['toJson'] = (positions, player) => {
    const soldOut = new Set(positions)
    const ofPlayer = player === undefined ? '' : `,"player":${JSON.stringify(player)}`
    const prizes = entries.map(
      ({ position, start, odds }) => `${start},"available":${!soldOut.has(position)},"odds":${odds}}`,
    )
    const instead =
      fallback === null ? 'null' : `${fallback},"odds":${JSON.stringify(oddsOfFallback(entries, soldOut))}}`
    return `${head}${ofPlayer},"prizes":[${prizes.join(',')}],"fallback":${instead}}`
  }
  const whole = toJson([], undefined)
  return {
    toJson,
    hash: createHash('sha256').update(whole).digest('base64url'),
    bytes: 2 * whole.length + entries.length * bytesPerEntry,
  }
}

/** For fields that come after those of `value`. */
function withoutEnd(value: object): string {
  return JSON.stringify(value).slice(0, -1)
}

function renderItem(item: WinnableItem): object {
  return {
    id: item.id,
    name: item.name,
    kind: item.kind,
    description: item.description,
    image: item.imageUrl,
    cashback:
      item.cashback === null
        ? null
        : { amount_minor: Number(item.cashback.amountMinor), currency: item.cashback.currency },
    claim_days: item.claimDays,
  }
}

/** What a player has left of a box; undefined where no player is asked for. */
export function renderLeft(left: OpeningsLeft | undefined): object | undefined {
  if (left === undefined) return undefined
  const { count, resetsAt, expiresAt } = left
  return { can_open: count > 0, openings_left: count, resets_at: resetsAt, expires_at: expiresAt }
}
