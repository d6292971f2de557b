import Joi from 'joi'
import { limitPeriods } from '../../core/box/box.ts'
import type { BoxAccess, LimitPeriod } from '../../core/box/box.ts'
import { findBoxProblems } from '../../core/box/box-definition.ts'
import type { BoxDefinition, BoxProblem } from '../../core/box/box-definition.ts'
import { publishBox } from '../../core/box/publish-box.ts'
import { getBox, listBoxes } from '../../core/box/read-boxes.ts'
import type { BoxDetails, BoxSummary } from '../../core/box/read-boxes.ts'
import type { ApiDeps } from '../deps.ts'
import type { ParameterErrors } from '../error-response.ts'
import { callerId, InputError, parseInput, text } from '../parse-input.ts'
import type { CasinoEndpoint } from './casino-endpoint.ts'
import { boundedList, int32Max, pathId, timestamp, wholeNumber } from './inputs.ts'
import { pageInput, parseListQuery, renderPage } from './paging.ts'
import { success } from './render.ts'

type Deps = Pick<ApiDeps, 'database' | 'clock'>

interface BoxInput {
  name: string
  access: BoxAccess
  limit?: { count: number; period: LimitPeriod }
  active_from?: Date
  active_until?: Date
  entries: { item_id: string | number; weight: number; stock?: number }[]
  fallback_item_id?: string | number
}

const accesses: readonly BoxAccess[] = ['granted', 'limited']
/** Every opening walks through them. */
const entriesMax = 1_000

const boxInput = Joi.object<BoxInput>({
  name: text(200).required(),
  access: Joi.string()
    .valid(...accesses)
    .required(),
  limit: Joi.object({
    count: wholeNumber(1, int32Max).required(),
    period: Joi.string()
      .valid(...limitPeriods)
      .required(),
  })
    .strict()
    .empty(null),
  active_from: timestamp,
  active_until: timestamp,
  entries: boundedList(
    Joi.object({
      item_id: callerId.required(),
      weight: wholeNumber(1, Number.MAX_SAFE_INTEGER).required(),
      stock: wholeNumber(0, int32Max).empty(null),
    }),
    entriesMax,
  ).required(),
  fallback_item_id: callerId.empty(null),
})

const problemErrors: Record<BoxProblem, { name: string; error: string; message: string }> = {
  weights_too_large: {
    name: 'entries',
    error: 'max',
    message: 'the weights of the entries must sum to at most 9007199254740991',
  },
  window_empty: {
    name: 'active_until',
    error: 'min',
    message: 'active_until must be later than active_from',
  },
  limit_missing: { name: 'limit', error: 'required', message: 'limit is required when access is limited' },
  limit_unexpected: { name: 'limit', error: 'unknown', message: 'limit is only for access limited' },
}

/** `PUT …/boxes/{box_id}` publishes a new version, every time; versions before it stay as they are. */
export function createPutBox({ database, clock }: Deps): CasinoEndpoint {
  return async (request) => {
    const box = { casinoId: request.casinoId, boxId: pathId(request, 'box_id') }
    const definition = toDefinition(parseInput(boxInput, request.body))
    const problems = findBoxProblems(definition)
    if (problems.length > 0) throw new InputError(toErrors(problems.map((problem) => problemErrors[problem])))
    const result = await publishBox(database, clock.now(), box, definition)
    if ('unknownItemIds' in result) throw unknownItems(definition, result.unknownItemIds)
    return { body: success(renderBoxDetails(await getBox(database, box, result.version))) }
  }
}

/** `GET …/boxes/{box_id}`: the current version, with what is left of its stock. */
export function createGetBox({ database }: Deps): CasinoEndpoint {
  return async (request) => {
    const box = await getBox(database, { casinoId: request.casinoId, boxId: pathId(request, 'box_id') })
    return { body: success(renderBoxDetails(box)) }
  }
}

/** `GET …/boxes`: the current versions without their entries. */
export function createListBoxes({ database }: Deps): CasinoEndpoint {
  return async ({ casinoId, query }) => {
    const { page } = parseListQuery(pageInput, query)
    return { body: renderPage(await listBoxes(database, casinoId, page), renderBox) }
  }
}

function toDefinition(input: BoxInput): BoxDefinition {
  return {
    name: input.name,
    description: null,
    imageUrl: null,
    access: input.access,
    limit: input.limit === undefined ? null : { ...input.limit, timeZone: 'UTC' },
    activeFrom: input.active_from ?? null,
    activeUntil: input.active_until ?? null,
    entries: input.entries.map(({ item_id, weight, stock }) => ({
      itemId: String(item_id),
      weight,
      stock: stock ?? null,
    })),
    fallbackItemId: input.fallback_item_id === undefined ? null : String(input.fallback_item_id),
  }
}

function unknownItems(box: BoxDefinition, unknown: ReadonlySet<string>): InputError {
  const named = [
    ...box.entries.map(({ itemId }, index) => ({ name: `entries.${index}.item_id`, itemId })),
    { name: 'fallback_item_id', itemId: box.fallbackItemId },
  ]
  return new InputError(
    toErrors(
      named
        .filter(({ itemId }) => itemId !== null && unknown.has(itemId))
        .map(({ name }) => ({ name, error: 'exists', message: `${name} must be an item of the casino` })),
    ),
  )
}

function toErrors(problems: readonly { name: string; error: string; message: string }[]): ParameterErrors {
  return Object.fromEntries(problems.map(({ name, error, message }) => [name, [{ error, message }]]))
}

function renderBox(box: BoxSummary): object {
  return {
    box_id: box.id,
    version: box.version,
    name: box.name,
    access: box.access,
    limit: box.limitCount === null ? null : { count: box.limitCount, period: box.limitPeriod },
    active_from: box.activeFrom,
    active_until: box.activeUntil,
    fallback_item_id: box.fallbackItemId,
    odds_hash: box.oddsHash,
    created_at: box.createdAt,
    published_at: box.publishedAt,
  }
}

function renderBoxDetails(box: BoxDetails): object {
  return {
    ...renderBox(box),
    entries: box.entries.map((entry) => ({
      item_id: entry.itemId,
      weight: Number(entry.weight),
      stock: entry.stock,
      remaining: entry.remaining,
    })),
  }
}
