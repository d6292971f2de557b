import { checkGrants } from './check-grants.ts'
import type { CheckedFile } from './check-grants.ts'
import { listBoxes } from './list-boxes.ts'

/** Several times a hundred thousand lines. */
const bytesMax = 50_000_000
/** More than the service's configuration lets a casino have. */
const boxesMax = 10_000

/** Reads a file and checks its lines, with the boxes that the casino has now. Throws an `Error` for people. */
export async function readGrantFile(casinoId: string, file: File): Promise<CheckedFile> {
  if (file.size > bytesMax) throw new Error('The file is larger than 50 MB: divide it.')
  const text = decode(await file.arrayBuffer())
  const { boxes, isPartial } = await listBoxes(casinoId, boxesMax)
  const byId = new Map(boxes.map((box) => [box.box_id, box]))
  return checkGrants(text, { boxes: byId, isPartial, nowMs: Date.now() })
}

function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Error('The file is not in UTF-8: save it as “CSV UTF-8”.')
  }
}
