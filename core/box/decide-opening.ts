import { RewardsError } from '../errors.ts'
import type { BoxTerms, WinnableItem } from './box.ts'

/** A player's right to open a box. */
export interface Entitlement {
  /** The usable grant that expires first. */
  grantId: string | null
  /** The player's openings of the box in the current period, counted up to the limit only. */
  openedInPeriod: number
}

/** A drawn entry and its stock, shared by all requests of a batch that drew it. */
export interface DrawnEntry {
  position: number
  item: WinnableItem
  /** The item to win instead when the stock is empty; null if there is stock, or the box has no fallback. */
  fallback: WinnableItem | null
  /** The stock according to the database; null for unlimited. */
  remaining: number | null
  /** The number that earlier decisions of this batch want to take. It is only a plan until they are stored. */
  wanted: number
  /** Another version was published in the meantime and has taken the stock over. */
  isClosed: boolean
  box: DrawnBox
}

/** The facts shared by all entries that a batch drew from one version. */
export interface DrawnBox {
  hasFallback: boolean
  /** Without a fallback: an entry is out of stock, drawn or not. */
  isSoldOut: boolean
  drawn: DrawnEntry[]
}

/** The result of a draw. */
export interface Draw {
  entry: Pick<DrawnEntry, 'position' | 'item' | 'remaining'>
  /** The entry's item, or the fallback if the entry is out of stock. */
  item: WinnableItem
  isSubstituted: boolean
  /** A sandbox opening whose entry the caller chose: there was no draw. */
  isForced: boolean
  grantId: string | null
}

/**
 * Checks that the player may open the box, before the draw. Returns the grant to use, if any. Throws `box_closed` or
 * `opening_not_entitled`.
 */
export function admit(terms: BoxTerms, entitlement: Entitlement, now: Date): { grantId: string | null } {
  if (!isOpen(terms, now)) throw new RewardsError('box_closed')
  if (!isEntitled(terms, entitlement)) throw new RewardsError('opening_not_entitled')
  return { grantId: terms.access === 'granted' ? entitlement.grantId : null }
}

/**
 * The item won with the drawn entry. Unless it is the fallback, the batch then wants one more of the entry. Throws
 * `box_sold_out`.
 *
 * A player gets the fallback, or is refused, only if the database's stock is empty. If earlier decisions of the batch
 * want the whole rest, the answer is `next_round`: one of them may lose a race and leave its part.
 */
export function decideOpening(
  entry: DrawnEntry,
): { item: WinnableItem; isSubstituted: boolean } | 'next_round' {
  const { box } = entry
  if (entry.isClosed) return 'next_round'
  if (!box.hasFallback && box.isSoldOut) throw new RewardsError('box_sold_out')
  if (entry.remaining === 0 && entry.fallback !== null) return { item: entry.fallback, isSubstituted: true }
  if (box.hasFallback ? isWantedByOthers(entry) : box.drawn.some(isWantedByOthers)) return 'next_round'
  return { item: entry.item, isSubstituted: false }
}

/** Whether the batch wants the whole rest. */
function isWantedByOthers({ remaining, wanted }: DrawnEntry): boolean {
  return remaining !== null && wanted >= remaining
}

/** Whether the box is switched on and within its dates. */
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
 * Without a fallback, a box closes as soon as one entry is out of stock. Continuing with the others would change the
 * published odds, and refusing only players who draw the empty entry would let them try again.
 */
export function isSoldOut(box: { hasFallback: boolean; soldOut: readonly number[] }): boolean {
  return !box.hasFallback && box.soldOut.length > 0
}
