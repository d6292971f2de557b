import { actMoves } from '../../core/act/decide-act-move.ts'
import { orderMoves } from '../../core/prize-order/decide-move.ts'
import type { ApiDeps } from '../deps.ts'
import type { Route } from '../route.ts'
import { createGetAct, createListActObjects, createListActs, createMoveAct, createPostAct } from './acts.ts'
import { createCreateApiKey, createListApiKeys, createRevokeApiKey, createRotateApiKey } from './api-keys.ts'
import {
  createGetAuditEntry,
  createGetServiceAuditEntry,
  createListAudit,
  createListServiceAudit,
} from './audit.ts'
import { createGetBoxStatistics, createListVersions } from './box-versions.ts'
import { createGetBox, createListBoxes, createPutBox, createSwitchBox } from './boxes.ts'
import {
  createGetCashback,
  createListCashbacks,
  createReleaseWallet,
  createResolveCashback,
  createRetryCashback,
  createReverseCashback,
} from './cashbacks.ts'
import {
  createCreateOperator,
  createEndSession,
  createEndSessions,
  createGetOperator,
  createInviteOperator,
  createListOperators,
  createListSessions,
  createPutOperator,
  createResetSecondFactor,
  createSwitchOperator,
} from './operators.ts'
import { fromReplica } from './from-replica.ts'
import { casinoRightOf } from './rights.ts'
import { createRouteMakers } from './route-makers.ts'
import {
  createBeginSecondFactor,
  createConfirmSecondFactor,
  createEndOtherSessions,
  createEndOwnSession,
  createGetOwnSession,
  createListOwnSessions,
  createPutPassword,
} from './session.ts'
import { createGetCasino, createListCasinos, createPutCasino } from './casinos.ts'
import { createGetEvent, createListEvents } from './events.ts'
import { createGetSeed, createRotateSeed } from './fairness.ts'
import { createListGrants, createListPlayerGrants, createPostGrants } from './grants.ts'
import { createGetItem, createListItems, createPutItem } from './items.ts'
import {
  createCorrectAddress,
  createGetOrder,
  createListOrders,
  createMoveOrder,
  createRevealDelivery,
} from './orders.ts'
import { createGetPlayer, createGetPlayerBalance, createListPlayerPrizes } from './players.ts'
import { createErasePlayer, createExportPlayer, createPreviewErasure } from './privacy.ts'
import { createPostNote } from './notes.ts'
import { createGetOpeningDetails } from './openings.ts'
import { createGetPrize, createPostPrize, createVoidPrize } from './prizes.ts'
import { createGetTimeline } from './timeline.ts'
import {
  createGetSetting,
  createListSettings,
  createPutSetting,
  createResumeSetting,
  createTestSetting,
} from './settings.ts'
import { createSearch } from './search.ts'
import { createGetState } from './state.ts'
import { createSimulateBox } from './simulate.ts'
import { createListDeliveries, createListEventDeliveries, createTestEndpoint } from './webhook-deliveries.ts'
import { createReplayEndpoint, createReplayEvent } from './webhook-replays.ts'
import {
  createDeleteEndpoint,
  createGetEndpoint,
  createListEndpoints,
  createPutEndpoint,
  createRotateSecret,
  createSwitchEndpoint,
} from './webhook-endpoints.ts'
import { createGetWork } from './work.ts'

