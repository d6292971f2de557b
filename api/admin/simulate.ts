import { setImmediate } from 'node:timers/promises'
import type { BoxName } from '../../core/box/box-name.ts'
import { reportBox, toReportedBox } from '../../core/box/box-report.ts'
import type { ReportedBox } from '../../core/box/box-report.ts'
import { boxTextBytesMax, sumOfTexts } from '../../core/box/box-text.ts'
import { findBoxWarnings } from '../../core/box/box-warnings.ts'
import { findTimeZone } from '../../core/box/publish-box.ts'
import { getBox } from '../../core/box/read-boxes.ts'
import { hashOddsTable } from '../../core/box/odds-table.ts'
import { createSimulation } from '../../core/box/simulate-draws.ts'
import { namedItems } from '../../core/box/box-definition.ts'
import { shareHolderOf } from '../../core/casino/sandbox.ts'
import { findItems } from '../../core/item/find-items.ts'
import type { PricedItem } from '../../core/item/find-items.ts'
import { createFairSlots } from '../../core/limit/fair-slots.ts'
import type { FairSlots } from '../../core/limit/fair-slots.ts'
import type { Database } from '../../core/platform/database.ts'
import { monotonicMs } from '../../core/platform/clock.ts'
import { randomBytes } from '../../core/platform/random.ts'
import type { ApiDeps } from '../deps.ts'
import { parseInput } from '../parse-input.ts'
import type { ReadBody } from '../parse-input.ts'
import {
  describesBox,
  parseBoxDefinition,
  textTooLongError,
  unknownItemsError,
  unknownTimeZoneError,
} from './box-input.ts'
import type { CasinoEndpoint } from './casino-endpoint.ts'
import { pathId, wholeNumber } from '../inputs.ts'
import { requestOf, withDefault } from '../../core/shape/request-shape.ts'
import { boxReport } from './box-report.ts'
import { success } from './render.ts'

const drawsMax = 100_000
const openingsPerDayMax = 1_000_000_000

export const simulationInput = requestOf({
  draws: withDefault(wholeNumber(0, drawsMax).empty(null), 10_000)
    .description('The number of draws.')
    .example(10_000),
  openings_per_day: wholeNumber(1, openingsPerDayMax)
    .empty(null)
    .description('The expected number of openings of the box.')
    .example(500),
})

/** The simulated box: a draft, or a published version with its remaining stock. */
interface Subject {
  box: ReportedBox
  version: number | null
  oddsHash: string
  items: ReadonlyMap<string, PricedItem>
}

/**
 * `POST …/boxes/{box_id}/simulate` reports a box's consequences for the casino, and draws from it: the draft in the
 * body, or without one the current version. Nothing is published or opened.
 */
export function createSimulateBox({ database, clock }: Pick<ApiDeps, 'database' | 'clock'>): CasinoEndpoint {
  const slots = createFairSlots(simulationSlots)
  return async (request) => {
    const name = { casinoId: request.casinoId, boxId: pathId(request, 'box_id') }
    const input = parseInput(simulationInput, request.body)
    const { box, version, oddsHash, items } = describesBox(request.body)
      ? await loadDraft(database, name, request.body)
      : await loadCurrent(database, name)
    const now = clock.now()
    const pace =
      input.openings_per_day === undefined ? undefined : { openingsPerDay: input.openings_per_day, now }
    const report = reportBox(box, (itemId) => items.get(itemId)?.cashback, pace)
    const seed = randomBytes(32)
    const counts = await request.aside(() =>
      drawInTurn(slots, request.casinoId, () => drawInSlices(box, seed, input.draws)),
    )
    return {
      body: success(
        boxReport.render({
          ...report,
          boxId: name.boxId,
          version,
          oddsHash,
          warnings: findBoxWarnings(box, now, report.runOuts),
          nameOf: (itemId) => items.get(itemId)?.name ?? null,
          simulated: input.draws === 0 ? null : { entries: box.entries, counts, seed },
        }),
      ),
    }
  }
}

async function loadDraft(database: Database, { casinoId }: BoxName, body: ReadBody): Promise<Subject> {
  const box = parseBoxDefinition(body)
  if (box.limit !== null && (await findTimeZone(database, box.limit.timeZone)) === null) {
    throw unknownTimeZoneError()
  }
  const named = namedItems(box)
  const items = await findItems(database, casinoId, named)
  const unknown = new Set(named.filter((itemId) => !items.has(itemId)))
  if (unknown.size > 0) throw unknownItemsError(box, unknown)
  if (sumOfTexts(box, items) > boxTextBytesMax) throw textTooLongError()
  return { box, version: null, oddsHash: hashOddsTable(box), items }
}

/** Throws `box_unknown`. */
async function loadCurrent(database: Database, name: BoxName): Promise<Subject> {
  const box = await getBox(database, name)
  return {
    box: toReportedBox(box),
    version: box.version,
    oddsHash: box.oddsHash,
    items: await findItems(database, name.casinoId, namedItems(box)),
  }
}

/** Throws `overloaded` when too many of the casino's, or of all, wait already. */
async function drawInTurn<Result>(
  slots: FairSlots,
  casinoId: string,
  draw: () => Promise<Result>,
): Promise<Result> {
  const place = slots.enter(shareHolderOf(casinoId))
  try {
    return await place.run(draw)
  } finally {
    place.leave()
  }
}

/** How long the process draws without looking at other requests. */
const sliceMs = 2
/** So many draws of the largest box are well below a slice. */
const drawsBetweenLooks = 32

async function drawInSlices(box: ReportedBox, seed: Uint8Array, draws: number): Promise<readonly number[]> {
  const simulation = createSimulation(
    box.entries.map(({ weight }) => ({ weight: BigInt(weight) })),
    seed,
  )
  while (simulation.drawn() < draws) {
    const sliceEndsAt = monotonicMs() + sliceMs
    do simulation.run(Math.min(drawsBetweenLooks, draws - simulation.drawn()))
    while (simulation.drawn() < draws && monotonicMs() < sliceEndsAt)
    await setImmediate()
  }
  return simulation.counts
}

/**
 * One after the other, so that players wait for one slice at most, however many simulations there are; casinos take
 * turns. Each takes less than a second, also of the largest box.
 */
const simulationSlots = { slots: 1, slotsPerGroup: 1, linePerGroup: 4, lineMax: 32, waitMs: 15_000 }
