import type { Context, Middleware } from 'koa'
import { addressGroupOf } from '../core/casino/allowed-addresses.ts'
import { RewardsError } from '../core/errors.ts'
import { createFirstRefusals, createRecordRefusal } from './audit-refusals.ts'
import type { RecordRefusal } from './audit-refusals.ts'
import { createAuditedReads } from './audited-reads.ts'
import type { AuditedReads } from './audited-reads.ts'
import { audited, paramsIn, reasonIn, storable } from './audited.ts'
import type { AuditedAction } from './audited.ts'
import { depsOf } from './deps.ts'
import type { ApiDeps } from './deps.ts'
import type { EndpointReply, Operator, Partner } from './endpoint.ts'
import { clientAddress } from './middleware/client-address.ts'
import { authenticateCasino, authenticateOperator } from './middleware/authenticate.ts'
import { limitPartner } from './middleware/limit-partner.ts'
import { readAdminBody, readPlayBody } from './middleware/read-body.ts'
import { findNamedObjects } from './named-objects.ts'
import type { ReasonPlace } from './openapi/reason-place.ts'
import { InputError } from './parse-input.ts'
import type { ReadBody } from './parse-input.ts'
import { parseReasonHeader } from './reason-header.ts'
import { actorOf } from './route-state.ts'
import type { RouteState } from './route-state.ts'
import { toRequest } from './to-request.ts'
import type { Route } from './route.ts'

/**
 * Answers the route that was found (match-route.ts), and leaves paths without one to the next middleware. The order of
 * checks is the documented one: route (404, 405), API key (401), its rate limit (429), size of the body (413), and then
 * the endpoint's own: parameters (400), rules (404, 403 …).
 */
export function createRouter(apiDeps: ApiDeps): Middleware<RouteState> {
  const isFirst = createFirstRefusals(apiDeps)
  const auditedReads = createAuditedReads(apiDeps)
  const withAudit = (deps: ApiDeps): Deps => ({
    ...deps,
    recordRefusal: createRecordRefusal(deps, isFirst),
    auditedReads,
  })
  const play = withAudit(apiDeps)
  const reads = withAudit(depsOf(apiDeps, 'reads'))
  const manage = withAudit(depsOf(apiDeps, 'manage'))
  return async (ctx, next) => {
    const { match } = ctx.state
    if ('allow' in match) {
      if (match.allow.length === 0) {
        await next()
        return
      }
      ctx.set('Allow', match.allow.join(', '))
      throw new RewardsError('method_not_allowed')
    }
    const { route, params } = match
    const deps = route.surfaces[0] === 'play' ? play : manage
    sendReply(ctx, await callEndpoint(ctx, { deps, reads }, route, params))
  }
}

type Deps = ApiDeps & { recordRefusal: RecordRefusal; auditedReads: AuditedReads }

async function callEndpoint(
  ctx: Context,
  { deps, reads }: { deps: Deps; reads: Deps },
  route: Route,
  params: Readonly<Record<string, string>>,
): Promise<EndpointReply> {
  switch (route.for) {
    case 'casinos': {
      const operation = route.errors === 'general' ? 'reads' : route.errors
      const enter = async () => {
        const caller = await authenticateCasino(ctx, deps, { scope: 'play', operation })
        ctx.state['casinoId'] = caller.casinoId
        const body = route.method === 'GET' ? noBody : await readPlayBody(ctx)
        ctx.state['namedObjects'] = findNamedObjects(params, body)
        return { caller, body }
      }
      // The three operations have histories of their own, with the key in them.
      if (operation !== 'reads') {
        const { caller, body } = await enter()
        return route.endpoint(toRequest(ctx, params, caller, body))
      }
      const { caller, place, body } = await recordingRefusal(ctx, reads, route, params, async () => {
        const entered = await enter()
        const { sandboxOf, casinoId } = entered.caller
        return { ...entered, place: deps.readSlots.enter(sandboxOf ?? casinoId) }
      })
      try {
        const { casinoId, keyId } = caller
        const action = actionOf(ctx, route, params, { casinoId, actor: `key:${keyId}`, body })
        const request = toRequest(ctx, params, caller, body)
        return await place.run(() => auditedOnce(reads, route, action, () => route.endpoint(request)))
      } finally {
        place.leave()
      }
    }
    case 'operators': {
      const { caller, place, body } = await recordingRefusal(ctx, deps, route, params, async () => {
        const operator = await authenticateOperator(ctx, deps, {
          casinoId: params['casino_id'],
          right: route.right,
        })
        const taken = deps.manageSlots.enter(lineOf(operator, params))
        try {
          const read = route.method === 'GET' ? noBody : await readAdminBody(ctx)
          return { caller: operator, place: taken, body: read }
        } catch (error) {
          taken.leave()
          throw error
        }
      })
      try {
        const casinoId = caller.kind === 'casino' ? caller.casinoId : storable(params['casino_id'] ?? '')
        const reason = reasonIn(body) ?? parseReasonHeader(ctx.get('X-Reason'))
        if (caller.kind === 'person') requireReason(route.reasonPlace, body, reason)
        ctx.state['namedObjects'] = findNamedObjects(params, body)
        if (caller.kind === 'casino') ctx.state['casinoId'] = caller.casinoId
        const actor = actorOf(caller)
        const action = { ...actionOf(ctx, route, params, { casinoId, actor, body }), reason }
        const request = { ...toRequest(ctx, params, caller, body), aside: place.aside }
        return await place.run(() => auditedOnce(deps, route, action, () => route.endpoint(request)))
      } finally {
        place.leave()
      }
    }
    case 'partners':
      return limitPartner(ctx, deps, params['casino_id'] ?? '', async () => {
        const body = await readPlayBody(ctx)
        const place = deps.partnerSlots.enter(addressGroupOf(clientAddress(ctx)))
        try {
          return await place.run(() => route.endpoint(toRequest(ctx, params, partnerOf(ctx), body)))
        } finally {
          place.leave()
        }
      })
    case 'anybody':
      return route.endpoint(toRequest(ctx, params, undefined, noBody))
    default:
      return route satisfies never
  }
}

