import type Joi from 'joi'
import { claimKey, keepAnswer, releaseClaim } from '../../core/idempotency/claim-key.ts'
import { fingerprintOf } from '../../core/idempotency/idempotency.ts'
import type { ApiDeps } from '../deps.ts'
import { parseIdempotencyKey, parseInput } from '../parse-input.ts'
import type { CasinoEndpoint, CasinoRequest } from './casino-endpoint.ts'

type Deps = Pick<ApiDeps, 'database' | 'cipher' | 'config' | 'log'>

/** The content of a request, to distinguish it from others: as a schema reads it, or as it was sent if there are several. */
export type KeyedBody = Joi.ObjectSchema | 'as_sent' | undefined

/**
 * Honours the `Idempotency-Key` of a request: the first success is stored and answered again. The key is claimed before
 * the endpoint runs, and the endpoint's statement says that it was carried out under the claim; so nothing is done
 * twice, even if the process dies in between (docs/integrate/idempotency.md).
 */
export function underKey(
  deps: Deps,
  operation: string,
  body: KeyedBody,
  endpoint: CasinoEndpoint,
): CasinoEndpoint {
  return async (request) => {
    const { idempotencyKey, casinoId, requestId } = request
    const key = parseIdempotencyKey(idempotencyKey, { isRequired: false })
    if (key === undefined) return endpoint(request)
    const fingerprint = fingerprintOf(deps.config.hashSecret, operation, parametersOf(request, body))
    const claimed = await claimKey(deps, { casinoId, key, operation, fingerprint })
    if ('answer' in claimed) {
      const { status, response } = claimed.answer
      return { status, body: response, headers: { 'Idempotency-Replayed': 'true' } }
    }
    const { claim } = claimed
    const notKept = (error: unknown) => {
      // The lease ends by itself; a request that took effect is marked.
      deps.log.error(
        { err: error, requestId },
        'cannot store the outcome of a request under its Idempotency-Key',
      )
    }
    try {
      const reply = await endpoint({ ...request, claim })
      const response = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body)
      // The answer is true whether it can be kept or not.
      await keepAnswer(deps, claim, { status: reply.status ?? 200, response }).catch(notKept)
      return { ...reply, body: response }
    } catch (error) {
      await releaseClaim(deps.database, claim).catch(notKept)
      throw error
    }
  }
}

function parametersOf(
  request: CasinoRequest,
  schema: KeyedBody,
): Readonly<Record<string, string | undefined>> {
  const { params, body } = request
  const path = Object.entries(params).filter(([name]) => name !== 'casino_id')
  const sent = body.kind === 'object' ? body.value : {}
  const input: unknown = schema === undefined ? {} : schema === 'as_sent' ? sent : parseInput(schema, body)
  return { path: canonical(Object.fromEntries(path)), body: canonical(input) }
}

/** The same JSON for the same values, in any order; `7` and `"7"` are the same id. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === 'number') return String(part)
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
