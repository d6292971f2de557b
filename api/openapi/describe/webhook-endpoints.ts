import { deliveriesInput, delivery, endpointTest } from '../../admin/webhook-deliveries.ts'
import { replayedEvents, replayInput } from '../../admin/webhook-replays.ts'
import {
  deletedEndpoint,
  endpointDetails,
  endpointInput,
  newSecret,
  rotateInput,
  savedEndpoint,
  switchInput,
  webhookEndpoint,
} from '../../admin/webhook-endpoints.ts'
import { listInput } from '../../admin/list-query.ts'
import type { Descriptions } from '../description.ts'
import { object } from '../../../core/shape/json-schema.ts'
import type { JsonSchema } from '../../../core/shape/json-schema.ts'
import { asked, feedCursor, isSuccess, pageOf, success } from './bodies.ts'

const replayed: JsonSchema = {
  ...object({ status: isSuccess, data: asked(replayedEvents.type) }, { next_cursor: feedCursor }),
}

const switched = { 200: { description: 'The endpoint.', schema: success(endpointDetails.type) } }

export const webhookDescriptions = {
  'PUT /webhook-endpoints/:endpoint_id': {
    operationId: 'putWebhookEndpoint',
    tag: 'Events',
    summary: 'Create or replace a webhook endpoint',
    description:
      'Replaces the whole endpoint except its secret and state. With `expected_revision` it is replaced only if it has that revision.',
    body: endpointInput({ allowPrivateAddresses: false }),
    answers: {
      200: { description: 'The endpoint.', schema: success(savedEndpoint.type) },
      201: {
        description: 'The new endpoint. It has the secret only if one was generated.',
        schema: success(savedEndpoint.type),
      },
    },
    errors: ['webhook_endpoint_limit', 'webhook_endpoint_deleting', 'revision_changed'],
  },
  'GET /webhook-endpoints/:endpoint_id': {
    operationId: 'getWebhookEndpoint',
    tag: 'Events',
    summary: 'Show a webhook endpoint',
    description: 'Shows how many deliveries are pending. The secret is not shown.',
    answers: switched,
    errors: ['webhook_endpoint_unknown'],
  },
  'GET /webhook-endpoints': {
    operationId: 'listWebhookEndpoints',
    tag: 'Events',
    summary: 'List the webhook endpoints',
    description: 'Secrets are not shown.',
    query: listInput,
    answers: { 200: { description: 'The endpoints.', schema: pageOf(webhookEndpoint.type) } },
    errors: [],
  },
  'DELETE /webhook-endpoints/:endpoint_id': {
    operationId: 'deleteWebhookEndpoint',
    tag: 'Events',
    summary: 'Delete a webhook endpoint',
    description: 'Pending deliveries are dropped.',
    answers: {
      200: {
        description: 'The endpoint is deleted.',
        schema: success(deletedEndpoint.type),
      },
    },
    errors: ['webhook_endpoint_unknown'],
  },
  'POST /webhook-endpoints/:endpoint_id/rotate-secret': {
    operationId: 'rotateWebhookSecret',
    tag: 'Events',
    summary: 'Replace a webhook endpoint’s secret',
    description:
      'Only this response contains it. During the overlap requests are signed with the previous secrets too.',
    body: rotateInput,
    isBodyOptional: true,
    answers: {
      201: {
        description: 'The new secret.',
        schema: success(newSecret.type),
      },
    },
    errors: ['webhook_endpoint_unknown', 'revision_changed'],
  },
  'POST /webhook-endpoints/:endpoint_id/enable': {
    operationId: 'enableWebhookEndpoint',
    tag: 'Events',
    summary: 'Enable a webhook endpoint',
    description: 'Deliveries continue where they stopped, in order.',
    body: switchInput,
    isBodyOptional: true,
    answers: switched,
    errors: ['webhook_endpoint_unknown', 'revision_changed'],
  },
  'POST /webhook-endpoints/:endpoint_id/disable': {
    operationId: 'disableWebhookEndpoint',
    tag: 'Events',
    summary: 'Disable a webhook endpoint',
    description: 'Its events wait until it is enabled.',
    body: switchInput,
    isBodyOptional: true,
    answers: {
      200: { ...switched[200], example: { state: 'disabled', disabled_reason: 'operator' } },
    },
    errors: ['webhook_endpoint_unknown', 'revision_changed'],
  },
  'POST /webhook-endpoints/:endpoint_id/test': {
    operationId: 'testWebhookEndpoint',
    tag: 'Events',
    summary: 'Send a test event now',
    description:
      'Sends an event of type `webhook.test` once, in any state of the endpoint. It is not in the feed and is not retried.',
    answers: {
      200: {
        description: 'The answer of the receiver.',
        schema: success(endpointTest.type),
      },
    },
    errors: ['webhook_endpoint_unknown', 'overloaded'],
  },
  'POST /webhook-endpoints/:endpoint_id/replay': {
    operationId: 'replayWebhookEvents',
    tag: 'Events',
    summary: 'Send the events of a period again',
    description:
      'Sends all of them or only those that have failed permanently. If there is a `next_cursor`, repeat the request with it as `cursor`.',
    body: replayInput,
    answers: { 200: { description: 'The number of deliveries that are sent again.', schema: replayed } },
    errors: ['webhook_endpoint_unknown', 'event_cursor_unknown'],
  },
  'GET /webhook-endpoints/:endpoint_id/deliveries': {
    operationId: 'listWebhookDeliveries',
    tag: 'Events',
    summary: 'List a webhook endpoint’s deliveries',
    description: 'Lists sent and pending deliveries.',
    query: deliveriesInput,
    answers: { 200: { description: 'The deliveries.', schema: pageOf(delivery.type) } },
    errors: ['webhook_endpoint_unknown'],
  },
} as const satisfies Descriptions