/** Every method and path of the management API; each is described in api/openapi/describe, or it does not compile. */
export function createAdminRoutes(deps: ApiDeps): Route[] {
  const { service, servicePost, casino, post } = createRouteMakers(deps)
  return [
    service('GET', '/admin/session', createGetOwnSession()),
    service('PUT', '/admin/session/password', createPutPassword(deps)),
    service('PUT', '/admin/session/second-factor', createBeginSecondFactor(deps)),
    service('PUT', '/admin/session/second-factor/confirmation', createConfirmSecondFactor(deps)),
    service('GET', '/admin/session/sessions', createListOwnSessions(deps)),
    service('DELETE', '/admin/session/sessions', createEndOtherSessions(deps)),
    service('DELETE', '/admin/session/sessions/:session_id', createEndOwnSession(deps)),

    service('GET', '/admin/operators', createListOperators(deps)),
    servicePost('/admin/operators', createCreateOperator(deps)),
    service('GET', '/admin/operators/:operator_id', createGetOperator(deps)),
    service('PUT', '/admin/operators/:operator_id', createPutOperator(deps)),
    servicePost('/admin/operators/:operator_id/disable', createSwitchOperator(deps, 'disable')),
    servicePost('/admin/operators/:operator_id/enable', createSwitchOperator(deps, 'enable')),
    servicePost('/admin/operators/:operator_id/invite', createInviteOperator(deps)),
    servicePost('/admin/operators/:operator_id/reset-second-factor', createResetSecondFactor(deps)),
    service('GET', '/admin/operators/:operator_id/sessions', createListSessions(deps)),
    service('DELETE', '/admin/operators/:operator_id/sessions', createEndSessions(deps)),
    service('DELETE', '/admin/operators/:operator_id/sessions/:session_id', createEndSession(deps)),

    service('GET', '/admin/work', fromReplica(deps, createGetWork)),
    service('GET', '/admin/search', fromReplica(deps, createSearch)),
    service('GET', '/admin/state', createGetState(deps)),

    service('GET', '/admin/casinos', fromReplica(deps, createListCasinos)),
    service('PUT', '/admin/casinos/:casino_id', createPutCasino(deps)),
    service('GET', '/admin/audit', fromReplica(deps, createListServiceAudit)),
    service('GET', '/admin/audit/:entry_id', createGetServiceAuditEntry(deps)),
    casino('GET', '', createGetCasino(deps)),
    casino('GET', '/audit', fromReplica(deps, createListAudit)),
    casino('GET', '/audit/:entry_id', createGetAuditEntry(deps)),

    post('/api-keys', createCreateApiKey(deps)),
    casino('GET', '/api-keys', createListApiKeys(deps)),
    casino('DELETE', '/api-keys/:key_id', createRevokeApiKey(deps)),
    post('/api-keys/:key_id/rotate', createRotateApiKey(deps)),

    casino('PUT', '/items/:item_id', createPutItem(deps)),
    casino('GET', '/items/:item_id', createGetItem(deps)),
    casino('GET', '/items', fromReplica(deps, createListItems)),

    casino('PUT', '/boxes/:box_id', createPutBox(deps)),
    casino('GET', '/boxes/:box_id', createGetBox(deps)),
    casino('GET', '/boxes', fromReplica(deps, createListBoxes)),
    casino('GET', '/boxes/:box_id/versions', fromReplica(deps, createListVersions)),
    casino('GET', '/boxes/:box_id/statistics', fromReplica(deps, createGetBoxStatistics)),
    post('/boxes/:box_id/simulate', createSimulateBox(deps)),
    post('/boxes/:box_id/enable', createSwitchBox(deps, true)),
    post('/boxes/:box_id/disable', createSwitchBox(deps, false)),

    post('/fairness/rotate', createRotateSeed(deps)),
    casino('GET', '/fairness/seeds/:seed_id', createGetSeed(deps)),

    casino('GET', '/settings', createListSettings(deps)),
    casino('GET', '/settings/:name', createGetSetting(deps)),
    casino('PUT', '/settings/:name', createPutSetting(deps)),
    post('/settings/:name/test', createTestSetting(deps)),
    post('/settings/:name/resume', createResumeSetting(deps)),

    post('/grants', createPostGrants(deps)),
    casino('GET', '/grants', fromReplica(deps, createListGrants)),

    post('/prizes', createPostPrize(deps)),
    casino('GET', '/prizes/:prize_id', createGetPrize(deps, casinoRightOf)),
    casino('GET', '/prizes/:prize_id/timeline', createGetTimeline(deps)),
    post('/prizes/:prize_id/notes', createPostNote(deps)),
    post('/prizes/:prize_id/void', createVoidPrize(deps)),

    casino('GET', '/openings/:opening_id', createGetOpeningDetails(deps)),
    casino('GET', '/players/:player_id', createGetPlayer(deps)),
    casino('GET', '/players/:player_id/prizes', fromReplica(deps, createListPlayerPrizes)),
    casino('GET', '/players/:player_id/grants', fromReplica(deps, createListPlayerGrants)),
    casino('GET', '/players/:player_id/balance', createGetPlayerBalance(deps)),
    casino('GET', '/players/:player_id/erasure', createPreviewErasure(deps)),
    post('/players/:player_id/erase', createErasePlayer(deps)),
    post('/players/:player_id/export', createExportPlayer(deps)),

    casino('GET', '/orders', fromReplica(deps, createListOrders)),
    casino('GET', '/orders/:order_id', createGetOrder(deps, casinoRightOf)),
    post('/orders/:order_id/reveal', createRevealDelivery(deps)),
    casino('PUT', '/orders/:order_id/delivery', createCorrectAddress(deps)),
    ...orderMoves.map((move) => post(`/orders/:order_id/${move}`, createMoveOrder(deps, move))),

    casino('GET', '/cashbacks', fromReplica(deps, createListCashbacks)),
    casino('GET', '/cashbacks/:cashback_id', createGetCashback(deps, casinoRightOf)),
    post('/cashbacks/:cashback_id/retry', createRetryCashback(deps)),
    post('/cashbacks/:cashback_id/release-wallet', createReleaseWallet(deps)),
    post('/cashbacks/:cashback_id/resolve', createResolveCashback(deps)),
    post('/cashbacks/:cashback_id/reverse', createReverseCashback(deps)),

    post('/acts', createPostAct(deps)),
    casino('GET', '/acts', fromReplica(deps, createListActs)),
    casino('GET', '/acts/:act_id', createGetAct(deps)),
    casino('GET', '/acts/:act_id/objects', fromReplica(deps, createListActObjects)),
    ...actMoves.map((move) => post(`/acts/:act_id/${move}`, createMoveAct(deps, move))),

    casino('GET', '/events', createListEvents(deps)),
    casino('GET', '/events/:event_id', createGetEvent(deps)),
    casino('GET', '/events/:event_id/deliveries', fromReplica(deps, createListEventDeliveries)),
    post('/events/:event_id/replay', createReplayEvent(deps)),

    casino('PUT', '/webhook-endpoints/:endpoint_id', createPutEndpoint(deps)),
    casino('GET', '/webhook-endpoints/:endpoint_id', createGetEndpoint(deps)),
    casino('GET', '/webhook-endpoints', createListEndpoints(deps)),
    casino('DELETE', '/webhook-endpoints/:endpoint_id', createDeleteEndpoint(deps)),
    post('/webhook-endpoints/:endpoint_id/rotate-secret', createRotateSecret(deps)),
    post('/webhook-endpoints/:endpoint_id/enable', createSwitchEndpoint(deps, 'enabled')),
    post('/webhook-endpoints/:endpoint_id/disable', createSwitchEndpoint(deps, 'disabled')),
    post('/webhook-endpoints/:endpoint_id/test', createTestEndpoint(deps)),
    post('/webhook-endpoints/:endpoint_id/replay', createReplayEndpoint(deps)),
    casino('GET', '/webhook-endpoints/:endpoint_id/deliveries', fromReplica(deps, createListDeliveries)),
  ]
}
