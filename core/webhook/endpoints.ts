import { RewardsError } from '../errors.ts'
import type { EnvelopeCipher } from '../crypto/envelope.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { listQuery, toPage } from '../page.ts'
import type { ListRequest, Page } from '../page.ts'
import type { DisabledReason } from './delivery.ts'

/** A URL of a casino that receives events. */
export interface WebhookEndpoint {
  casinoId: string
  id: string
  url: string
  description: string | null
  /** Exact types or `prefix.*`; empty for all. */
  eventTypes: string[]
  state: 'enabled' | 'disabled'
  disabledReason: DisabledReason | null
  /** The beginning of the current series of failures; null after a success. */
  failingSince: Date | null
  /** It has asked for no calls until then. */
  restingUntil: Date | null
  /** Counts the changes of the definition and the secret, not those of the state. */
  revision: number
  createdAt: Date
  updatedAt: Date
}

export interface EndpointName {
  casinoId: string
  endpointId: string
}

export interface EndpointDeps {
  database: Database
  clock: Clock
  cipher: EnvelopeCipher
}

/** Throws `webhook_endpoint_unknown`. */
export async function getEndpoint(
  database: Database,
  { casinoId, endpointId: id }: EndpointName,
): Promise<WebhookEndpoint> {
  const endpoint = await database.webhookEndpoint.findUnique({
    where: { casinoId_id: { casinoId, id } },
    select,
  })
  if (endpoint === null) throw new RewardsError('webhook_endpoint_unknown')
  return toEndpoint(endpoint)
}

/** The casino's endpoints, ordered by id. */
export async function listEndpoints(
  database: Database,
  casinoId: string,
  page: ListRequest,
): Promise<Page<WebhookEndpoint>> {
  const { where, ...part } = listQuery(page)
  const rows = await database.webhookEndpoint.findMany({
    where: { casinoId, ...where },
    ...part,
    select,
  })
  return toPage(rows.map(toEndpoint), page)
}

const select = {
  casinoId: true,
  id: true,
  url: true,
  description: true,
  eventTypes: true,
  state: true,
  disabledReason: true,
  failingSince: true,
  restingUntil: true,
  revision: true,
  createdAt: true,
  updatedAt: true,
} as const

export type EndpointRow = Omit<WebhookEndpoint, 'state' | 'disabledReason'> & {
  state: string
  disabledReason: string | null
}

/** A check on the column allows no other states; only the service writes reasons. */
export function toEndpoint(row: EndpointRow): WebhookEndpoint {
  return {
    ...row,
    state: row.state as WebhookEndpoint['state'],
    disabledReason: row.disabledReason as DisabledReason | null,
  }
}
