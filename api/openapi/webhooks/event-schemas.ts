import { settingNames } from '../../../core/casino/setting-values.ts'
import type { SettingName } from '../../../core/casino/setting-values.ts'
import { eventFacts, publicEvent } from '../../../core/event/public-event.ts'
import { testEvent } from '../../../core/webhook/test-endpoint.ts'
import { said, typesOf } from '../../../core/shape/shape.ts'
import { eventNames } from '../../../core/event/event-names.ts'
import type { EventName } from '../../../core/event/event-names.ts'
import { rejectionCodes, shipmentStatuses } from '../../../core/partner/provider-outcome.ts'
import { exceptionReasons, holdReasons } from '../../../core/prize-order/state.ts'
import { boolean, count, named, object, oneOf, shown, string, time } from '../../../core/shape/json-schema.ts'
import type { JsonSchema } from '../../../core/shape/json-schema.ts'
import { pascalCase } from '../name-objects.ts'
import { cashbackStates, prizeOrderStates, prizeStates, settingStates, switchStates } from './event-states.ts'
import type { EventStates } from './event-states.ts'

type Fields = Record<string, JsonSchema>

/** The fields that an event of one type has in its `data` beside those that all of the object have. */
interface Extra {
  always?: Fields
  sometimes?: Fields
}

const prizeId = shown('prz_01b977d7aa0076a1b2c3d4e5f6071802')
const orderId = shown('ord_01b977d7aa0076a1b2c3d4e5f6071803')
const cashbackId = shown('cbk_01b977d7aa0076a1b2c3d4e5f6071804')
const problem = (code: string) => ({ ...string, examples: [code] })
const exceptionReason = oneOf(exceptionReasons)
const rejection = said(oneOf(rejectionCodes), {
  description: 'Why the provider does not take the parcel.',
  example: 'rejected',
})

const prizeExtras: Partial<Record<EventName<'prize'>, Extra>> = {
  expiring: { always: { expires_at: time } },
  expired: {
    always: { stock_returned: said(boolean, { description: 'Whether it can be won again.', example: true }) },
  },
}

const orderExtras: Partial<Record<EventName<'prize_order'>, Extra>> = {
  confirmation_reminder: {
    always: { reminder: said(count, { description: 'Which of the reminders.', example: 1 }) },
  },
  confirmed: { sometimes: { shipment_number: count } },
  held: {
    always: { hold_reason: { ...oneOf(holdReasons), examples: ['other'] } },
    sometimes: { problem: problem('no_answer') },
  },
  released: { always: { hold_reason: oneOf(holdReasons) } },
  submission_attempted: { always: { attempt: count } },
  submission_unknown: { always: { attempt: count, problem: problem('no_answer') } },
  submission_rejected: { always: { exception_reason: exceptionReason, rejection } },
  exception: {
    always: { exception_reason: exceptionReason },
    sometimes: { rejection },
  },
  cancellation_attempted: { always: { attempt: count } },
  cancellation_unknown: { always: { attempt: count, problem: problem('no_answer') } },
  cancellation_reminder: { always: { problem: problem('provider_changed') } },
  shipment_updated: { sometimes: { exception_reason: exceptionReason } },
  news_ignored: {
    always: {
      status: { ...oneOf(shipmentStatuses), examples: ['shipped'] },
      shipment_number: count,
    },
  },
}

const attempted: Extra = { sometimes: { attempt: count } }
const failedWith = (code: string): Extra => ({ sometimes: { attempt: count, problem: problem(code) } })

const cashbackExtras: Partial<Record<EventName<'cashback'>, Extra>> = {
  processing: attempted,
  credited: attempted,
  declined: failedWith('player_blocked'),
  unknown: failedWith('no_answer'),
  manual_review: failedWith('no_answer'),
  reversing: attempted,
  reversal_unknown: failedWith('no_answer'),
  reversal_review: failedWith('no_answer'),
  reversal_declined: failedWith('insufficient_funds'),
  reversed: attempted,
  wallet_contradicted: {
    always: { attempt: count, outcome: oneOf(['credited', 'debited', 'already_processed', 'declined']) },
    sometimes: { code: problem('player_blocked'), problem: problem('wallet_contradicted') },
  },
}

