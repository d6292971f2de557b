import type { BoxAccess, OpeningLimit } from './box.ts'

/** What a casino publishes as a box's next version. */
export interface BoxDefinition {
  name: string
  description: string | null
  imageUrl: string | null
  access: BoxAccess
  /** Exactly when access is `limited`. */
  limit: OpeningLimit | null
  activeFrom: Date | null
  activeUntil: Date | null
  entries: readonly EntryDefinition[]
  /** What is won instead when the drawn entry is out of stock. */
  fallbackItemId: string | null
}

export interface EntryDefinition {
  itemId: string
  /** The entry's share of the sum of all weights is its probability. */
  weight: number
  /** How often it can be won since it was last given out; null when there is no limit. */
  stock: number | null
}

/** The items that a box can give, each once. */
export function namedItems(box: {
  entries: readonly { itemId: string }[]
  fallbackItemId: string | null
}): string[] {
  const ids = box.entries.map(({ itemId }) => itemId)
  return [...new Set(box.fallbackItemId === null ? ids : [...ids, box.fallbackItemId])]
}

/** What became of a stock when a version was published. */
export interface PublishedStock {
  /** The entry's place, from 1; null for one that only the version before has. */
  position: number | null
  itemId: string
  /** As published; null without an entry. */
  stock: number | null
  /** What could still be won of it before; null when the version before had no such stock. */
  leftBefore: number | null
  /** What can be won of it now. */
  remaining: number
  /** Whether it goes on with what was left, instead of beginning with its full stock. */
  isCarried: boolean
  /** Whether an earlier version than the one before had a stock of the item, of which nobody asks any more what was won. */
  isAgain: boolean
}

/** Whether two definitions say the same. Time zones must be spelled alike. */
export function isSameBox(one: BoxDefinition, other: BoxDefinition): boolean {
  return describe(one) === describe(other)
}

function describe({ limit, entries, ...box }: BoxDefinition): string {
  return JSON.stringify([
    box.name,
    box.description,
    box.imageUrl,
    box.access,
    box.activeFrom,
    box.activeUntil,
    limit?.count,
    limit?.period,
    limit?.timeZone,
    box.fallbackItemId,
    entries.map(({ itemId, weight, stock }) => [itemId, weight, stock]),
  ])
}

/** What is wrong with a definition, apart from single values being out of their bounds. */
export type BoxProblem =
  'weights_too_large' | 'window_empty' | 'limit_missing' | 'limit_unexpected' | 'fallback_limited'

/** So that every weight, and their sum, is a number that JSON carries exactly. */
const weightSumMax = Number.MAX_SAFE_INTEGER

export function findBoxProblems(box: BoxDefinition): BoxProblem[] {
  const problems: BoxProblem[] = []
  const weightSum = box.entries.reduce((sum, entry) => sum + BigInt(entry.weight), 0n)
  if (weightSum > weightSumMax) problems.push('weights_too_large')
  if (box.activeFrom !== null && box.activeUntil !== null && box.activeFrom >= box.activeUntil) {
    problems.push('window_empty')
  }
  if (box.access === 'limited' && box.limit === null) problems.push('limit_missing')
  if (box.access !== 'limited' && box.limit !== null) problems.push('limit_unexpected')
  // The fallback is what there is always enough of; nothing counts how often it is given.
  if (box.entries.some(({ itemId, stock }) => itemId === box.fallbackItemId && stock !== null)) {
    problems.push('fallback_limited')
  }
  return problems
}
