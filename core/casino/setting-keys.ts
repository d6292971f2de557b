import Joi from 'joi'
import { boundedList } from '../platform/bounded-list.ts'
import { defaultQuotas, quotaMax, quotaNames } from '../platform/quotas.ts'
import type { QuotaName } from '../platform/quotas.ts'
import { burstMax, keyOperations, perSecondMax, perSecondMin } from '../platform/rate-limits.ts'
import type { KeyOperation } from '../platform/rate-limits.ts'

/** The kind of a setting: no partner, or one that is called over HTTP. */
export const kindOf = (...kinds: readonly string[]) =>
  Joi.string()
    .valid(...kinds)
    .required()
    .description('Whether and how a partner is called.')

const wholeNumber = (min: number, max: number) => Joi.number().strict().integer().min(min).max(max)

/** Of a system of the casino’s that we call. */
export const partnerKeys = (url: Joi.StringSchema) => ({
  url: forHttp(
    url
      .required()
      .description('The URL that is called, over `https`.')
      .example('https://hooks.example.com/rewards'),
  ),
  timeout_ms: forHttp(
    wholeNumber(500, 30_000)
      .default(5_000)
      .description('How long to wait for the partner’s answer.')
      .example(5000),
  ),
})

/** If the partner is not called, the keys that only a call needs are left out. */
function forHttp(schema: Joi.Schema): Joi.Schema {
  return Joi.any().when('kind', { is: 'http', then: schema, otherwise: Joi.any().strip() })
}

/** `null` counts as absent. */
const rateLimit = Joi.object({
  per_second: Joi.number()
    .strict()
    .min(perSecondMin)
    .max(perSecondMax)
    .required()
    .description('Requests a second in the long run.')
    .example(100),
  burst: wholeNumber(1, burstMax)
    .required()
    .description('The number of requests that are allowed together after a pause.')
    .example(200),
})
  .strict()
  .empty(null)

const limitWords: Readonly<Record<KeyOperation, string>> = {
  box_open: 'The limit of `POST /box/open`.',
  prize_order: 'The limit of `POST /prize/order`.',
  prize_cashback: 'The limit of `POST /prize/cashback`.',
  reads: 'The limit of all other calls with `play` keys.',
  management: 'The limit of the management API.',
}

const quotaWords: Readonly<Record<QuotaName, string>> = {
  items: 'The maximum number of items of the casino.',
  boxes: 'The maximum number of boxes of the casino.',
  entries: 'The maximum number of entries in the current versions of the casino’s boxes.',
  entries_per_day: 'The maximum number of entries that may be published within a day.',
  players: 'The maximum number of players of the casino.',
  webhook_endpoints: 'The maximum number of webhook endpoints of the casino.',
  seeds_per_day: 'The maximum number of seeds that may be made within a day.',
}

const remindersMax = 10
const hoursMax = 24 * 365

const ascendingHours = boundedList(wholeNumber(1, hoursMax), {
  min: 0,
  max: remindersMax,
  refine: (list) =>
    list
      .custom((hours: unknown[], helpers) => (isAscending(hours) ? hours : helpers.error('any.invalid')))
      .messages({ 'any.invalid': '{{#label}} must be in ascending order' }),
}).meta({
  jsonSchema: {
    type: 'array',
    items: { type: 'integer', minimum: 1, maximum: hoursMax },
    maxItems: remindersMax,
    uniqueItems: true,
  },
})

/** A value that is not a number has been reported already. */
function isAscending(list: readonly unknown[]): boolean {
  const numbers = list.filter((element) => typeof element === 'number')
  return numbers.every((number, index) => index === 0 || number > Number(numbers[index - 1]))
}

export const pollMinutes = forHttp(
  wholeNumber(1, 24 * 60)
    .default(60)
    .description('The interval in which the provider is asked for shipment updates.')
    .example(60),
)

export const afterHours = ascendingHours
  .required()
  .description('Hours after which a reminder of a waiting order is sent, ascending.')
  .example([24])

export const warnDays = wholeNumber(0, 60)
  .required()
  .description('The number of days before a prize expires at which a warning is sent; 0 for no warning.')
  .example(3)

export const deliveryRetentionDays = wholeNumber(1, 3_650)
  .required()
  .description('Days after an order’s end for which its delivery details are kept.')
  .example(90)

const approvalLimit = Joi.object({
  amount_minor: wholeNumber(0, Number.MAX_SAFE_INTEGER)
    .required()
    .description('The most that a person decides about alone, in minor units.')
    .example(10_000),
  currency: Joi.string()
    .pattern(/^[A-Z]{3}$/)
    .required()
    .messages({ 'string.pattern.base': '{{#label}} must be an ISO 4217 code of three capital letters' }),
}).strict()

const currenciesMax = 50

export const approvalLimits = boundedList(approvalLimit, {
  min: 0,
  max: currenciesMax,
  refine: (list) => list.unique('currency'),
})
  .required()
  .description('Amounts above which people need a second person, one for each currency.')
  .example([{ amount_minor: 10_000, currency: 'EUR' }])

export const limitKeys: Joi.SchemaMap = Object.fromEntries(
  keyOperations.map((operation) => [operation, rateLimit.description(limitWords[operation])]),
)

export const quotaKeys: Joi.SchemaMap = Object.fromEntries(
  quotaNames.map((name) => {
    const quota = wholeNumber(0, quotaMax).empty(null).description(quotaWords[name])
    return [name, quota.example(defaultQuotas[name])]
  }),
)
