import Joi from 'joi'
import {
  eventTypeFilterPattern,
  eventTypeFilters,
  eventTypeFiltersMax,
} from '../../core/event/event-types.ts'
import { boundedList } from '../../core/platform/bounded-list.ts'
import { getEndpoint, listEndpoints } from '../../core/webhook/endpoints.ts'
import type { WebhookEndpoint } from '../../core/webhook/endpoints.ts'
import { putEndpoint } from '../../core/webhook/put-endpoint.ts'
import { countPending } from '../../core/webhook/read-deliveries.ts'
import { rotateSecret } from '../../core/webhook/rotate-secret.ts'
import { deleteEndpoint, switchEndpoint } from '../../core/webhook/switch-endpoint.ts'
import { findQuotas } from '../../core/casino/reserve-quota.ts'
import type { ApiDeps } from '../deps.ts'
import { parseInput, text } from '../parse-input.ts'
import type { CasinoEndpoint, CasinoRequest } from './casino-endpoint.ts'
import { listInput, parseListQuery, renderList } from './list-query.ts'
import { listKnown, unknownTypeMessage } from './events.ts'
import {
  expectedRevision,
  expectedRevisionOrNone,
  pathId,
  refuseLookAlike,
  reason,
  wholeNumber,
} from '../inputs.ts'
import { boolean, count, id, list, nullable, oneOf, string, time } from '../../core/shape/json-schema.ts'
import { requestOf, required, withDefault } from '../../core/shape/request-shape.ts'
import { field, inputsOf, optionalField, shapeOf } from '../../core/shape/shape.ts'
import { success } from './render.ts'
import { outboundUrl, signingSecret } from './setting-input.ts'

type Deps = Pick<ApiDeps, 'database' | 'clock' | 'cipher' | 'config'>

const eventTypes = boundedList(
  Joi.string()
    .pattern(eventTypeFilterPattern)
    .custom((value: string, helpers) =>
      eventTypeFilters.has(value) ? value : helpers.error('any.only', { known: listKnown(value) }),
    )
    .messages({
      'string.pattern.base': '{{#label}} must be a type such as prize.won or prize.*',
      'any.only': `{{#label}} ${unknownTypeMessage}`,
    })
    .meta({ jsonSchema: { type: 'string', enum: [...eventTypeFilters] } }),
  { min: 0, max: eventTypeFiltersMax, refine: (types) => types.unique() },
).empty(null)

const urlWords = {
  description: 'The URL that is called, over `https`.',
  example: 'https://hooks.example.com/rewards',
}

export const webhookEndpoint = shapeOf<WebhookEndpoint>()('WebhookEndpoint', {
  endpoint_id: field(id, (endpoint) => endpoint.id),
  url: field(string, (endpoint) => endpoint.url, urlWords),
  description: field(nullable(string), (endpoint) => endpoint.description, {
    description: 'A description of its purpose, for people.',
    example: 'CRM',
    input: text(500),
  }),
  event_types: field(list(string), (endpoint) => endpoint.eventTypes, {
    description: 'Types, or with `.*` at the end all that begin so; empty for all.',
    example: ['prize.*', 'cashback.credited'],
    input: withDefault(eventTypes, []),
  }),
  state: field(oneOf(['enabled', 'disabled']), (endpoint) => endpoint.state),
  disabled_reason: field(
    nullable(oneOf(['operator', 'gone', 'failing', 'deleting'])),
    (endpoint) => endpoint.disabledReason,
    { description: 'Why it is off.', example: null },
  ),
  failing_since: field(nullable(time), (endpoint) => endpoint.failingSince, {
    description: 'Since when nothing has got through.',
    example: null,
  }),
  resting_until: field(nullable(time), (endpoint) => endpoint.restingUntil, {
    description: 'The receiver has asked (`Retry-After`) to be left alone until then.',
    example: null,
  }),
  revision: field(count, (endpoint) => endpoint.revision, {
    description: 'Increases with each change of the definition, the secret or the state.',
  }),
  created_at: field(time, (endpoint) => endpoint.createdAt),
  updated_at: field(time, (endpoint) => endpoint.updatedAt),
})

type Saved = WebhookEndpoint & { newSecret: string | undefined }

export const savedEndpoint = shapeOf<Saved>()('SavedWebhookEndpoint', {
  ...webhookEndpoint.fields,
  secret: optionalField(string, ({ newSecret }) => newSecret),
})

export const endpointDetails = shapeOf<WebhookEndpoint & { pending: number }>()('WebhookEndpointDetails', {
  ...webhookEndpoint.fields,
  pending_deliveries: field(count, ({ pending }) => pending, {
    description: 'The number of waiting deliveries, counted up to a limit.',
    example: 0,
  }),
})

interface RotatedSecret {
  endpointId: string
  secret: string
  createdAt: Date
  othersExpireAt: Date
}

export const newSecret = shapeOf<RotatedSecret>()('NewWebhookSecret', {
  endpoint_id: field(id, ({ endpointId }) => endpointId),
  secret: field(string, ({ secret }) => secret),
  created_at: field(time, ({ createdAt }) => createdAt),
  others_expire_at: field(time, ({ othersExpireAt }) => othersExpireAt, {
    description: 'The time until which the others are used too.',
    example: '2030-02-01T12:00:00.000Z',
  }),
})

