import { feedInput } from '../../admin/events.ts'
import { delivery, eventDeliveriesInput } from '../../admin/webhook-deliveries.ts'
import { replayedEvent, replayEventInput } from '../../admin/webhook-replays.ts'
import type { Descriptions } from '../description.ts'
import { publicEvent } from '../../../core/event/public-event.ts'
import { list } from '../../../core/shape/json-schema.ts'
import { feedOf, success } from './bodies.ts'

export const eventDescriptions = {
  'GET /events': {
    operationId: 'listEvents',
    tag: 'Events',
    summary: 'Read the feed of events',
    description:
      'A client that always continues from `next_cursor` sees each event exactly once, and those of one object in order. ' +
      'The feed has all events since `complete_since`.',
    query: feedInput,
    answers: { 200: { description: 'The events.', schema: feedOf(publicEvent.type) } },
    errors: ['event_cursor_unknown', 'cursor_expired'],
  },
  'GET /events/:event_id': {
    operationId: 'getEvent',
    tag: 'Events',
    summary: 'Show an event',
    description: 'Shows it as the feed and webhooks do.',
    answers: { 200: { description: 'The event.', schema: success(publicEvent.type) } },
    errors: ['event_unknown'],
  },
  'GET /events/:event_id/deliveries': {
    operationId: 'listEventDeliveries',
    tag: 'Events',
    summary: 'List an event’s deliveries',
    description: 'Shows the attempts and the result of each delivery.',
    query: eventDeliveriesInput,
    answers: {
      200: { description: 'The deliveries to all endpoints.', schema: success(list(delivery.type)) },
    },
    errors: ['event_unknown'],
  },
  'POST /events/:event_id/replay': {
    operationId: 'replayEvent',
    tag: 'Events',
    summary: 'Send an event again',
    description: 'Sends it to one endpoint, or to all that subscribe to its type.',
    body: replayEventInput,
    isBodyOptional: true,
    answers: {
      200: {
        description: 'The new deliveries.',
        schema: success(replayedEvent.type),
      },
    },
    errors: ['event_unknown', 'webhook_endpoint_unknown'],
  },
} as const satisfies Descriptions
