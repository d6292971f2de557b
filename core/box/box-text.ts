import type { BoxDefinition } from './box-definition.ts'

/**
 * Of the texts of a box's items, each as often as it is in the box. Every page of the catalogue has at least one whole
 * box, and everybody waits while it is read and written. A thousand entries have half a kilobyte each.
 */
export const boxTextBytesMax = 512 * 1024

/** How much they are; `items` has all of them. */
export function sumOfTexts(
  { entries, fallbackItemId }: BoxDefinition,
  items: ReadonlyMap<string, { textBytes: number }>,
): number {
  const bytesOf = (itemId: string) => items.get(itemId)?.textBytes ?? 0
  const fallbackBytes = fallbackItemId === null ? 0 : bytesOf(fallbackItemId)
  return entries.reduce((sum, { itemId }) => sum + bytesOf(itemId), fallbackBytes)
}
