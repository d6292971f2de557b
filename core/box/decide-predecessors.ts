import type { EntryDefinition } from './box-definition.ts'

/**
 * The earlier entries whose stocks the limited entries of a new version continue with: by the position of the new
 * entry, from 1, the position of the earlier one. Entries of one item are matched first by weight and stock, then by
 * weight, then by the size of their stocks, largest first, so that their order does not matter.
 */
export function decidePredecessors(
  entries: readonly EntryDefinition[],
  before: readonly EntryDefinition[],
): ReadonlyMap<number, number> {
  const predecessors = new Map<number, number>()
  const free = new Set(limitedOf(before))
  for (const likenessOf of likenesses) {
    const candidates = new Map<string, Limited[]>()
    for (const earlier of free) {
      const alike = candidates.get(likenessOf(earlier))
      if (alike === undefined) candidates.set(likenessOf(earlier), [earlier])
      else alike.push(earlier)
    }
    for (const entry of limitedOf(entries)) {
      if (predecessors.has(entry.position)) continue
      const earlier = candidates.get(likenessOf(entry))?.shift()
      if (earlier === undefined) continue
      predecessors.set(entry.position, earlier.position)
      free.delete(earlier)
    }
  }
  return predecessors
}

interface Limited extends EntryDefinition {
  stock: number
  position: number
}

/** From the closest to the loosest. */
const likenesses: readonly ((entry: Limited) => string)[] = [
  ({ itemId, weight, stock }) => JSON.stringify([itemId, weight, stock]),
  ({ itemId, weight }) => JSON.stringify([itemId, weight]),
  ({ itemId }) => itemId,
]

/** The largest stock first, equal ones by position. */
function limitedOf(entries: readonly EntryDefinition[]): Limited[] {
  return entries
    .flatMap(({ stock, ...entry }, index) =>
      stock === null ? [] : [{ ...entry, stock, position: index + 1 }],
    )
    .sort((one, other) => other.stock - one.stock || one.position - other.position)
}
