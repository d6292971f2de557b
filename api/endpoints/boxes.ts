import Joi from 'joi'
import type { Page } from '../../core/page.ts'
import { getOpenBox, listOpenBoxes } from '../../core/box/read-catalogue.ts'
import type { CatalogueBox } from '../../core/box/read-catalogue.ts'
import { readOpeningsLeft } from '../../core/box/read-openings-left.ts'
import { pathId } from '../inputs.ts'
import { pageParameters, parsePageQuery, renderPage } from '../paging.ts'
import type { PageQuery } from '../paging.ts'
import type { ApiDeps } from '../deps.ts'
import type { PlayEndpoint } from '../endpoint.ts'
import { callerId, parseInput } from '../parse-input.ts'
import { conditionalReply } from './conditional-reply.ts'
import { renderBox } from './render-box.ts'

type Deps = Pick<ApiDeps, 'database' | 'clock'>

interface PlayerQuery {
  player_id?: string
}

const playerParameters = { player_id: callerId }
export const boxInput = Joi.object<PlayerQuery>(playerParameters)
export const listInput = Joi.object<PageQuery & PlayerQuery>({ ...pageParameters, ...playerParameters })

/** `GET /boxes`: the boxes that are open now, with their odds; for a player also what the player may open. */
export function createListOpenBoxes(deps: Deps): PlayEndpoint {
  return async ({ caller, query, ifNoneMatch }) => {
    const { page, input } = parsePageQuery(listInput, query)
    const now = deps.clock.now()
    const boxes = await listOpenBoxes(deps.database, caller.casinoId, now, page)
    const render = await createRender(deps, caller.casinoId, input.player_id, boxes.rows, now)
    return conditionalReply(renderPage(boxes, render), ifNoneMatch)
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
    const render = await createRender(deps, casinoId, input.player_id, [box], now)
    return conditionalReply({ status: 'success', data: render(box) }, request.ifNoneMatch)
  }
}

async function createRender(
  { database }: Deps,
  casinoId: string,
  playerId: string | undefined,
  boxes: Page<CatalogueBox>['rows'],
  now: Date,
): Promise<(box: CatalogueBox) => object> {
  if (playerId === undefined || boxes.length === 0) return (box) => renderBox(box)
  const left = await readOpeningsLeft(database, { casinoId, playerId }, boxes, now)
  const leftOf = new Map(boxes.map((box, index) => [box, left[index]]))
  return (box) => renderBox(box, leftOf.get(box))
}
