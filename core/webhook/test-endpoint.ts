import type { SendRequest } from '../partner/http-client.ts'
import type { ReceiverOutcome } from '../partner/receiver-outcome.ts'
import { callReceiver } from '../partner/webhook-receiver.ts'
import { monotonicMs } from '../platform/clock.ts'
import { newId } from '../platform/ids.ts'
import { RewardsError } from '../errors.ts'
import type { PublicEvent } from '../event/public-event.ts'
import { endpointKeyOf } from './delivery.ts'
import { loadSecrets, openSecret } from './endpoint-secrets.ts'
import { getEndpoint } from './endpoints.ts'
import type { EndpointDeps, EndpointName } from './endpoints.ts'

/** What a test event's receiver said, and how long that took. */
export interface EndpointTest {
  event: PublicEvent
  outcome: ReceiverOutcome
  durationMs: number
}

export interface TestEndpointDeps extends EndpointDeps {
  sendRequest: SendRequest
  /** Runs the call, when it is known to be one: it may have to wait for a place, and be refused. */
  runCall: <Result>(call: () => Promise<Result>) => Promise<Result>
}

/**
 * Sends an event of the type `webhook.test` to the endpoint now, on or off, and tells what came of it. It is in no feed
 * and no log, and says nothing about whether the endpoint fails. Throws `webhook_endpoint_unknown`.
 */
export async function testEndpoint(
  { database, clock, cipher, sendRequest, runCall }: TestEndpointDeps,
  name: EndpointName,
): Promise<EndpointTest> {
  const endpoint = await getEndpoint(database, name)
  const sentAt = clock.now()
  const sealed = (await loadSecrets(database, sentAt, [name])).get(endpointKeyOf(name)) ?? []
  if (sealed.length === 0) throw new RewardsError('webhook_endpoint_unknown') // deleted between the two looks
  const event: PublicEvent = {
    id: newId('tst'),
    type: 'webhook.test',
    timestamp: sentAt,
    casino_id: name.casinoId,
    object: { type: 'webhook_endpoint', id: name.endpointId },
    sequence: 0,
    created_at: sentAt,
    data: { endpoint_id: name.endpointId },
  }
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
