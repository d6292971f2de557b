import type { BoxDefinition } from './box-definition.ts'

/**
 * The limit on the texts of a box's items, each counted as often as it is in the box. A catalogue page has at least one
 * whole box, and reading and writing it blocks the process. A thousand entries may have half a kilobyte each.
 */
export const boxTextBytesMax = 512 * 1024

/** Their total size; `items` has all of them. */
export function sumOfTexts(
  { entries, fallbackItemId }: BoxDefinition,
  items: ReadonlyMap<string, { textBytes: number }>,
): number {
  const bytesOf = (itemId: string) => items.get(itemId)?.textBytes ?? 0
  const fallbackBytes = fallbackItemId === null ? 0 : bytesOf(fallbackItemId)
  return entries.reduce((sum, { itemId }) => sum + bytesOf(itemId), fallbackBytes)
}
