import type { BoxAccess, OpeningLimit } from './box.ts'

/** The next version of a box, as a casino publishes it. */
export interface BoxDefinition {
  name: string
  description: string | null
  imageUrl: string | null
  access: BoxAccess
  /** Set if, and only if, access is `limited`. */
  limit: OpeningLimit | null
  activeFrom: Date | null
  activeUntil: Date | null
  entries: readonly EntryDefinition[]
  /** The item won instead if the drawn entry is out of stock. */
  fallbackItemId: string | null
}

export interface EntryDefinition {
  itemId: string
  /** The entry's share of the sum of all weights is its probability. */
  weight: number
  /** How often it can be won before a restock; null for unlimited. */
  stock: number | null
}

/** The items that a box can give, without duplicates. */
export function namedItems(box: {
  entries: readonly { itemId: string }[]
  fallbackItemId: string | null
}): string[] {
  const ids = box.entries.map(({ itemId }) => itemId)
  return [...new Set(box.fallbackItemId === null ? ids : [...ids, box.fallbackItemId])]
}

/** The effect of a new version on a stock. */
export interface PublishedStock {
  /** The entry's position, from 1; null if only the previous version has it. */
  position: number | null
  itemId: string
  /** As published; null without an entry. */
  stock: number | null
  /** The rest of the previous version's stock; null if it had no such stock. */
  leftBefore: number | null
  /** The rest now. */
  remaining: number
  /** True if it continues with the rest, false if it starts with its full stock. */
  isCarried: boolean
  /** True if an earlier version than the previous one had a stock of this item, whose wins no longer count. */
  isAgain: boolean
}

/** Whether two definitions are equal. Time zones must be spelled alike. */
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

/** Problems of a definition, apart from single values out of bounds. */
export type BoxProblem =
  'weights_too_large' | 'window_empty' | 'limit_missing' | 'limit_unexpected' | 'fallback_limited'

/** Every weight and their sum must be exact in JSON. */
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
  // The fallback must not run out; its uses are not counted.
  if (box.entries.some(({ itemId, stock }) => itemId === box.fallbackItemId && stock !== null)) {
    problems.push('fallback_limited')
  }
  return problems
}
