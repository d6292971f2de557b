import { createHash } from 'node:crypto'
import { oddsOf, oddsOfFallback } from '../../core/box/odds.ts'
import type { BoxContents } from '../../core/box/read-contents.ts'
import { boxHead, winnableItem } from './box-shapes.ts'

/** A version of a box as JSON, without the parts that can change between two reads. */
export interface RenderedBox {
  /** With the positions that are out of stock, and the player's remaining openings. */
  toJson: (soldOut: readonly number[], player: object | undefined) => string
  /** Of all data but the parameters of `toJson`. */
  hash: string
  /** About how much memory it takes. */
  bytes: number
}

/** The memory that an entry's strings and numbers take beside their characters. */
const bytesPerEntry = 200

/**
 * Renders a box of the catalogue. Entries stay apart, also those of one item: each has its own odds and its own stock,
 * and the odds hash covers them.
 */
export function renderBox(box: BoxContents): RenderedBox {
  const head = withoutEnd(boxHead.render(box))
  const odds = oddsOf(box.entries.map(({ weight }) => weight))
  const entries = box.entries.map(({ position, weight, item }, index) => ({
    position,
    weight,
    start: withoutEnd({ ...winnableItem.render(item), position }),
    odds: JSON.stringify(odds[index]),
  }))
  const fallback = box.fallback === null ? null : withoutEnd(winnableItem.render(box.fallback))
  const toJson: RenderedBox['toJson'] = (positions, player) => {
    const soldOut = new Set(positions)
    const ofPlayer = player === undefined ? '' : `,"player":${JSON.stringify(player)}`
    const prizes = entries.map(
      ({ position, start, odds }) => `${start},"available":${!soldOut.has(position)},"odds":${odds}}`,
    )
    const instead =
      fallback === null ? 'null' : `${fallback},"odds":${JSON.stringify(oddsOfFallback(entries, soldOut))}}`
    return `${head}${ofPlayer},"prizes":[${prizes.join(',')}],"fallback":${instead}}`
  }
  const whole = toJson([], undefined)
  return {
    toJson,
    hash: createHash('sha256').update(whole).digest('base64url'),
    bytes: 2 * whole.length + entries.length * bytesPerEntry,
  }
}

/** For fields that come after those of `value`. */
function withoutEnd(value: object): string {
  return JSON.stringify(value).slice(0, -1)
}
