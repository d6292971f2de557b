import Joi from 'joi'
import { getItem, listItems, putItem } from '../../core/item/items.ts'
import type { Item } from '../../core/item/items.ts'
import { mirrorItem } from '../../core/item/mirror-items.ts'
import { itemKinds } from '../../core/prize/prize.ts'
import type { ItemKind } from '../../core/prize/prize.ts'
import type { ApiDeps } from '../deps.ts'
import { parseInput, text } from '../parse-input.ts'
import type { CasinoEndpoint } from './casino-endpoint.ts'
import { listInput, parseListQuery, renderList } from './list-query.ts'
import { money, pathId, refuseLookAlike, wholeNumber } from '../inputs.ts'
import { renderCashbackValue, success } from './render.ts'

type Deps = Pick<ApiDeps, 'database' | 'clock'>
type PutDeps = Deps & Pick<ApiDeps, 'reserveQuota'>

interface ItemInput {
  name: string
  kind: ItemKind
  description?: string
  image_url?: string
  cashback?: { amount_minor: number; currency: string }
  claim_days?: number
}

/** Who can claim for longer than that has no deadline. */
const claimDaysMax = 36_500

export const itemInput = Joi.object<ItemInput>({
  name: text(200).required(),
  kind: Joi.string()
    .valid(...itemKinds)
    .required(),
  description: text(4_000),
  image_url: text(2_000).uri({ scheme: ['https', 'http'] }),
  cashback: money,
  claim_days: wholeNumber(1, claimDaysMax).empty(null),
})

/**
 * `PUT …/items/{item_id}` creates an item or replaces it as a whole: what is left out, it no longer has. Then the casino's
 * sandbox gets it; should that fail, doing all of it again mends it.
 */
export function createPutItem({ database, clock, reserveQuota }: PutDeps): CasinoEndpoint {
  return async (request) => {
    const name = { casinoId: request.casinoId, id: pathId(request, 'item_id') }
    const input = parseInput(itemInput, request.body)
    await refuseLookAlike('item_id', name.id, async () => (await database.item.count({ where: name })) > 0)
    const item = await putItem({ database, reserveQuota }, clock.now(), name, {
      name: input.name,
      kind: input.kind,
      description: input.description ?? null,
      imageUrl: input.image_url ?? null,
      cashback: input.cashback
        ? { amountMinor: BigInt(input.cashback.amount_minor), currency: input.cashback.currency }
        : null,
      claimDays: input.claim_days ?? null,
    })
    await mirrorItem(database, clock.now(), name)
    return { body: success(renderItem(item)) }
  }
}

/** `GET …/items/{item_id}` */
export function createGetItem({ database }: Deps): CasinoEndpoint {
  return async (request) => {
    const item = await getItem(database, request.casinoId, pathId(request, 'item_id'))
    return { body: success(renderItem(item)) }
  }
}

/** `GET …/items` */
export function createListItems({ database }: Deps): CasinoEndpoint {
  return async ({ casinoId, query }) => {
    const { page } = parseListQuery(listInput, query)
    return { body: renderList(await listItems(database, casinoId, page), renderItem, page) }
  }
}

function renderItem(item: Item): object {
  return {
    item_id: item.id,
    name: item.name,
    kind: item.kind,
    description: item.description,
    image_url: item.imageUrl,
    cashback: renderCashbackValue(item),
    claim_days: item.claimDays,
    created_at: item.createdAt,
    updated_at: item.updatedAt,
  }
}
