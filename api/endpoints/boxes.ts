import { requestOf } from '../../core/shape/request-shape.ts'
import { getOpenBox, listOpenBoxes } from '../../core/box/read-catalogue.ts'
import type { CatalogueBox } from '../../core/box/read-catalogue.ts'
import { readOpeningsLeft } from '../../core/box/read-openings-left.ts'
import { pathId } from '../inputs.ts'
import { encodeCursor, pageParameters, parsePageQuery } from '../paging.ts'
import type { ApiDeps } from '../deps.ts'
import type { PlayEndpoint } from '../endpoint.ts'
import { idInQuery, parseInput } from '../parse-input.ts'
import { conditionalReply } from './conditional-reply.ts'
import { openingsLeft } from './box-shapes.ts'
import type { RenderBoxes } from './rendered-boxes.ts'

type Deps = Pick<ApiDeps, 'database' | 'clock'> & { renderBoxes: RenderBoxes }

const playerParameters = { player_id: idInQuery }
export const boxInput = requestOf(playerParameters)
export const listInput = requestOf({ ...pageParameters, ...playerParameters })

/** `GET /boxes`: the boxes that are open now, with their odds; for a player also the player's openings. */
export function createListOpenBoxes(deps: Deps): PlayEndpoint {
  return async ({ caller: { casinoId }, query, ifNoneMatch }) => {
    const { page, input } = parsePageQuery(listInput, query)
    const now = deps.clock.now()
    const { rows, nextAfterId } = await listOpenBoxes(deps.database, casinoId, now, page)
    const { state, toJson } = await show(deps, { casinoId, playerId: input.player_id }, rows, now)
    const cursor =
      nextAfterId === undefined ? '' : `,"next_cursor":${JSON.stringify(encodeCursor(nextAfterId))}`
    const toBody = () => `{"status":"success","data":[${toJson().join(',')}]${cursor}}`
    return conditionalReply({ state: [state, cursor], toBody }, ifNoneMatch)
  }
}

/** `GET /boxes/{box_id}`: one of them. */
export function createGetOpenBox(deps: Deps): PlayEndpoint {
  return async (request) => {
    const { casinoId } = request.caller
    const boxId = pathId(request, 'box_id')
    const input = parseInput(boxInput, { kind: 'object', value: request.query })
    const now = deps.clock.now()
    const box = await getOpenBox(deps.database, { casinoId, boxId }, now)
    const { state, toJson } = await show(deps, { casinoId, playerId: input.player_id }, [box], now)
    const toBody = () => `{"status":"success","data":${toJson().join()}}`
    return conditionalReply({ state, toBody }, request.ifNoneMatch)
  }
}

/** The boxes as JSON, and the state that it depends on. */
async function show(
  { database, renderBoxes }: Deps,
  { casinoId, playerId }: { casinoId: string; playerId: string | undefined },
  boxes: readonly CatalogueBox[],
  now: Date,
): Promise<{ state: unknown[]; toJson: () => string[] }> {
  const rendered = await renderBoxes(boxes)
  const left =
    playerId === undefined || boxes.length === 0
      ? []
      : await readOpeningsLeft(database, { casinoId, playerId }, boxes, now)
  const shown = rendered.map((each, index) => {
    const ofPlayer = left[index]
    return { ...each, player: ofPlayer && openingsLeft.render(ofPlayer) }
  })
  return {
    state: shown.map(({ hash, soldOut, player }) => [hash, soldOut, player]),
    toJson: () => shown.map(({ toJson, soldOut, player }) => toJson(soldOut, player)),
  }
}