export const deletedEndpoint = shapeOf<{ endpointId: string }>()('DeletedWebhookEndpoint', {
  endpoint_id: field(id, ({ endpointId }) => endpointId),
  deleted: field(boolean, () => true, { description: 'That it is gone.', example: true }),
})

/** The input of `PUT …/webhook-endpoints/{endpoint_id}`. */
export function endpointInput(rules: Parameters<typeof outboundUrl>[0]) {
  return requestOf({
    url: required(outboundUrl(rules)).description(urlWords.description).example(urlWords.example),
    ...inputsOf(webhookEndpoint.fields),
    secret: signingSecret,
    expected_revision: expectedRevisionOrNone,
  })
}

/** Long enough for the slowest deployment of a new secret. */
const overlapSecondsMax = 30 * 86_400
const overlapSecondsDefault = 86_400

export const rotateInput = requestOf({
  overlap_seconds: withDefault(wholeNumber(0, overlapSecondsMax), overlapSecondsDefault)
    .description('For how long the old one lives on.')
    .example(86400),
  secret: signingSecret,
  expected_revision: expectedRevision,
})

export const switchInput = requestOf({ reason, expected_revision: expectedRevision })

/** The endpoint that the path names. */
export function endpointNameOf(request: CasinoRequest): { casinoId: string; endpointId: string } {
  return { casinoId: request.casinoId, endpointId: pathId(request, 'endpoint_id') }
}

/**
 * `PUT …/webhook-endpoints/{endpoint_id}` makes the endpoint, or replaces it as a whole but for its secret and its state:
 * 201 or 200. A secret that was made for it is in this answer and in no other.
 */
export function createPutEndpoint(deps: Deps): CasinoEndpoint {
  const schema = endpointInput(deps.config)
  return async (request) => {
    const name = endpointNameOf(request)
    const input = parseInput(schema, request.body)
    const where = { casinoId: name.casinoId, id: name.endpointId }
    const isThere = async () => (await deps.database.webhookEndpoint.count({ where })) > 0
    await refuseLookAlike('endpoint_id', name.endpointId, isThere)
    const { quotas } = deps.config
    const { webhook_endpoints } = await findQuotas({ database: deps.database, quotas }, name.casinoId)
    const definition = {
      url: input.url,
      description: input.description ?? null,
      eventTypes: input.event_types,
      secret: input.secret,
      expectedRevision: input.expected_revision,
    }
    const { endpoint, isNew, newSecret } = await putEndpoint(deps, name, definition, webhook_endpoints)
    return { status: isNew ? 201 : 200, body: success(savedEndpoint.render({ ...endpoint, newSecret })) }
  }
}

/** `GET …/webhook-endpoints/{endpoint_id}`, with how many deliveries are pending. */
export function createGetEndpoint({ database }: Deps): CasinoEndpoint {
  return async (request) => ({ body: success(await readAndRender(database, request)) })
}

async function readAndRender(database: Deps['database'], request: CasinoRequest): Promise<object> {
  const name = endpointNameOf(request)
  const endpoint = await getEndpoint(database, name)
  return endpointDetails.render({ ...endpoint, pending: await countPending(database, name) })
}

/** `GET …/webhook-endpoints` */
export function createListEndpoints({ database }: Deps): CasinoEndpoint {
  return async ({ casinoId, query }) => {
    const { page } = parseListQuery(listInput, query)
    return { body: renderList(await listEndpoints(database, casinoId, page), webhookEndpoint.render, page) }
  }
}

/** `POST …/webhook-endpoints/{endpoint_id}/rotate-secret`: the answer is the only one that has the new secret. */
export function createRotateSecret(deps: Deps): CasinoEndpoint {
  return async (request) => {
    const name = endpointNameOf(request)
    const input = parseInput(rotateInput, request.body)
    const rotated = await rotateSecret(deps, name, {
      overlapMs: input.overlap_seconds * 1000,
      claim: request.claim,
      expectedRevision: input.expected_revision,
      ...(input.secret === undefined ? {} : { secret: input.secret }),
    })
    return {
      status: 201,
      body: success(newSecret.render({ ...rotated, endpointId: name.endpointId })),
    }
  }
}

/** `POST …/webhook-endpoints/{endpoint_id}/enable` and `disable` */
export function createSwitchEndpoint(deps: Deps, state: WebhookEndpoint['state']): CasinoEndpoint {
  return async (request) => {
    const name = endpointNameOf(request)
    const input = parseInput(switchInput, request.body)
    await switchEndpoint(deps, name, {
      to: state === 'enabled' ? { state } : { state, reason: 'operator' },
      by: { actor: request.actor, reason: input.reason ?? null, requestId: request.requestId },
      expectedRevision: input.expected_revision,
    })
    return { body: success(await readAndRender(deps.database, request)) }
  }
}

/** `DELETE …/webhook-endpoints/{endpoint_id}`: deletes the endpoint and its pending deliveries. */
export function createDeleteEndpoint(deps: Deps): CasinoEndpoint {
  return async (request) => {
    const name = endpointNameOf(request)
    const { actor, requestId } = request
    await deleteEndpoint(deps, name, { actor, reason: null, requestId })
    return { body: success(deletedEndpoint.render(name)) }
  }
}
