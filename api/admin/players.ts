import { readOpeningsLeft } from '../../core/box/read-openings-left.ts'
import type { OpeningsLeft } from '../../core/box/read-openings-left.ts'
import { listOpenBoxes } from '../../core/box/read-catalogue.ts'
import type { CatalogueBox } from '../../core/box/read-catalogue.ts'
import { countCashbacksOfPlayer } from '../../core/cashback/read-cashbacks.ts'
import { readBalances } from '../../core/ledger/read-balances.ts'
import type { StateCounts } from '../../core/platform/state-counts.ts'
import { findPlayer } from '../../core/player/read-player.ts'
import type { PlayerRecord } from '../../core/player/read-player.ts'
import { countOrdersOfPlayer } from '../../core/prize-order/list-orders.ts'
import { countPrizesOfPlayer, listPrizes } from '../../core/prize/read-prizes.ts'
import { prizeTransitions } from '../../core/prize/state.ts'
import type { PrizeState } from '../../core/prize/state.ts'
import { amountToJson } from '../../core/money.ts'
import type { Money } from '../../core/money.ts'
import type { ApiDeps } from '../deps.ts'
import type { CasinoEndpoint } from './casino-endpoint.ts'
import { listParameters, parseListQuery, renderList } from './list-query.ts'
import { pathId } from '../inputs.ts'
import {
  amount,
  boolean,
  count,
  currency,
  id,
  list,
  nullable,
  oneOf,
  string,
  time,
} from '../../core/shape/json-schema.ts'
import { field, shapeOf } from '../../core/shape/shape.ts'
import { choice, requestOf } from '../../core/shape/request-shape.ts'
import { prize } from './prizes.ts'
import { success } from './render.ts'

type Deps = Pick<ApiDeps, 'database'>
type PlayerName = { casinoId: string; playerId: string }

/** The amount that was credited and not reversed, in one currency. */
export const balance = shapeOf<Money>()('Balance', {
  currency: field(currency, (money) => money.currency),
  amount_minor: field(amount, (money) => amountToJson(money.amountMinor)),
})

export const playerBalance = shapeOf<{ playerId: string; balances: readonly Money[] }>()('PlayerBalance', {
  player_id: field(id, ({ playerId }) => playerId),
  balances: field(list(balance.type), ({ balances }) => balances.map(balance.render), {
    description: 'The credited amounts, by currency.',
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

const stateCount = shapeOf<StateCounts['states'][number]>()('StateCount', {
  state: field(string, ({ state }) => state, { example: 'won' }),
  count: field(count, (counted) => counted.count, { description: 'The number in that state.', example: 2 }),
})

const stateCounts = shapeOf<StateCounts>()('StateCounts', {
  states: field(list(stateCount.type), ({ states }) => states.map(stateCount.render), {
    description: 'The states that occur.',
  }),
  is_partial: field(boolean, ({ isPartial }) => isPartial, {
    description: 'Whether only the newest 1,000 are counted.',
    example: false,
  }),
})

interface BoxOfPlayer {
  box: CatalogueBox
  left: OpeningsLeft
}

const boxOfPlayer = shapeOf<BoxOfPlayer>()('BoxOfPlayer', {
  box_id: field(id, ({ box }) => box.boxId),
  access: field(oneOf(['granted', 'limited']), ({ box }) => box.access, {
    description: 'Whether openings are granted to players, or limited for each player.',
    example: 'limited',
  }),
  openings_left: field(count, ({ left }) => left.count, {
    description: 'The number of times that the player may open the box now.',
    example: 1,
  }),
  resets_at: field(nullable(time), ({ left }) => left.resetsAt, {
    description: 'When the player’s limit is reset.',
    example: '2030-02-01T00:00:00.000Z',
  }),
  expires_at: field(nullable(time), ({ left }) => left.expiresAt, {
    description: 'When the first of the player’s granted openings expires.',
    example: null,
  }),
})

interface PlayerOverview {
  playerId: string
  player: PlayerRecord | null
  prizes: StateCounts
  orders: StateCounts
  cashbacks: StateCounts
  balances: readonly Money[]
  boxes: readonly BoxOfPlayer[]
  hasMoreBoxes: boolean
}

export const playerOverview = shapeOf<PlayerOverview>()('Player', {
  player_id: field(id, ({ playerId }) => playerId),
  first_seen_at: field(nullable(time), ({ player }) => player?.createdAt ?? null, {
    description:
      'When the player was first given something or opened a box; null for a player without anything.',
  }),
  openings: field(count, ({ player }) => Number(player?.openingCount ?? 0), {
    description: 'The number of openings of the player.',
    example: 3,
  }),
  prizes: field(stateCounts.type, ({ prizes }) => stateCounts.render(prizes), {
    description: 'The player’s prizes by state.',
  }),
  orders: field(stateCounts.type, ({ orders }) => stateCounts.render(orders), {
    description: 'The player’s orders by state.',
  }),
  cashbacks: field(stateCounts.type, ({ cashbacks }) => stateCounts.render(cashbacks), {
    description: 'The player’s cashbacks by state.',
  }),
  balances: field(list(balance.type), ({ balances }) => balances.map(balance.render), {
    description: 'The credited amounts, by currency.',
  }),
  boxes: field(list(boxOfPlayer.type), ({ boxes }) => boxes.map(boxOfPlayer.render), {
    description: 'The boxes that are open now, up to 100, and how often the player may open them.',
  }),
  has_more_boxes: field(boolean, ({ hasMoreBoxes }) => hasMoreBoxes, {
    description: 'Whether the casino has more open boxes.',
    example: false,
  }),
  erase_requested_at: field(nullable(time), ({ player }) => player?.eraseRequestedAt ?? null, {
    description: 'When the casino last asked to erase the player.',
    example: null,
  }),
  erased_at: field(nullable(time), ({ player }) => player?.erasedAt ?? null, {
    description: 'When that was finished; null while an order is open.',
    example: null,
  }),
})

const boxesMax = 100

/**
 * `GET …/players/{player_id}`: the player's totals, balances and boxes; empty for a player that the service has not
 * seen.
 */
export function createGetPlayer({ database, clock }: Deps & Pick<ApiDeps, 'clock'>): CasinoEndpoint {
  return async (request) => {
    const { casinoId } = request
    const name = { casinoId, playerId: pathId(request, 'player_id') }
    // One after the other: a page that operators open takes one connection from their pool.
    const player = await findPlayer(database, name)
    const prizes = await countPrizesOfPlayer(database, name)
    const orders = await countOrdersOfPlayer(database, name)
    const cashbacks = await countCashbacksOfPlayer(database, name)
    const balances = await readBalances(database, casinoId, name.playerId)
    const open = await readOpenBoxes(database, name, clock.now())
    const found = { playerId: name.playerId, player, prizes, orders, cashbacks, balances, ...open }
    return { body: success(playerOverview.render(found)) }
  }
}

async function readOpenBoxes(
  database: Deps['database'],
  name: PlayerName,
  now: Date,
): Promise<Pick<PlayerOverview, 'boxes' | 'hasMoreBoxes'>> {
  const page = await listOpenBoxes(database, name.casinoId, now, { limit: boxesMax, afterId: undefined })
  const left = page.rows.length === 0 ? [] : await readOpeningsLeft(database, name, page.rows, now)
  const boxes = page.rows.flatMap((box, index) => {
    const ofBox = left[index]
    return ofBox === undefined ? [] : [{ box, left: ofBox }]
  })
  return { boxes, hasMoreBoxes: page.nextAfterId !== undefined }
}
