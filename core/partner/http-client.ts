/** A call of somebody else's system: a wallet, a fulfilment provider, a webhook's receiver. */
export interface OutboundRequest {
  method: 'GET' | 'POST'
  /** http or https. Redirects are not followed. */
  url: string
  headers: Readonly<Record<string, string>>
  body?: string
  /** For the whole call, from looking the name up to the last byte of the answer. */
  timeoutMs: number
}

/** Why there is no answer. Whether the other side has acted all the same is unknown, except where nothing was sent. */
export type NoAnswerReason =
  | 'url_invalid'
  | 'address_forbidden'
  | 'name_unknown'
  | 'connection_refused'
  | 'connection_lost'
  | 'tls_failed'
  | 'timeout'
  | 'answer_too_large'

export type OutboundResult =
  | { kind: 'answer'; status: number; headers: Readonly<Record<string, string>>; body: string }
  | { kind: 'no_answer'; reason: NoAnswerReason }

/** Never throws for what the other side or the network does. */
export type SendRequest = (request: OutboundRequest) => Promise<OutboundResult>
