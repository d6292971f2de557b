import type { WinnableItem } from '../../core/box/box.ts'
import { oddsOf } from '../../core/box/odds.ts'
import type { CatalogueBox } from '../../core/box/read-catalogue.ts'
import type { OpeningsLeft } from '../../core/box/read-openings-left.ts'

/**
 * A box of the catalogue. Entries stay apart, also those of one item: each has its own odds and its own stock, and they
 * are what the odds hash is about.
 */
export function renderBox(box: CatalogueBox, left?: OpeningsLeft): object {
  const odds = oddsOf(box.entries)
  return {
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
    ...(left === undefined ? {} : { player: renderLeft(left) }),
    prizes: box.entries.map(({ position, item, remaining }, index) => ({
      ...renderItem(item),
      position,
      available: remaining !== 0,
      odds: odds.entries[index],
    })),
    fallback: box.fallback === null ? null : { ...renderItem(box.fallback), odds: odds.fallback },
  }
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

function renderLeft({ count, resetsAt, expiresAt }: OpeningsLeft): object {
  return { can_open: count > 0, openings_left: count, resets_at: resetsAt, expires_at: expiresAt }
}
