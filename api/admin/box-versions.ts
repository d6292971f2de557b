import { reportBox, toReportedBox } from '../../core/box/box-report.ts'
import type { ExpectedCost } from '../../core/box/box-report.ts'
import { namedItems } from '../../core/box/box-definition.ts'
import { testFit } from '../../core/box/goodness-of-fit.ts'
import { oddsOf } from '../../core/box/odds.ts'
import type { Odds } from '../../core/box/odds.ts'
import { getBox, listVersions } from '../../core/box/read-boxes.ts'
import type { BoxSummary, EntryDetails } from '../../core/box/read-boxes.ts'
import { costOfWon, readDrawnCounts } from '../../core/box/read-statistics.ts'
import type { DrawnCounts } from '../../core/box/read-statistics.ts'
import { wilsonInterval } from '../../core/box/wilson-interval.ts'
import { findItems } from '../../core/item/find-items.ts'
import { boolean, count, hash, id, list, nullable, number, string } from '../../core/shape/json-schema.ts'
import { requestOf } from '../../core/shape/request-shape.ts'
import { field, shapeOf } from '../../core/shape/shape.ts'
import type { ApiDeps } from '../deps.ts'
import { int32Max, pathId } from '../inputs.ts'
import { cursorOf, decodeCursor, pageParameters, renderPage } from '../paging.ts'
import { parseInput } from '../parse-input.ts'
import { odds } from '../shapes/box-terms.ts'
import { expectedCost } from './box-report.ts'
import { boxEntry, boxTerms } from './box-shapes.ts'
import { boxQuery } from './boxes.ts'
import type { CasinoEndpoint } from './casino-endpoint.ts'
import { success } from './render.ts'

type Deps = Pick<ApiDeps, 'database'>

export const versionsInput = requestOf({ ...pageParameters, cursor: cursorOf(decodeVersion) })

/** Undefined for a cursor that this service did not make. */
function decodeVersion(text: string): number | undefined {
  const version = Number(decodeCursor(text))
  return Number.isInteger(version) && version >= 1 && version <= int32Max ? version : undefined
}

const { version, ...termsOfVersion } = boxTerms.fields

/** A version is known by its number, within its box. */
export const boxVersion = shapeOf<BoxSummary>()('BoxVersion', { version, ...termsOfVersion })

/** `GET …/boxes/{box_id}/versions`: all versions without their entries, the newest first. */
export function createListVersions({ database }: Deps): CasinoEndpoint {
  return async (request) => {
    const box = { casinoId: request.casinoId, boxId: pathId(request, 'box_id') }
    const { limit, cursor } = parseInput(versionsInput, { kind: 'object', value: request.query })
    return {
      body: renderPage(await listVersions(database, box, { limit, before: cursor }), boxVersion.render),
    }
  }
}

interface EntryStatistics extends EntryDetails {
  position: number
  name: string | null
  odds: Odds
  observed: number
  openings: number
}

const interval = shapeOf<{ low: number; high: number }>()('Interval', {
  low: field(number, ({ low }) => low, { description: 'The lower end, from 0 to 1.', example: 0.0712 }),
  high: field(number, ({ high }) => high, { description: 'The upper end, from 0 to 1.', example: 0.1385 }),
})

const rounded = (value: number) => Number(value.toPrecision(6))

const entryStatistics = shapeOf<EntryStatistics>()('EntryStatistics', {
  entry: field(count, ({ position }) => position),
  item_id: field(id, ({ itemId }) => itemId),
  name: field(nullable(string), ({ name }) => name, { description: 'The item’s name.', example: 'Mug' }),
  weight: boxEntry.fields.weight,
  odds: field(odds.type, (entry) => odds.render(entry.odds), {
    description: 'The published probability.',
    example: { numerator: 1, denominator: 10, percentage: 10 },
  }),
  observed: field(count, ({ observed }) => observed, {
    description: 'The number of draws.',
    example: 31,
  }),
  share: field(
    nullable(number),
    ({ observed, openings }) => (openings === 0 ? null : rounded(observed / openings)),
    { description: 'Its part of the openings, from 0 to 1; null without openings.', example: 0.1 },
  ),
  interval: field(
    nullable(interval.type),
    ({ observed, openings }) => {
      const found = wilsonInterval(observed, openings)
      return found && interval.render({ low: rounded(found.low), high: rounded(found.high) })
    },
    {
      description:
        'Where the true probability lies in 95 of 100 cases (Wilson’s interval); null without openings.',
    },
  ),
  stock: field(boxEntry.fields.stock.type, ({ stock }) => stock),
  remaining: boxEntry.fields.remaining,
})

