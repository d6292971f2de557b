import { setImmediate } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { CatalogueBox } from '../../core/box/read-catalogue.ts'
import { readContents } from '../../core/box/read-contents.ts'
import type { Database } from '../../core/platform/database.ts'
import { renderBox } from './render-box.ts'
import type { RenderedBox } from './render-box.ts'

/** Renders boxes of one casino. */
export type RenderBoxes = <Box extends CatalogueBox>(boxes: readonly Box[]) => Promise<(Box & RenderedBox)[]>

/** About fifty boxes of a thousand entries with all the text that they may have, or very many of a few. */
const cacheBytesMax = 64 * 1024 * 1024
/** Rendering so many keeps everybody waiting for some milliseconds. */
const entriesAtOnce = 500

/**
 * Keeps the boxes that were shown lately as they were rendered, each under the version and the hash of its items: reading
 * and rendering a thousand entries takes the database and this process tens of milliseconds, in which players wait.
 */
export function createRenderBoxes(database: Database, bytesMax = cacheBytesMax): RenderBoxes {
  const cache = new LRUCache<string, RenderedBox>({
    maxSize: bytesMax,
    sizeCalculation: ({ bytes }) => bytes,
  })

  /** By box. An item may have changed since the box was looked up: then the data read now are newer. */
  const renderMissing = async (missing: readonly CatalogueBox[]) => {
    const rendered = new Map<string, RenderedBox>()
    const casinoId = missing[0]?.casinoId
    if (casinoId === undefined) return rendered
    let entries = 0
    for (const contents of await readContents(database, casinoId, missing)) {
      const box = renderBox(contents)
      cache.set(keyOf(contents), box)
      rendered.set(contents.boxId, box)
      entries += contents.entries.length
      if (entries < entriesAtOnce) continue
      entries = 0
      await setImmediate()
    }
    return rendered
  }

  return async (boxes) => {
    const known = boxes.map((box) => cache.get(keyOf(box)))
    const rendered = await renderMissing(boxes.filter((_, index) => known[index] === undefined))
    return boxes.map((box, index) => {
      const found = known[index] ?? rendered.get(box.boxId)
      if (found === undefined) throw new Error(`version ${box.version} of a box is gone`)
      return { ...box, ...found }
    })
  }
}

type Key = Pick<CatalogueBox, 'casinoId' | 'boxId' | 'version' | 'itemsHash'>

function keyOf({ casinoId, boxId, version, itemsHash }: Key): string {
  return JSON.stringify([casinoId, boxId, version, itemsHash])
}
