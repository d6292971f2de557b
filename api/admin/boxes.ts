import Joi from 'joi'
import { createBatcher } from '../../core/batch/batcher.ts'
import type { BoxDefinition } from '../../core/box/box-definition.ts'
import type { ReportedBox } from '../../core/box/box-report.ts'
import { findBoxWarnings, findStockWarnings } from '../../core/box/box-warnings.ts'
import { boxKeyOf } from '../../core/box/box-name.ts'
import type { BoxName } from '../../core/box/box-name.ts'
import { listBoxesWithItem } from '../../core/box/boxes-with-item.ts'
import { mirrorBox, mirrorSwitch } from '../../core/box/mirror-boxes.ts'
import { publishBox } from '../../core/box/publish-box.ts'
import type { Publication, PublishResult } from '../../core/box/publish-box.ts'
import { switchBox } from '../../core/box/switch-box.ts'
import { getBox, listBoxes } from '../../core/box/read-boxes.ts'
import type { BoxDetails } from '../../core/box/read-boxes.ts'
import type { ApiDeps } from '../deps.ts'
import { box as boxShape, boxSummary, publishedBox } from './box-shapes.ts'
import { parsePublication, textTooLongError, unknownItemsError, unknownTimeZoneError } from './box-input.ts'
import type { CasinoEndpoint } from './casino-endpoint.ts'
import { listParameters, parseListQuery, renderList } from './list-query.ts'
import { expectedRevision, int32Max, pathId, refuseLookAlike, wholeNumber } from '../inputs.ts'
import { idInQuery, parseInput } from '../parse-input.ts'
import { requestOf } from '../../core/shape/request-shape.ts'
import { success } from './render.ts'

type Deps = Pick<ApiDeps, 'database' | 'clock'>

/**
 * `PUT …/boxes/{box_id}` publishes a new version, unless the current one is the same; versions before it stay as they
 * are. Then the version is copied to the casino's sandbox; if that fails, repeating the request completes it. The
 * casino's seeds come first, so that their commitments can be read before the first opening.
 *
 * In this process one publication of a box waits for the other: a version is stored only on top of the one it was
 * decided on, and many at the same time would take turns in losing.
 */
export function createPutBox({
  database,
  clock,
  loadActiveSeeds,
  reserveQuota,
}: Deps & Pick<ApiDeps, 'loadActiveSeeds' | 'reserveQuota'>): CasinoEndpoint {
  const inTurn = createBatcher<{ box: BoxName; publication: Publication }, PublishResult>({
    process: async (inputs) =>
      Promise.all(
        inputs.map(async ({ box, publication }) => ({
          value: await publishBox({ database, reserveQuota }, clock.now(), box, publication),
        })),
      ),
    exclusiveKeyOf: ({ box }) => boxKeyOf(box),
    batchSizeMax: 1, // so that one that fails does not fail another
    inFlightMax: publicationsAtOnceMax,
    worthwhileSize: 1,
  })
  return async (request) => {
    const box = { casinoId: request.casinoId, boxId: pathId(request, 'box_id') }
    const publication = parsePublication(request.body)
    const where = { casinoId: box.casinoId, id: box.boxId }
    await refuseLookAlike('box_id', box.boxId, async () => (await database.box.count({ where })) > 0)
    const { definition } = publication
    await loadActiveSeeds([request.casinoId])
    const result = await inTurn.run({ box, publication })
    if ('unknownItemIds' in result) throw unknownItemsError(definition, result.unknownItemIds)
    if ('unknownTimeZone' in result) throw unknownTimeZoneError()
    if ('textBytes' in result) throw textTooLongError()
    await mirrorBox(database, clock.now(), box, result.isUnchanged ? 'different' : 'always')
    const published = await getBox(database, box, result.version)
    const now = clock.now()
    return {
      body: success(
        publishedBox.render({
          ...published,
          isUnchanged: result.isUnchanged,
          stocks: result.stocks,
          warnings: [
            ...findBoxWarnings(asItStands(definition, published), now),
            ...findStockWarnings(result.stocks),
          ],
        }),
      ),
    }
  }
}

/** Each takes a few dozen milliseconds; no box of a casino waits for another's. */
const publicationsAtOnceMax = 8

/** The remaining stock in place of the published one: an entry may have begun with less than its stock. */
function asItStands(definition: BoxDefinition, { entries }: BoxDetails): ReportedBox {
  return {
    ...definition,
    entries: definition.entries.map((entry, index) => ({
      ...entry,
      stock: entries[index]?.remaining ?? null,
    })),
  }
}

export const boxQuery = requestOf({
  version: Joi.number().integer().min(1).max(int32Max).description('The version.').example(3),
})

/** `GET …/boxes/{box_id}`: the current version, or an earlier one, with its remaining stock. */
export function createGetBox({ database }: Deps): CasinoEndpoint {
  return async (request) => {
    const box = { casinoId: request.casinoId, boxId: pathId(request, 'box_id') }
    const { version } = parseInput(boxQuery, { kind: 'object', value: request.query })
    return { body: success(boxShape.render(await getBox(database, box, version))) }
  }
}

export const switchBoxInput = requestOf({
  expected_revision: expectedRevision,
  expected_version: wholeNumber(1, int32Max).description('The version that may be current.').example(3),
})

/**
 * `POST …/boxes/{box_id}/enable` and `…/disable`: the switch is the box's, not a version's, so publishing leaves it
 * alone.
 */
export function createSwitchBox({ database }: Deps, isEnabled: boolean): CasinoEndpoint {
  return async (request) => {
    const box = { casinoId: request.casinoId, boxId: pathId(request, 'box_id') }
    const { expected_revision: revision, expected_version: version } = parseInput(
      switchBoxInput,
      request.body,
    )
    await switchBox(database, box, isEnabled, { revision, version })
    await mirrorSwitch(database, box)
    return { body: success(boxShape.render(await getBox(database, box))) }
  }
}

export const boxesQuery = requestOf({
  ...listParameters(),
  item_id: idInQuery.description(
    'Only the boxes whose current version has the item, as an entry or as the fallback.',
  ),
})

/** `GET …/boxes`: the current versions without their entries, but for those of an item that is asked for. */
export function createListBoxes({ database }: Deps): CasinoEndpoint {
  return async ({ casinoId, query }) => {
    const { page, input } = parseListQuery(boxesQuery, query)
    const { item_id: itemId } = input
    if (itemId === undefined)
      return { body: renderList(await listBoxes(database, casinoId, page), boxSummary.render, page) }
    const boxes = await listBoxesWithItem(database, { casinoId, itemId }, page)
    return { body: renderList(boxes, boxSummary.render, page) }
  }
}
