import type { ApiDeps } from './deps.ts'
import type { AdminEndpoint, OpenEndpoint, PlayEndpoint } from './endpoint.ts'
import { createBoxOpenEndpoint } from './endpoints/box-open.ts'
import { createMetricsEndpoint, createReadyEndpoint, healthEndpoint } from './endpoints/health.ts'
import { createPrizeCashbackEndpoint } from './endpoints/prize-cashback.ts'
import { createPrizeOrderEndpoint } from './endpoints/prize-order.ts'
import type { ErrorStyle } from './error-response.ts'

interface Named {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
}

/** A route says who may call it; the endpoint it names is handed that caller. */
export type Route =
  | (Named & { for: 'casinos'; errors: ErrorStyle; endpoint: PlayEndpoint })
  | (Named & { for: 'operators'; endpoint: AdminEndpoint })
  | (Named & { for: 'anybody'; endpoint: OpenEndpoint })

/** Every method and path that the API answers; the dashboard under /ops has its own (api/ops). */
export function createRoutes(deps: ApiDeps, isStopping: () => boolean): Route[] {
  const play = (path: string, errors: ErrorStyle, endpoint: PlayEndpoint): Route => ({
    method: 'POST',
    path,
    for: 'casinos',
    errors,
    endpoint,
  })
  const open = (path: string, endpoint: OpenEndpoint): Route => ({
    method: 'GET',
    path,
    for: 'anybody',
    endpoint,
  })
  return [
    play('/box/open', 'box_open', createBoxOpenEndpoint(deps)),
    play('/prize/order', 'prize_order', createPrizeOrderEndpoint(deps)),
    play('/prize/cashback', 'prize_cashback', createPrizeCashbackEndpoint(deps)),

    open('/healthz', healthEndpoint),
    open('/readyz', createReadyEndpoint({ ...deps, isStopping })),
    open('/metrics', createMetricsEndpoint(deps)),
  ]
}
