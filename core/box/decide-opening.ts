import { RewardsError } from '../errors.ts'
import type { BoxEntry, BoxVersion, WinnableItem } from './box.ts'
import { drawEntry } from './draw.ts'
import type { RandomSource } from './draw.ts'

/** What a player has to open a box with. */
export interface Entitlement {
  /** The grant to use, of those that can be used the one that expires first. */
  grantId: string | null
  /** How often the player has opened the box in the current period. */
  openedInPeriod: number
}

/** What was drawn. */
export interface Draw {
  entry: BoxEntry
  /** The entry's item, or the fallback when the entry is out of stock. */
  item: WinnableItem
  isSubstituted: boolean
  /** A sandbox opening whose entry the caller chose: nothing was drawn. */
  isForced: boolean
  grantId: string | null
}

/**
 * Opens a box for a player: is it open, may this player open it, and what is won. Notes what it takes of the entry's stock,
 * so that the next decision of the batch sees it. `forcedItemId`, in a sandbox, takes the first entry of that item instead
 * of drawing. Throws `box_closed`, `box_sold_out`, `opening_not_entitled` or `test_outcome_unknown`.
 *
 * A player gets the fallback, or is refused, only where nothing is left in the database. Where earlier decisions of the
 * batch want all that is left, it is `next_round`: one of them may lose a race, and what it wanted is still there.
 */
export function decideOpening(
  box: BoxVersion,
  entitlement: Entitlement,
  source: RandomSource,
  now: Date,
  forcedItemId?: string,
): Draw | 'next_round' {
  if (!isOpen(box, now)) throw new RewardsError('box_closed')
  const grantId = box.access === 'granted' ? entitlement.grantId : null
  if (!isEntitled(box, entitlement)) throw new RewardsError('opening_not_entitled')
  if (isSoldOut(box)) throw new RewardsError('box_sold_out')

  const isForced = forcedItemId !== undefined
  const entry = isForced ? findEntry(box, forcedItemId) : drawEntry(box.entries, source)
  if (entry.remaining === 0 && box.fallback !== null) {
    return { entry, item: box.fallback, isSubstituted: true, isForced, grantId }
  }
  if (box.fallback === null ? box.entries.some(isWantedByOthers) : isWantedByOthers(entry))
    return 'next_round'
  entry.wanted++
  return { entry, item: entry.item, isSubstituted: false, isForced, grantId }
}

/** Whether the batch wants all that is left. */
function isWantedByOthers({ remaining, wanted }: BoxEntry): boolean {
  return remaining !== null && wanted >= remaining
}

function findEntry(box: BoxVersion, itemId: string): BoxEntry {
  const entry = box.entries.find(({ item }) => item.id === itemId)
  if (entry === undefined) throw new RewardsError('test_outcome_unknown')
  return entry
}

/** Whether the box is on and within its window. */
export function isOpen(box: BoxVersion, now: Date): boolean {
  return (
    box.isEnabled &&
    (box.activeFrom === null || box.activeFrom <= now) &&
    (box.activeUntil === null || now < box.activeUntil)
  )
}

function isEntitled(box: BoxVersion, entitlement: Entitlement): boolean {
  switch (box.access) {
    case 'granted':
      return entitlement.grantId !== null
    case 'limited':
      return box.limit !== null && entitlement.openedInPeriod < box.limit.count
    default:
      return box.access satisfies never
  }
}

/**
 * Without a fallback a box closes as soon as one entry is used up: going on with the others would change the published
 * odds, and refusing only those who draw the empty one would let them try again.
 */
export function isSoldOut(box: BoxVersion): boolean {
  return box.fallback === null && box.entries.some((entry) => entry.remaining === 0)
}
