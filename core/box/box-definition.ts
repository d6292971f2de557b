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
  /** How often it can be won; null when there is no limit. */
  stock: number | null
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
