import { RewardsError } from '../errors.ts'
import type { BoxTerms, WinnableItem } from './box.ts'

/** What a player has to open a box with. */
export interface Entitlement {
  /** The grant to use, of those that can be used the one that expires first. */
  grantId: string | null
  /** How often the player has opened the box in the current period; counted up to the limit only. */
  openedInPeriod: number
}

/** An entry that was drawn, with what is left of it. Requests of a batch that drew the same entry share it. */
export interface DrawnEntry {
  position: number
  item: WinnableItem
  /** What is won instead when none is left; null when some are, or the box has no fallback. */
  fallback: WinnableItem | null
  /** How many are left, as the database says; null when there is no limit. */
  remaining: number | null
  /** How many of those the decisions of this batch want to take. Until they are stored, that is no more than a plan. */
  wanted: number
  /** Another version was published since the box was looked up, and goes on with the stock. */
  isClosed: boolean
  box: DrawnBox
}

/** What all entries that a batch drew of one version have in common. */
export interface DrawnBox {
  hasFallback: boolean
  /** Without a fallback: an entry is used up, drawn or not. */
  isSoldOut: boolean
  drawn: DrawnEntry[]
}

/** What was drawn. */
export interface Draw {
  entry: Pick<DrawnEntry, 'position' | 'item' | 'remaining'>
  /** The entry's item, or the fallback when the entry is out of stock. */
  item: WinnableItem
  isSubstituted: boolean
  /** A sandbox opening whose entry the caller chose: nothing was drawn. */
  isForced: boolean
  grantId: string | null
}

/**
 * What lets a player in, before anything is drawn: the grant to use, if any. Throws `box_closed` or
 * `opening_not_entitled`.
 */
export function admit(terms: BoxTerms, entitlement: Entitlement, now: Date): { grantId: string | null } {
  if (!isOpen(terms, now)) throw new RewardsError('box_closed')
  if (!isEntitled(terms, entitlement)) throw new RewardsError('opening_not_entitled')
  return { grantId: terms.access === 'granted' ? entitlement.grantId : null }
}

/**
 * What is won with the drawn entry. Notes what it takes of the entry's stock, so that the next decision of the batch sees
 * it. Throws `box_sold_out`.
 *
 * A player gets the fallback, or is refused, only where nothing is left in the database. Where earlier decisions of the
 * batch want all that is left, it is `next_round`: one of them may lose a race, and what it wanted is still there.
 */
export function decideOpening(
  entry: DrawnEntry,
): { item: WinnableItem; isSubstituted: boolean } | 'next_round' {
  const { box } = entry
  if (entry.isClosed) return 'next_round'
  if (!box.hasFallback && box.isSoldOut) throw new RewardsError('box_sold_out')
  if (entry.remaining === 0 && entry.fallback !== null) return { item: entry.fallback, isSubstituted: true }
  if (box.hasFallback ? isWantedByOthers(entry) : box.drawn.some(isWantedByOthers)) return 'next_round'
  entry.wanted++
  return { item: entry.item, isSubstituted: false }
}

/** Whether the batch wants all that is left. */
function isWantedByOthers({ remaining, wanted }: DrawnEntry): boolean {
  return remaining !== null && wanted >= remaining
}

/** Whether the box is on and within its window. */
export function isOpen(terms: BoxTerms, now: Date): boolean {
  return (
    terms.isEnabled &&
    (terms.activeFrom === null || terms.activeFrom <= now) &&
    (terms.activeUntil === null || now < terms.activeUntil)
  )
}

function isEntitled({ access, limit }: BoxTerms, entitlement: Entitlement): boolean {
  switch (access) {
    case 'granted':
      return entitlement.grantId !== null
    case 'limited':
      return limit !== null && entitlement.openedInPeriod < limit.count
    default:
      return access satisfies never
  }
}

/**
 * Without a fallback a box closes as soon as one entry is used up: going on with the others would change the published
 * odds, and refusing only those who draw the empty one would let them try again.
 */
export function isSoldOut(box: { hasFallback: boolean; soldOut: readonly number[] }): boolean {
  return !box.hasFallback && box.soldOut.length > 0
}
