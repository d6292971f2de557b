import Joi from 'joi'
import { getCashback, listCashbacks } from '../../core/cashback/read-cashbacks.ts'
import type { CashbackRecord } from '../../core/cashback/read-cashbacks.ts'
import { cashbackTransitions } from '../../core/cashback/state.ts'
import type { CashbackState } from '../../core/cashback/state.ts'
import { readHistory } from '../../core/event/read-history.ts'
import { amountToJson } from '../../core/money.ts'
import type { ApiDeps } from '../deps.ts'
import { callerId } from '../parse-input.ts'
import type { CasinoEndpoint } from './casino-endpoint.ts'
import { renderHistoryEntry } from './history.ts'
import { pathId } from './inputs.ts'
import { pageParameters, parseListQuery, renderPage } from './paging.ts'
import type { PageQuery } from './paging.ts'
import { success } from './render.ts'

type Deps = Pick<ApiDeps, 'database'>

const cashbacksInput = Joi.object<PageQuery & { state?: CashbackState; player_id?: string }>({
  ...pageParameters,
  state: Joi.string().valid(...Object.keys(cashbackTransitions)),
  player_id: callerId,
})

/** `GET …/cashbacks`, oldest first. */
export function createListCashbacks({ database }: Deps): CasinoEndpoint {
  return async ({ casinoId, query }) => {
    const { page, input } = parseListQuery(cashbacksInput, query)
    const filter = { casinoId, playerId: input.player_id, state: input.state }
    return { body: renderPage(await listCashbacks(database, filter, page), renderCashback) }
  }
}

/** `GET …/cashbacks/{cashback_id}`, with its history. */
export function createGetCashback({ database }: Deps): CasinoEndpoint {
  return async (request) => {
    const id = pathId(request, 'cashback_id')
    const cashback = await getCashback(database, request.casinoId, id)
    const history = await readHistory(database, request.casinoId, [{ type: 'cashback', id }])
    return { body: success({ ...renderCashback(cashback), history: history.map(renderHistoryEntry) }) }
  }
}

export function renderCashback(cashback: CashbackRecord): object {
  return {
    cashback_id: cashback.id,
    prize_id: cashback.prizeId,
    player_id: cashback.playerId,
    amount_minor: amountToJson(cashback.amountMinor),
    currency: cashback.currency,
    state: cashback.state,
    created_at: cashback.createdAt,
    updated_at: cashback.updatedAt,
  }
}
