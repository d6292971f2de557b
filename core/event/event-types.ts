import { Prisma } from '../platform/database.ts'
import { sql } from '../platform/sql.ts'

/** What happens, by what the type of the event begins with; test/docs/webhooks.test.ts compares it with code and document. */
export const eventNames = {
  prize: [
    ...['won', 'ordered', 'returned', 'fulfilled', 'cashback_pending', 'cashed_back', 'expiring', 'expired'],
    'voided',
  ],
  prize_order: [
    ...[
      'placed',
      'confirmation_requested',
      'confirmation_reminder',
      'address_corrected',
      'confirmed',
      'rejected',
    ],
    ...['held', 'released', 'submission_attempted', 'submission_unknown', 'submitted', 'submission_accepted'],
    ...['submission_rejected', 'processing', 'shipped', 'delivered', 'exception', 'cancel_requested'],
    ...['cancellation_attempted', 'cancellation_unknown', 'cancellation_reminder', 'cancellation_pending'],
    ...['cancel_refused', 'cancelled', 'delivery_erased', 'shipment_updated', 'news_ignored'],
  ],
  cashback: [
    ...['requested', 'processing', 'credited', 'declined', 'unknown', 'manual_review'],
    ...['reversing', 'reversal_unknown', 'reversal_review', 'reversal_declined', 'reversed'],
    ...['wallet_released', 'wallet_contradicted'],
  ],
  webhook_endpoint: ['disabled', 'enabled'],
  wallet: ['changed', 'paused', 'resumed'],
  fulfilment: ['changed', 'paused', 'resumed'],
  reminders: ['changed'],
  expiry: ['changed'],
  privacy: ['changed'],
  limits: ['changed'],
} as const

/** The name of an event without what it begins with: a step of a name that is not listed does not compile. */
export type EventName<Sort extends keyof typeof eventNames> = (typeof eventNames)[Sort][number]

/** All types of events that the feed can have. */
export const eventTypes: ReadonlySet<string> = new Set(
  Object.entries(eventNames).flatMap(([sort, names]) => names.map((name) => `${sort}.${name}`)),
)

/** A type such as `prize.won`, or with `.*` at its end all types that begin like it. */
export const eventTypeFilterPattern = /^[a-z][a-z_]{0,49}(\.[a-z][a-z_]{0,49})*(\.\*)?$/
export const eventTypeFiltersMax = 100

/** The filters that some event can pass: another one is a slip, and nobody would ever notice. */
export const eventTypeFilters: ReadonlySet<string> = new Set(
  [...eventTypes].flatMap((type) => [allLike(type), type]),
)

/** What could have been meant by a filter that is not known: the types of the same sort, or else all sorts. */
export function knownFiltersLike(filter: string): string[] {
  const sort = allLike(filter)
  const known = [...eventTypeFilters]
  return known.filter((one) => (eventTypeFilters.has(sort) ? allLike(one) === sort : one.endsWith('.*')))
}

/** `prize.*` for `prize.won`. */
function allLike(filter: string): string {
  return `${filter.split('.')[0] ?? ''}.*`
}

/** The condition that an event's type is among those asked for; none asked for means all. Both are names of columns. */
export function isWantedType(type: string, wantedTypes: string): Prisma.Sql {
  const [one, wanted] = [Prisma.raw(type), Prisma.raw(wantedTypes)]
  return sql`(
        cardinality(${wanted}) = 0
     OR ${one} = ANY(${wanted})
     OR EXISTS (SELECT FROM unnest(${wanted}) AS filter (pattern)
                 WHERE pattern LIKE '%.*' AND starts_with(${one}, left(pattern, -1)))
  )`
}
