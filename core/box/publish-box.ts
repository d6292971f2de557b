import { loadDecideStore } from '../batch/load-decide-store.ts'
import type { Change } from '../batch/load-decide-store.ts'
import { RewardsError } from '../errors.ts'
import type { Database } from '../platform/database.ts'
import type { Growth, ReserveQuota } from '../platform/reserve-quota.ts'
import { singleRow } from '../platform/single-row.ts'
import { instant, sql } from '../platform/sql.ts'
import { findItems } from '../item/find-items.ts'
import { isSameBox, namedItems } from './box-definition.ts'
import type { BoxDefinition, PublishedStock } from './box-definition.ts'
import { boxTextBytesMax, sumOfTexts } from './box-text.ts'
import type { BoxName } from './box-name.ts'
import { decidePredecessors } from './decide-predecessors.ts'
import { getBox } from './read-boxes.ts'
import type { BoxDetails } from './read-boxes.ts'
import { storeVersion } from './store-version.ts'
import type { VersionWrite } from './store-version.ts'

/** A box's new current version, as a casino requests it. */
export interface Publication {
  definition: BoxDefinition
  /** Positions of the entries that start with their full stock, not with the rest. */
  restocked: ReadonlySet<number>
  /** The version that may be replaced, 0 for a new box; null for any. */
  expectedVersion: number | null
}

/** The version with this definition, or the ids in it that do not exist, or that its items have too much text. */
export type PublishResult =
  Published | { unknownItemIds: ReadonlySet<string> } | { unknownTimeZone: string } | { textBytes: number }

export interface Published {
  version: number
  /** True if the current version has the same definition: nothing was published. */
  isUnchanged: boolean
  /** The limited entries of this version, then those that only the previous version had; empty if unchanged. */
  stocks: readonly PublishedStock[]
}

/**
 * Publishes a box's next version, unless the current one is the same. An entry takes over the rest of its item's stock
 * from the previous version (see `storeVersion`), so a repeated request gives nothing out twice. Simultaneous callers
 * get one version each, in turn: a version is stored only on top of the loaded one. `definition` has no problems.
 * Throws `box_version_conflict` or `quota_exceeded`.
 */
export async function publishBox(
  { database, reserveQuota }: { database: Database; reserveQuota: ReserveQuota },
  now: Date,
  name: BoxName,
  publication: Publication,
): Promise<PublishResult> {
  const { definition } = publication
  // Items are never deleted, so an item that exists now still exists when the version is stored.
  const named = namedItems(definition)
  const items = await findItems(database, name.casinoId, named)
  if (items.size < named.length) return { unknownItemIds: new Set(named.filter((id) => !items.has(id))) }
  const textBytes = sumOfTexts(definition, items)
  if (textBytes > boxTextBytesMax) return { textBytes }
  const limit = await spellTimeZone(database, definition)
  if (limit === undefined) return { unknownTimeZone: definition.limit?.timeZone ?? '' }

  const wanted: Publication = { ...publication, definition: { ...definition, limit } }
  const change: Change<Publication, BoxDetails | undefined, VersionWrite, Published> = {
    load: () => findCurrent(database, name),
    decide: (request, current) => decide(name, request, current),
    store: async ([write]) => {
      if (write === undefined) return new Map()
      const run = await reserveQuota(name.casinoId, growthsOf(write, now))
      const published = await storeVersion(database, now, write, run)
      if (published === undefined) return new Map()
      return new Map([[write, { ...published, isUnchanged: false }]])
    },
  }
  const result = singleRow(await loadDecideStore(change, [wanted]))
  if ('error' in result) throw result.error
  return result.value
}

