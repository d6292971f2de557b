import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'

/** The casino's boxes without their entries, at most so many. */
export async function listBoxes(
  casinoId: string,
  boxesMax: number,
): Promise<{ boxes: readonly Schemas['BoxSummary'][]; isPartial: boolean }> {
  const boxes: Schemas['BoxSummary'][] = []
  let cursor: string | undefined
  do {
    const query = {
      limit: Math.min(200, boxesMax - boxes.length),
      ...(cursor === undefined ? {} : { cursor }),
    }
    const params = { path: { casino_id: casinoId }, query }
    const page = await answered(api.GET('/admin/casinos/{casino_id}/boxes', { params }))
    boxes.push(...page.data)
    cursor = page.next_cursor
  } while (cursor !== undefined && boxes.length < boxesMax)
  return { boxes, isPartial: cursor !== undefined }
}
