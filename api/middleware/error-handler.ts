import type { Middleware } from 'koa'
import { RewardsError } from '../../core/errors.ts'
import type { ErrorCode } from '../../core/errors.ts'
import { classifyFailure } from '../../core/platform/database.ts'
import type { ApiDeps } from '../deps.ts'
import { errorResponse } from '../error-response.ts'
import { describeRequest } from '../logged-request.ts'
import { InputError } from '../parse-input.ts'
import type { RouteState } from '../route-state.ts'

/** Turns every error into its documented response. Errors of this service are logged here, and only here. */
export function createErrorHandler({ log }: Pick<ApiDeps, 'log'>): Middleware<RouteState> {
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      const code = codeOf(error)
      const style = ctx.state.errorStyle ?? 'general'
      const { status, body, headers } = errorResponse(code, style, {
        errors: error instanceof InputError ? error.errors : undefined,
        detail: error instanceof RewardsError && error.message !== error.code ? error.message : undefined,
        retryAfterSeconds: error instanceof RewardsError ? error.retryAfterSeconds : undefined,
        currentVersion: error instanceof RewardsError ? error.currentVersion : undefined,
      })
      ctx.status = status
      ctx.set(headers)
      ctx.body = body
      ctx.state.errorCode = code
      if (status === 500) {
        log.error({ err: error, ...describeRequest(ctx, status) }, 'request failed')
      }
    }
  }
}

/** A statement that gave up waiting for rows that another one changes had no effect, and is worth repeating. */
function codeOf(error: unknown): ErrorCode {
  if (error instanceof RewardsError) return error.code
  return classifyFailure(error) === 'locked' ? 'overloaded' : 'internal'
}
