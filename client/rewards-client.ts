import createFetchClient from 'openapi-fetch'
import type { Client } from 'openapi-fetch'
import type { paths } from './generated/openapi.ts'

/** Calls every path of the service with the types of its document. */
export type RewardsClient = Client<paths>

/** `baseUrl` ends where the paths of the document begin; the key is a casino's, or the service's own. */
export function createRewardsClient({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }): RewardsClient {
  return createFetchClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${apiKey}` } })
}