const endpointReason = oneOf(['operator', 'gone', 'failing', 'deleting'])

/** By their types. */
export const eventSchemas: Readonly<Record<string, JsonSchema>> = {
  ...schemasOf('prize', eventNames.prize, prizeId, (name) => ({
    states: prizeStates[name],
    facts: typesOf(eventFacts.prize.fields),
    extra: prizeExtras[name],
  })),
  ...schemasOf('prize_order', eventNames.prize_order, orderId, (name) => ({
    states: prizeOrderStates[name],
    facts: typesOf(eventFacts.prize_order.fields),
    extra: orderExtras[name],
  })),
  ...schemasOf('cashback', eventNames.cashback, cashbackId, (name) => ({
    states: cashbackStates[name],
    facts: typesOf(eventFacts.cashback.fields),
    extra: cashbackExtras[name],
  })),
  ...schemasOf('webhook_endpoint', eventNames.webhook_endpoint, shown('crm'), (name) => ({
    states: switchStates[name],
    facts: typesOf(eventFacts.webhook_endpoint.fields),
    extra: { sometimes: name === 'disabled' ? { reason: endpointReason } : {} },
  })),
  ...Object.fromEntries(settingNames.flatMap((name) => Object.entries(settingSchemas(name)))),
}

/** The events that a receiver gets: programs tell them apart by `type`. */
export const webhookEvent: JsonSchema = (() => {
  const schemas = { ...eventSchemas, 'webhook.test': testEvent.type }
  const mapping = Object.entries(schemas).map(([type, { title = '' }]) => [
    type,
    `#/components/schemas/${title}`,
  ])
  return named('WebhookEvent', {
    description: 'An event of any type. Answer those that you do not know with a 2xx: more types may come.',
    oneOf: Object.values(schemas),
    discriminator: { propertyName: 'type', mapping: Object.fromEntries(mapping) as Record<string, string> },
  })
})()

function settingSchemas(setting: SettingName): Readonly<Record<string, JsonSchema>> {
  return schemasOf(setting, eventNames[setting], oneOf([setting]), (name) => ({
    states: settingStates[name],
    facts: {},
    extra: { always: name === 'paused' ? { reason: problem('status_401') } : {} },
    object: 'setting',
  }))
}

function schemasOf<Name extends string>(
  sort: string,
  names: readonly Name[],
  objectId: JsonSchema,
  describe: (name: Name) => {
    states: EventStates
    facts: Fields
    extra: Extra | undefined
    object?: string
  },
): Readonly<Record<string, JsonSchema>> {
  const entries = names.map((name): [string, JsonSchema] => {
    const { states, facts, extra = {}, object: sortOfObject = sort } = describe(name)
    const title = `${pascalCase(`${sort}_${name}`)}Event`
    const type = `${sort}.${name}`
    const data = object({ ...states, ...facts, ...extra.always }, extra.sometimes)
    const about = object({ type: oneOf([sortOfObject]), id: objectId })
    const schema = envelope(type, {
      object: named(`${pascalCase(sort)}EventObject`, about),
      sequence: { ...count, examples: [states.from.type === 'null' ? 1 : 2] },
      data: named(`${title}Data`, data),
    })
    return [type, named(title, schema)]
  })
  return Object.fromEntries(entries)
}

function envelope(type: string, parts: Record<'object' | 'sequence' | 'data', JsonSchema>): JsonSchema {
  return object({
    ...typesOf(publicEvent.fields),
    type: { ...oneOf([type]), description: wordsOf('type') },
    object: { ...parts.object, description: wordsOf('object') },
    sequence: { ...parts.sequence, description: wordsOf('sequence') },
    data: { ...parts.data, description: wordsOf('data') },
  })
}

/** The description of a field that every event has. */
function wordsOf(name: keyof typeof publicEvent.fields): string {
  return publicEvent.fields[name].type.description ?? ''
}
