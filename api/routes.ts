import { depsOf } from './deps.ts'
import type { ApiDeps } from './deps.ts'
import { createAdminRoutes } from './admin/routes.ts'
import type { OpenEndpoint, PartnerEndpoint, PlayEndpoint } from './endpoint.ts'
import { createBoxOpenEndpoint } from './endpoints/box-open.ts'
import { createGetOpenBox, createListOpenBoxes } from './endpoints/boxes.ts'
import { createRenderBoxes } from './endpoints/rendered-boxes.ts'
import { createGetSigningKey, createListSeeds } from './endpoints/fairness.ts'
import { createGetOpening, createListOpenings } from './endpoints/fairness-openings.ts'
import { createGetClientSeed, createPutClientSeed } from './endpoints/fairness-players.ts'
import { createMetricsEndpoint, createReadyEndpoint, healthEndpoint } from './endpoints/health.ts'
import { createPartnersFulfilmentEndpoint } from './endpoints/partners-fulfilment.ts'
import { createPrizeCashbackEndpoint } from './endpoints/prize-cashback.ts'
import { createPrizeOrderEndpoint } from './endpoints/prize-order.ts'
import { createSecurityTxtEndpoint } from './endpoints/security-txt.ts'
import type { ErrorStyle } from './error-style.ts'
import {
  createDocsEndpoint,
  createOpenApiEndpoint,
  createRootEndpoint,
  createViewerScriptEndpoint,
  createViewerStyleEndpoint,
} from './openapi/endpoints.ts'
import type { PathOf } from './openapi/descriptions.ts'
import type { Route } from './route.ts'
import { createVerifyPage, createVerifyScript, createVerifyStyle } from './verify-page.ts'

const everywhere: Route['surfaces'] = ['play', 'manage', 'metrics']

/**
 * Every method and path that the API answers, and on which surface; the console and the dashboard under /ops have their own (api/ops). A
 * path compiles only when it is described for the OpenAPI document (api/openapi/describe).
 */
export function createRoutes(deps: ApiDeps, isStopping: () => boolean): Route[] {
  const manageDeps = depsOf(deps, 'manage')
  const readDeps = depsOf(deps, 'reads')
  const boxDeps = { ...readDeps, renderBoxes: createRenderBoxes(readDeps.database) }
  const play = (path: PathOf<'casinos', 'POST'>, errors: ErrorStyle, endpoint: PlayEndpoint): Route => ({
    method: 'POST',
    path,
    surfaces: ['play'],
    for: 'casinos',
    errors,
    endpoint,
  })
  const read = (path: PathOf<'casinos', 'GET'>, endpoint: PlayEndpoint): Route => ({
    method: 'GET',
    path,
    surfaces: ['play'],
    for: 'casinos',
    errors: 'general',
    endpoint,
  })
  const put = (path: PathOf<'casinos', 'PUT'>, endpoint: PlayEndpoint): Route => ({
    method: 'PUT',
    path,
    surfaces: ['play'],
    for: 'casinos',
    errors: 'general',
    endpoint,
  })
  const open = (
    surfaces: Route['surfaces'],
    path: PathOf<'anybody', 'GET'>,
    endpoint: OpenEndpoint,
  ): Route => ({
    method: 'GET',
    path,
    surfaces,
    for: 'anybody',
    endpoint,
  })
  const tell = (path: PathOf<'partners', 'POST'>, endpoint: PartnerEndpoint): Route => ({
    method: 'POST',
    path,
    surfaces: ['manage'],
    for: 'partners',
    endpoint,
  })
  return [
    play('/box/open', 'box_open', createBoxOpenEndpoint(deps)),
    play('/prize/order', 'prize_order', createPrizeOrderEndpoint(deps)),
    play('/prize/cashback', 'prize_cashback', createPrizeCashbackEndpoint(deps)),

    read('/boxes', createListOpenBoxes(boxDeps)),
    read('/boxes/:box_id', createGetOpenBox(boxDeps)),

    read('/fairness/seeds', createListSeeds(readDeps)),
    read('/fairness/openings', createListOpenings(readDeps)),
    read('/fairness/openings/:opening_id', createGetOpening(readDeps)),
    read('/fairness/players/:player_id/client-seed', createGetClientSeed(readDeps)),
    put('/fairness/players/:player_id/client-seed', createPutClientSeed(readDeps)),
    open(['play'], '/fairness/key', createGetSigningKey(deps)),
    open(['play'], '/verify', createVerifyPage(deps)),
    open(['play'], '/verify/page.js', createVerifyScript()),
    open(['play'], '/verify/page.css', createVerifyStyle()),

    tell('/partners/fulfilment/:casino_id', createPartnersFulfilmentEndpoint(manageDeps)),

    ...createAdminRoutes(manageDeps),

    open(everywhere, '/healthz', healthEndpoint),
    open(everywhere, '/readyz', createReadyEndpoint({ ...deps, isStopping })),
    open(['manage', 'metrics'], '/metrics', createMetricsEndpoint(deps)),

    open(['manage'], '/.well-known/security.txt', createSecurityTxtEndpoint(deps)),
    open(['manage'], '/openapi.json', createOpenApiEndpoint(deps)),
    open(['manage'], '/', createRootEndpoint(deps)),
    open(['manage'], '/docs', createDocsEndpoint(deps)),
    open(['manage'], '/docs/viewer.js', createViewerScriptEndpoint(deps)),
    open(['manage'], '/docs/viewer.css', createViewerStyleEndpoint(deps)),
  ]
}