function decide(
  name: BoxName,
  { definition, restocked, expectedVersion }: Publication,
  current: BoxDetails | undefined,
): { answer: Published } | { write: VersionWrite } {
  const version = current?.version ?? 0
  const before = current && toDefinition(current)
  if (expectedVersion !== null && expectedVersion !== version) throw versionConflict(expectedVersion, version)
  if (before !== undefined && restocked.size === 0 && isSameBox(definition, before)) {
    return { answer: { version, isUnchanged: true, stocks: [] } }
  }
  const entriesBefore = before?.entries ?? []
  return {
    write: {
      name,
      definition,
      restocked,
      predecessors: decidePredecessors(definition.entries, entriesBefore),
      replacedVersion: version,
      entriesBefore: entriesBefore.length,
    },
  }
}

const dayMs = 86_400_000

/**
 * The growth of the casino's counted objects. Quotas refuse growth only: a casino above its quota can still replace a
 * box with one of the same size or smaller, within its daily quota of entries.
 */
function growthsOf(
  { name: { casinoId, boxId }, definition, replacedVersion, entriesBefore }: VersionWrite,
  now: Date,
): Growth[] {
  const boxes: Growth = {
    quota: 'boxes',
    added: 1,
    used: sql`SELECT count(*) FROM box WHERE casino_id = ${casinoId}::text AND id <> ${boxId}::text`,
  }
  const entries: Growth = {
    quota: 'entries',
    added: definition.entries.length,
    used: sql`
      SELECT count(*)
        FROM box
        JOIN box_entry AS entry ON entry.casino_id = box.casino_id AND entry.box_id = box.id
                               AND entry.version = box.current_version
       WHERE box.casino_id = ${casinoId}::text AND box.id <> ${boxId}::text`,
  }
  const published: Growth = {
    quota: 'entries_per_day',
    added: definition.entries.length,
    used: sql`
      SELECT count(*)
        FROM box_version
        JOIN box_entry AS entry ON entry.casino_id = box_version.casino_id AND entry.box_id = box_version.box_id
                               AND entry.version = box_version.version
       WHERE box_version.casino_id = ${casinoId}::text
         AND box_version.created_at > ${instant(new Date(now.getTime() - dayMs))}`,
  }
  return [
    published,
    ...(replacedVersion === 0 ? [boxes] : []),
    ...(definition.entries.length > entriesBefore ? [entries] : []),
  ]
}

function versionConflict(expected: number, current: number): RewardsError {
  const found = current === 0 ? 'the box does not exist' : `the box is at version ${current}`
  return new RewardsError(
    'box_version_conflict',
    `Nothing was published: expected_version is ${expected}, but ${found}. Read the box again`,
    { currentVersion: current },
  )
}

async function findCurrent(database: Database, name: BoxName): Promise<BoxDetails | undefined> {
  try {
    return await getBox(database, name)
  } catch (error) {
    if (error instanceof RewardsError && error.code === 'box_unknown') return undefined
    throw error
  }
}

/** The definition of this version. */
function toDefinition(box: BoxDetails): BoxDefinition {
  return {
    name: box.name,
    description: box.description,
    imageUrl: box.imageUrl,
    access: box.access,
    limit: box.limit,
    activeFrom: box.activeFrom,
    activeUntil: box.activeUntil,
    entries: box.entries.map(({ itemId, weight, stock }) => ({ itemId, weight: Number(weight), stock })),
    fallbackItemId: box.fallbackItemId,
  }
}

/** The limit with its time zone as PostgreSQL spells it; undefined if it does not exist. */
async function spellTimeZone(
  database: Database,
  { limit }: BoxDefinition,
): Promise<BoxDefinition['limit'] | undefined> {
  if (limit === null) return null
  const timeZone = await findTimeZone(database, limit.timeZone)
  return timeZone === null ? undefined : { ...limit, timeZone }
}

/**
 * The time zone's name as PostgreSQL spells it; it accepts names in any case. Null for an unknown one, with which every
 * opening of the box would fail.
 */
export async function findTimeZone(database: Database, name: string): Promise<string | null> {
  if (name === 'UTC') return name
  const [zone] = await database.$queryRaw<{ name: string }[]>`
    SELECT name FROM pg_timezone_names WHERE lower(name) = lower(${name}::text) LIMIT 1`
  return zone?.name ?? null
}
