import type { OpenApiDocument } from '../openapi-types.ts'
import { describeCall } from './call.ts'
import type { Call } from './call.ts'
import { webhookEvent } from './event-schemas.ts'
import { providerCalls } from './provider-calls.ts'
import { walletCalls } from './wallet-calls.ts'

const retryAfter = {
  'Retry-After': {
    description: 'Seconds or an HTTP date: the endpoint gets nothing until then, for a day at most.',
    schema: { type: 'string' },
    example: '120',
  },
} as const

const receiveEvent: Call = {
  operationId: 'receiveEvent',
  tag: 'Events',
  summary: 'Take an event',
  description:
    'To a casino’s webhook endpoints that want its type: at least once, and those of one object in their order. Answer within ten seconds, and act on each `id` once.',
  webhookId: {
    description: 'The event’s `id`: the same with every attempt and every replay.',
    example: 'evt_1234',
  },
  body: webhookEvent,
  answers: {
    '2XX': { description: 'Delivered. The body is ignored.' },
    410: { description: 'The endpoint is disabled immediately.' },
    429: { description: 'Tried again, with `Retry-After` not before then.', headers: retryAfter },
    503: { description: 'Tried again, with `Retry-After` not before then.', headers: retryAfter },
    default: { description: 'Tried again, for about five days.' },
  },
}

const calls: Readonly<Record<string, Call>> = { receiveEvent, ...walletCalls, ...providerCalls }

/** The systems that we call: webhook endpoints, casinos' own wallets and fulfilment providers. */
export function describeWebhooks(): OpenApiDocument['webhooks'] {
  return Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, describeCall(call)]))
}
