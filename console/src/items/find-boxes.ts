import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'

/** A casino may use about as many slots of the management API at the same time. */
const lanes = 2

/** The boxes that have the item in their current version, among the casino's first ones. */
export async function findBoxesWith(
  casinoId: string,
  itemId: string,
  boxesMax: number,
  signal: AbortSignal,
): Promise<{ boxes: readonly Schemas['Box'][]; isPartial: boolean }> {
  const { boxes: summaries, isPartial } = await listBoxes(casinoId, boxesMax, signal)
  const found: Schemas['Box'][] = []
  const waiting = [...summaries]
  const walk = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const path = { casino_id: casinoId, box_id: next.box_id }
      const params = { path }
      const box = await answered(api.GET('/admin/casinos/{casino_id}/boxes/{box_id}', { params, signal }))
      found.push(box.data)
    }
  }
  await Promise.all(Array.from({ length: lanes }, walk))
  const having = found.filter(
    ({ entries, fallback_item_id: fallback }) =>
      fallback === itemId || entries.some(({ item_id: id }) => id === itemId),
  )
  return { boxes: having.sort((a, b) => (a.box_id < b.box_id ? -1 : 1)), isPartial }
}

/** The casino's boxes without their entries, at most so many. */
export async function listBoxes(
  casinoId: string,
  boxesMax: number,
  signal?: AbortSignal,
): Promise<{ boxes: readonly Schemas['BoxSummary'][]; isPartial: boolean }> {
  const boxes: Schemas['BoxSummary'][] = []
  let cursor: string | undefined
  do {
    const query = {
      limit: Math.min(200, boxesMax - boxes.length),
      ...(cursor === undefined ? {} : { cursor }),
    }
    const params = { path: { casino_id: casinoId }, query }
    const page = await answered(
      api.GET('/admin/casinos/{casino_id}/boxes', { params, ...(signal === undefined ? {} : { signal }) }),
    )
    boxes.push(...page.data)
    cursor = page.next_cursor
  } while (cursor !== undefined && boxes.length < boxesMax)
  return { boxes, isPartial: cursor !== undefined }
}