interface BoxStatistics {
  boxId: string
  version: number
  oddsHash: string
  counts: DrawnCounts
  entries: readonly EntryStatistics[]
  expectedCosts: readonly ExpectedCost[]
  observedCosts: readonly ExpectedCost[]
}

export const boxStatistics = shapeOf<BoxStatistics>()('BoxStatistics', {
  box_id: field(id, ({ boxId }) => boxId),
  version: field(count, ({ version }) => version, { description: 'The version.', example: 3 }),
  odds_hash: field(hash, ({ oddsHash }) => oddsHash),
  openings: field(count, ({ counts }) => counts.openings, {
    description: 'The number of openings of the version that are counted here.',
    example: 310,
  }),
  is_partial: field(boolean, ({ counts }) => counts.isPartial, {
    description: 'Whether the casino has older openings: only its newest 20,000 are looked at.',
    example: false,
  }),
  substituted: field(count, ({ counts }) => counts.substituted, {
    description: 'The number of openings that gave the fallback for an entry that was out of stock.',
    example: 0,
  }),
  p_value: field(
    nullable(number),
    ({ entries }) => {
      const fit = testFit(
        entries.map(({ observed }) => observed),
        entries.map(({ weight }) => weight),
      )
      return fit === null ? null : rounded(fit.pValue)
    },
    {
      description:
        'How probable it is that fair draws differ from the odds by as much (chi-square test); null with too few.',
      example: 0.66,
    },
  ),
  entries: field(list(entryStatistics.type), ({ entries }) => entries.map(entryStatistics.render), {
    description: 'The published odds beside what was drawn.',
  }),
  expected_cost_per_opening: field(
    list(expectedCost.type),
    ({ expectedCosts }) => expectedCosts.map(expectedCost.render),
    { description: 'The expected cashback of an opening from now on, by currency.' },
  ),
  observed_cost_per_opening: field(
    list(expectedCost.type),
    ({ observedCosts }) => observedCosts.map(expectedCost.render),
    { description: 'The cashback of what was won per opening, at today’s worth of the items, by currency.' },
  ),
})

/** `GET …/boxes/{box_id}/statistics`: the published odds of a version beside the results of its openings. */
export function createGetBoxStatistics({ database }: Deps): CasinoEndpoint {
  return async (request) => {
    const name = { casinoId: request.casinoId, boxId: pathId(request, 'box_id') }
    const { version } = parseInput(boxQuery, { kind: 'object', value: request.query })
    const box = await getBox(database, name, version)
    const counts = await readDrawnCounts(database, name, box.version)
    const reported = toReportedBox(box)
    const items = await findItems(database, name.casinoId, [
      ...new Set([...namedItems(reported), ...counts.won.keys()]),
    ])
    const cashbackOf = (itemId: string) => items.get(itemId)?.cashback
    const oddsOfEntries = oddsOf(box.entries.map(({ weight }) => weight))
    const entries = box.entries.flatMap((entry, index) => {
      const published = oddsOfEntries[index]
      if (published === undefined) return []
      const position = index + 1
      const observed = counts.drawn.get(position) ?? 0
      const { openings } = counts
      return [
        {
          ...entry,
          position,
          name: items.get(entry.itemId)?.name ?? null,
          odds: published,
          observed,
          openings,
        },
      ]
    })
    const { costPerOpening: expectedCosts } = reportBox(reported, cashbackOf)
    const observedCosts = counts.openings === 0 ? [] : costOfWon(counts, cashbackOf)
    const { boxId } = name
    const found = {
      boxId,
      version: box.version,
      oddsHash: box.oddsHash,
      counts,
      entries,
      expectedCosts,
      observedCosts,
    }
    return { body: success(boxStatistics.render(found)) }
  }
}
