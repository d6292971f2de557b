import { getItem, listItems, putItem } from '../../core/item/items.ts'
import type { Item } from '../../core/item/items.ts'
import { mirrorItem } from '../../core/item/mirror-items.ts'
import { itemKinds } from '../../core/item/item-kinds.ts'
import type { ApiDeps } from '../deps.ts'
import { parseInput, text } from '../parse-input.ts'
import type { CasinoEndpoint } from './casino-endpoint.ts'
import { listInput, parseListQuery, renderList } from './list-query.ts'
import { expectedRevisionOrNone, money, pathId, refuseLookAlike, webUrl, wholeNumber } from '../inputs.ts'
import { count, id, money as moneyType, nullable, oneOf, string, time } from '../../core/shape/json-schema.ts'
import { choice, requestOf, required } from '../../core/shape/request-shape.ts'
import { field, inputsOf, shapeOf } from '../../core/shape/shape.ts'
import { renderCashbackValue, success } from './render.ts'

type Deps = Pick<ApiDeps, 'database' | 'clock'>
type PutDeps = Deps & Pick<ApiDeps, 'reserveQuota'>

/** A claim period longer than this needs no deadline. */
const claimDaysMax = 36_500

export const item = shapeOf<Item>()('Item', {
  item_id: field(id, (item) => item.id),
  name: field(string, (item) => item.name, {
    description: 'Its name.',
    example: 'Mug',
    input: required(text(200)),
  }),
  kind: field(oneOf<string>(itemKinds), (item) => item.kind, { input: required(choice(itemKinds)) }),
  description: field(nullable(string), (item) => item.description, {
    description: 'A description for players.',
    example: 'A blue mug',
    input: text(4_000),
  }),
  image_url: field(nullable(string), (item) => item.imageUrl, { input: webUrl }),
  cashback: field(nullable(moneyType), renderCashbackValue, { input: money }),
  claim_days: field(nullable(count), (item) => item.claimDays, {
    description:
      'The number of days in which the player can claim the prize; without it there is no deadline.',
    example: 30,
    input: wholeNumber(1, claimDaysMax).empty(null),
  }),
  revision: field(count, (item) => item.revision),
  created_at: field(time, (item) => item.createdAt),
  updated_at: field(time, (item) => item.updatedAt),
})

export const itemInput = requestOf({ ...inputsOf(item.fields), expected_revision: expectedRevisionOrNone })

/**
 * `PUT …/items/{item_id}` creates an item or replaces it as a whole: fields that the body leaves out are removed. Then
 * the item is copied to the casino's sandbox; if that fails, repeating the request completes it.
 */
export function createPutItem({ database, clock, reserveQuota }: PutDeps): CasinoEndpoint {
  return async (request) => {
    const name = { casinoId: request.casinoId, id: pathId(request, 'item_id') }
    const input = parseInput(itemInput, request.body)
    await refuseLookAlike('item_id', name.id, async () => (await database.item.count({ where: name })) > 0)
    const wish = { ...name, expectedRevision: input.expected_revision }
    const put = await putItem({ database, reserveQuota }, clock.now(), wish, {
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
    return { body: success(item.render(put)) }
  }
}

/** `GET …/items/{item_id}` */
export function createGetItem({ database }: Deps): CasinoEndpoint {
  return async (request) => {
    const found = await getItem(database, request.casinoId, pathId(request, 'item_id'))
    return { body: success(item.render(found)) }
  }
}

/** `GET …/items` */
export function createListItems({ database }: Deps): CasinoEndpoint {
  return async ({ casinoId, query }) => {
    const { page } = parseListQuery(listInput, query)
    return { body: renderList(await listItems(database, casinoId, page), item.render, page) }
  }
}