/** The line that requests share: those of a casino's and its sandbox's keys, the admin's for one, or a person's. */
function lineOf(operator: Operator, params: Readonly<Record<string, string>>): string {
  if (operator.kind === 'admin') return `admin ${params['casino_id'] ?? ''}`
  return operator.kind === 'person' ? `operator ${operator.username}` : `casino ${operator.ownerId}`
}

/** The audit trail has the reason of every change by a person; the object's history has it if the body does. */
function requireReason(place: ReasonPlace, body: ReadBody, reason: string | null): void {
  if (place === undefined || (place === 'body' ? reasonIn(body) : reason) !== null) return
  const where = place === 'body' ? 'reason' : 'X-Reason'
  throw new InputError(
    { [where]: [{ error: 'required', message: `${where} is required` }] },
    'reason_required',
  )
}

/** Authenticates, and records a refusal if the key is known. The request log has the others. */
async function recordingRefusal<Entered>(
  ctx: Context,
  { recordRefusal }: Deps,
  route: Route,
  params: Readonly<Record<string, string>>,
  enter: () => Promise<Entered>,
): Promise<Entered> {
  try {
    return await enter()
  } catch (error) {
    const { keyHolder } = ctx.state as RouteState
    if (keyHolder !== undefined) {
      const casinoId = storable(params['casino_id'] ?? '')
      const action = actionOf(ctx, route, params, { casinoId, actor: '', body: noBody })
      await recordRefusal(keyHolder, action, error)
    }
    throw error
  }
}

/** Records a change before and after it; records a read unless a similar one was recorded. */
async function auditedOnce(
  deps: Deps,
  route: Route,
  action: AuditedAction,
  run: () => Promise<EndpointReply>,
): Promise<EndpointReply> {
  const isRead = route.method === 'GET'
  const like = isRead ? deps.auditedReads.likeOf(route, action) : undefined
  return audited(deps, action, like, run)
}

function actionOf(
  ctx: Context,
  route: Route,
  params: Readonly<Record<string, string>>,
  { casinoId, actor, body }: { casinoId: string; actor: string; body: ReadBody },
): AuditedAction {
  return {
    casinoId,
    actor,
    address: storable(clientAddress(ctx)),
    action: `${route.method} ${route.path}`,
    params: paramsIn(params),
    reason: reasonIn(body),
    requestId: String(ctx.state['requestId']),
  }
}

/** Call after the body was read, which leaves its bytes. */
function partnerOf(ctx: Context): Partner {
  const { body } = ctx.request
  const headers = Object.entries(ctx.headers).map(
    ([name, value]) => [name, [value].flat().join(', ')] as const,
  )
  return {
    headers: Object.fromEntries(headers),
    rawBody: body instanceof Buffer ? body.toString('utf8') : '',
  }
}

const noBody: ReadBody = { kind: 'no_object' }
function sendReply(ctx: Context, { status = 200, body, headers }: EndpointReply): void {
  ctx.status = status
  ctx.type = 'application/json'
  if (headers) ctx.set(headers)
  ctx.body = body
}
