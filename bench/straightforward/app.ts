import Router from '@koa/router'
import type Joi from 'joi'
import Koa from 'koa'
import type { Context } from 'koa'
import bodyParser from 'koa-bodyparser'
import { boxOpenInput } from '../../api/endpoints/box-open.ts'
import { prizeCashbackInput } from '../../api/endpoints/prize-cashback.ts'
import { prizeOrderInput } from '../../api/endpoints/prize-order.ts'
import type { FindCaller } from '../../core/casino/find-caller.ts'
import { newId } from '../../core/platform/ids.ts'
import type { Logger } from '../../core/platform/logger.ts'
import { HttpError } from './http-error.ts'
import type { OpenBox } from './open-box.ts'
import type { PlaceOrder } from './place-order.ts'
import type { RequestCashback } from './request-cashback.ts'

export interface AppDeps {
  log: Logger
  findCaller: FindCaller
  placeOrder: PlaceOrder
  requestCashback: RequestCashback
  openBox: OpenBox
}

interface State {
  requestId: string
  casinoId: string
  actor: string
}

/** The three operations with the same checks as ours, but without idempotency keys, metrics or a management API. */
export function createApp(deps: AppDeps): Koa<State> {
  const app = new Koa<State>()
  app.use(async (ctx, next) => {
    const started = performance.now()
    ctx.state.requestId = newId('req')
    ctx.set('X-Request-Id', ctx.state.requestId)
    try {
      await next()
    } catch (error) {
      const status = error instanceof HttpError ? error.status : 500
      ctx.status = status
      ctx.body = {
        status: 'error',
        message: error instanceof HttpError ? error.message : 'An internal error occurred.',
      }
      if (status === 500) deps.log.error({ err: error, requestId: ctx.state.requestId }, 'request failed')
    }
    const durationMs = Math.round((performance.now() - started) * 10) / 10
    deps.log.info(
      { requestId: ctx.state.requestId, route: ctx.path, status: ctx.status, durationMs },
      'request',
    )
  })
  const router = new Router<State>()
  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' }
  })
  router.use(async (ctx, next) => {
    const [, key = ''] = /^Bearer +(\S+)$/i.exec(ctx.get('Authorization')) ?? []
    const caller = await deps.findCaller(key)
    if (!caller?.scopes.includes('play')) throw new HttpError(401, 'Invalid or missing API key')
    ctx.state.casinoId = caller.casinoId
    ctx.state.actor = `key:${caller.keyId}`
    await next()
  })
  router.use(bodyParser({ jsonLimit: '64kb' }))
  router.post('/prize/order', async (ctx) => {
    const { player_id, prize_id, ...delivery } = parse(prizeOrderInput, ctx)
    await deps.placeOrder({
      ...ctx.state,
      playerId: String(player_id),
      prizeId: String(prize_id),
      delivery,
    })
    ctx.body = {
      status: 'success',
      message: 'Prize order recorded. Awaiting confirmation for shipment.',
    }
  })
  router.post('/prize/cashback', async (ctx) => {
    const { player_id, prize_id } = parse(prizeCashbackInput, ctx)
    await deps.requestCashback({
      ...ctx.state,
      playerId: String(player_id),
      prizeId: String(prize_id),
    })
    ctx.body = { status: 'success', message: 'Cashback decision recorded' }
  })
  router.post('/box/open', async (ctx) => {
    const { player_id, box_id } = parse(boxOpenInput, ctx)
    const prize = await deps.openBox({ ...ctx.state, playerId: String(player_id), boxId: String(box_id) })
    ctx.body = { status: 'success', message: 'Box opened successfully', prize }
  })
  app.use(router.routes())
  return app
}

function parse<Input>(schema: Joi.ObjectSchema<Input>, ctx: Context): Input {
  const result = schema.validate(ctx.request.body, { abortEarly: false, stripUnknown: true })
  if (result.error) throw new HttpError(400, 'The given data was invalid.')
  return result.value
}
