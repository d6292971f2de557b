import type { SendRequest } from '../partner/http-client.ts'
import type { ReceiverOutcome } from '../partner/receiver-outcome.ts'
import { callReceiver } from '../partner/webhook-receiver.ts'
import { monotonicMs } from '../platform/clock.ts'
import { newId } from '../platform/ids.ts'
import { RewardsError } from '../errors.ts'
import { publicEvent } from '../event/public-event.ts'
import { count, id, matching, object, oneOf, named, shown } from '../shape/json-schema.ts'
import { field, shapeOf } from '../shape/shape.ts'
import { endpointKeyOf } from './delivery.ts'
import { loadSecrets, openSecret } from './endpoint-secrets.ts'
import { getEndpoint } from './endpoints.ts'
import type { EndpointDeps, EndpointName } from './endpoints.ts'

interface TestEvent extends EndpointName {
  id: string
  sentAt: Date
}

const { timestamp, casino_id, created_at } = publicEvent.fields

/** Like an event, but in no feed. */
export const testEvent = shapeOf<TestEvent>()('TestEvent', {
  id: field(matching(/^tst_[0-9a-f]{32}$/, 'tst_01b977d7aa0076a1b2c3d4e5f6071809'), (event) => event.id),
  type: field(oneOf(['webhook.test']), () => 'webhook.test'),
  timestamp: field(timestamp.type, ({ sentAt }) => sentAt),
  casino_id: field(casino_id.type, ({ casinoId }) => casinoId),
  object: field(
    named('TestEventObject', object({ type: oneOf<string>(['webhook_endpoint']), id: shown('crm') })),
    ({ endpointId }) => ({ type: 'webhook_endpoint', id: endpointId }),
    { description: 'The object that it is about.' },
  ),
  sequence: field({ ...count, examples: [0] }, () => 0, { description: 'It is in no sequence.' }),
  created_at: field(created_at.type, ({ sentAt }) => sentAt),
  data: field(
    named('TestEventData', object({ endpoint_id: id })),
    ({ endpointId }) => ({
      endpoint_id: endpointId,
    }),
    { description: 'Further data.' },
  ),
})

/** The receiver's answer to a test event, and its duration. */
export interface EndpointTest {
  event: ReturnType<typeof testEvent.render>
  outcome: ReceiverOutcome
  durationMs: number
}

export interface TestEndpointDeps extends EndpointDeps {
  sendRequest: SendRequest
  /** Runs the call within the limit on such calls: it may have to wait, or be refused. */
  runCall: <Result>(call: () => Promise<Result>) => Promise<Result>
}

/**
 * Sends an event of the type `webhook.test` to the endpoint now, enabled or not, and returns the result. It is in no
 * feed and no log, and does not affect the endpoint's failures. Throws `webhook_endpoint_unknown`.
 */
export async function testEndpoint(
  { database, clock, cipher, sendRequest, runCall }: TestEndpointDeps,
  name: EndpointName,
): Promise<EndpointTest> {
  const endpoint = await getEndpoint(database, name)
  const sentAt = clock.now()
  const sealed = (await loadSecrets(database, sentAt, [name])).get(endpointKeyOf(name)) ?? []
  if (sealed.length === 0) throw new RewardsError('webhook_endpoint_unknown') // deleted between the two looks
  const event = testEvent.render({ ...name, id: newId('tst'), sentAt })
  const call = {
    casinoId: name.casinoId,
    url: endpoint.url,
    secrets: sealed.map((secret) => openSecret(cipher, secret)),
    id: event.id,
    body: JSON.stringify(event),
    sentAt,
  }
  return runCall(async () => {
    const startedMs = monotonicMs()
    const outcome = await callReceiver(sendRequest, call)
    return { event, outcome, durationMs: Math.round(monotonicMs() - startedMs) }
  })
}
