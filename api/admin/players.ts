import { readBalances } from '../../core/ledger/read-balances.ts'
import { listPrizes } from '../../core/prize/read-prizes.ts'
import { prizeTransitions } from '../../core/prize/state.ts'
import type { PrizeState } from '../../core/prize/state.ts'
import { amountToJson } from '../../core/money.ts'
import type { Money } from '../../core/money.ts'
import type { ApiDeps } from '../deps.ts'
import type { CasinoEndpoint } from './casino-endpoint.ts'
import { listParameters, parseListQuery, renderList } from './list-query.ts'
import { pathId } from '../inputs.ts'
import { amount, currency, id, list } from '../../core/shape/json-schema.ts'
import { field, shapeOf } from '../../core/shape/shape.ts'
import { choice, requestOf } from '../../core/shape/request-shape.ts'
import { prize } from './prizes.ts'
import { success } from './render.ts'

type Deps = Pick<ApiDeps, 'database'>

/** What of a currency was credited and not reversed. */
export const balance = shapeOf<Money>()('Balance', {
  currency: field(currency, (money) => money.currency),
  amount_minor: field(amount, (money) => amountToJson(money.amountMinor)),
})

export const playerBalance = shapeOf<{ playerId: string; balances: readonly Money[] }>()('PlayerBalance', {
  player_id: field(id, ({ playerId }) => playerId),
  balances: field(list(balance.type), ({ balances }) => balances.map(balance.render), {
    description: 'What was credited, by currency.',
  }),
})

export const inventoryInput = requestOf({
  ...listParameters(),
  state: choice(Object.keys(prizeTransitions) as PrizeState[]),
})

/** `GET …/players/{player_id}/prizes`. Players are the casino's: one we have not seen has an empty inventory. */
export function createListPlayerPrizes({ database }: Deps): CasinoEndpoint {
  return async (request) => {
    const playerId = pathId(request, 'player_id')
    const { page, input } = parseListQuery(inventoryInput, request.query)
    const filter = { casinoId: request.casinoId, playerId, state: input.state }
    return { body: renderList(await listPrizes(database, filter, page), prize.render, page) }
  }
}

/** `GET …/players/{player_id}/balance`: credited cashback by currency; a currency without credits is not listed. */
export function createGetPlayerBalance({ database }: Deps): CasinoEndpoint {
  return async (request) => {
    const playerId = pathId(request, 'player_id')
    const balances = await readBalances(database, request.casinoId, playerId)
    return { body: success(playerBalance.render({ playerId, balances })) }
  }
}
