import { LRUCache } from 'lru-cache'
import type { Database } from '../platform/database.ts'
import type { BoxName } from './box-name.ts'
import { createDraw } from './draw.ts'
import type { RandomSource } from './draw.ts'
import { loadOddsTables, versionKeyOf } from './load-odds-tables.ts'
import { hashCanonical, parseOddsTable } from './odds-table.ts'

/** A version of a box, with its published hash. */
export interface VersionName extends BoxName {
  version: number
  oddsHash: string
}

/** The part of a published version that draws need, and that never changes. */
export interface PublishedOdds {
  draw(source: RandomSource): PublishedEntry
  /** The first entry with this item. */
  findEntry(itemId: string): PublishedEntry | undefined
  fallbackItemId: string | null
}

export interface PublishedEntry {
  position: number
  itemId: string
  stock: number | null
}

/**
 * The odds of versions. When read, they are compared with the published hash; a version that does not match is left
 * out.
 */
export interface KnownOdds {
  /** Loads missing ones with at most this many statements. */
  load(versions: readonly VersionName[], statementsMax: number): Promise<LoadedOdds>
}

export interface LoadedOdds {
  /** By `oddsKeyOf`. */
  odds: ReadonlyMap<string, PublishedOdds>
  /** Versions that would have needed more statements. */
  unread: ReadonlySet<string>
}

/** The key contains the hash, so odds are only found under the hash that they were checked against. */
export function oddsKeyOf({ casinoId, boxId, version, oddsHash }: VersionName): string {
  return JSON.stringify([casinoId, boxId, version, oddsHash])
}

/** Some hundred boxes of a thousand entries, or very many of a few. */
const cacheBytesMax = 64 * 1024 * 1024
/** An entry's object, its place in two arrays and its sum of weights; item ids come on top. */
const bytesPerEntry = 200
/** At most 16,000 entries: a few milliseconds for any boxes. */
const versionsAtOnce = 16

/**
 * Caches the odds of recently drawn versions: versions never change, and reading a thousand entries for each batch
 * would block all requests. Damaged ones are not cached, so that a repair is noticed.
 */
export function createKnownOdds(database: Database, bytesMax = cacheBytesMax): KnownOdds {
  const cache = new LRUCache<string, PublishedOdds & { bytes: number }>({
    maxSize: bytesMax,
    sizeCalculation: ({ bytes }) => bytes,
  })
  return {
    load: async (versions, statementsMax) => {
      const odds = new Map<string, PublishedOdds>()
      const missing = new Map<string, VersionName>()
      for (const version of versions) {
        const key = oddsKeyOf(version)
        const known = cache.get(key)
        if (known === undefined) missing.set(key, version)
        else odds.set(key, known)
      }
      const parts = inParts([...missing.values()])
      for (const part of parts.slice(0, statementsMax)) {
        for (const [key, read] of await readOdds(database, part)) {
          cache.set(key, read)
          odds.set(key, read)
        }
      }
      return { odds, unread: new Set(parts.slice(statementsMax).flat().map(oddsKeyOf)) }
    },
  }
}

/** Each part belongs to one casino and has few versions. */
function inParts(versions: readonly VersionName[]): VersionName[][] {
  const parts: VersionName[][] = []
  const open = new Map<string, VersionName[]>()
  for (const version of versions) {
    const part = open.get(version.casinoId)
    if (part !== undefined && part.length < versionsAtOnce) part.push(version)
    else {
      const next = [version]
      parts.push(next)
      open.set(version.casinoId, next)
    }
  }
  return parts
}

/** For one casino. */
async function readOdds(
  database: Database,
  versions: readonly VersionName[],
): Promise<Map<string, PublishedOdds & { bytes: number }>> {
  const casinoId = versions[0]?.casinoId ?? ''
  const tables = await loadOddsTables(database, casinoId, versions)
  return new Map(
    versions.flatMap((version) => {
      const table = tables.get(versionKeyOf(version))
      if (table === undefined || hashCanonical(table) !== version.oddsHash) return []
      return [[oddsKeyOf(version), toPublishedOdds(table)]]
    }),
  )
}

function toPublishedOdds(canonicalTable: string): PublishedOdds & { bytes: number } {
  const { entries: listed, fallbackItemId } = parseOddsTable(canonicalTable)
  const entries = listed.map(({ itemId, stock }, index) => ({ position: index + 1, itemId, stock }))
  const drawIndex = createDraw(listed.map(({ weight }) => BigInt(weight)))
  return {
    draw: (source) => {
      const entry = entries[drawIndex(source)]
      if (entry === undefined) throw new Error('the ticket is beyond the sum of weights')
      return entry
    },
    findEntry: (itemId) => entries.find((entry) => entry.itemId === itemId),
    fallbackItemId,
    bytes: entries.length * bytesPerEntry + 2 * canonicalTable.length,
  }
}
