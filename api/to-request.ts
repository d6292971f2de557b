import type { Context } from 'koa'
import type { EndpointRequest } from './endpoint.ts'
import { clientAddress } from './middleware/client-address.ts'
import type { ReadBody } from './parse-input.ts'

const noQuery = { query: {}, repeatedInQuery: [] } as const

/** A request as endpoints see it. Call after the body was read. */
export function toRequest<Who>(
  ctx: Context,
  params: Readonly<Record<string, string>>,
  caller: Who,
  body: ReadBody,
): EndpointRequest<Who> {
  const idempotencyKey = ctx.headers['idempotency-key']
  const testOutcome = ctx.headers['x-test-outcome']
  const { query, repeatedInQuery } = ctx.querystring === '' ? noQuery : readQuery(ctx.querystring)
  return {
    caller,
    body,
    params,
    query,
    repeatedInQuery,
    idempotencyKey: typeof idempotencyKey === 'string' ? idempotencyKey : undefined,
    ifNoneMatch: ctx.headers['if-none-match'],
    acceptEncoding: acceptEncodingOf(ctx),
    testOutcome: typeof testOutcome === 'string' ? testOutcome : undefined,
    requestId: String(ctx.state['requestId']),
    address: clientAddress(ctx),
    aside: (work) => work(),
  }
}

function acceptEncodingOf({ headers }: Context): string | undefined {
  const value = headers['accept-encoding']
  return Array.isArray(value) ? value.join() : value
}

function readQuery(querystring: string): Pick<EndpointRequest<unknown>, 'query' | 'repeatedInQuery'> {
  const first = new Map<string, string>()
  const repeated = new Set<string>()
  for (const [name, value] of new URLSearchParams(querystring)) {
    if (first.has(name)) repeated.add(name)
    else first.set(name, value)
  }
  return { query: Object.fromEntries(first), repeatedInQuery: [...repeated] }
}
