import Joi from 'joi'
import { decideCashbackActions, decideNextOfCashback } from '../../core/cashback/decide-actions.ts'
import type { CashbackActionName } from '../../core/cashback/decide-actions.ts'
import { getCashback } from '../../core/cashback/load-cashbacks.ts'
import { listCashbacks } from '../../core/cashback/read-cashbacks.ts'
import type { CashbackRecord } from '../../core/cashback/read-cashbacks.ts'
import { readWalletAnswers } from '../../core/cashback/read-answers.ts'
import type { KeptAnswer } from '../../core/cashback/read-answers.ts'
import type { ReversalPrize } from '../../core/cashback/cashback.ts'
import { cashbackTransitions } from '../../core/cashback/state.ts'
import type { CashbackState } from '../../core/cashback/state.ts'
import type { CashbackMove, ResolvedOutcome } from '../../core/cashback/decide-resolution.ts'
import { createMoveCashbacks } from '../../core/cashback/move-cashbacks.ts'
import { readHistory } from '../../core/event/read-history.ts'
import type { HistoryEntry } from '../../core/event/read-history.ts'
import { amountToJson } from '../../core/money.ts'
import { publicProblem } from '../../core/partner/public-problem.ts'
import { readSnoozed } from '../../core/outbox/read-snoozed.ts'
import type { ApiDeps } from '../deps.ts'
import { idInQuery, parseInput } from '../parse-input.ts'
import { actionFields, offered } from './action-shapes.ts'
import type { RightOf, WithActions } from './action-shapes.ts'
import { actOfMove, refuseAlone } from './approvals.ts'
import type { CasinoEndpoint, CasinoRequest } from './casino-endpoint.ts'
import { listParameters, parseListQuery, renderList } from './list-query.ts'
import { historyEntry } from './history.ts'
import { expectedRevision, pathId, reason } from '../inputs.ts'
import {
  amount,
  boolean,
  count,
  currency,
  id,
  list,
  nullable,
  oneOf,
  string,
  time,
} from '../../core/shape/json-schema.ts'
import { choice, requestOf, required } from '../../core/shape/request-shape.ts'
import type { ParsedBy } from '../../core/shape/request-shape.ts'
import { field, shapeOf } from '../../core/shape/shape.ts'
import { success } from './render.ts'

type Deps = Pick<ApiDeps, 'database' | 'clock' | 'cipher' | 'handOver'>

export const cashback = shapeOf<CashbackRecord>()('Cashback', {
  cashback_id: field(id, (cashback) => cashback.id),
  prize_id: field(id, (cashback) => cashback.prizeId),
  player_id: field(id, (cashback) => cashback.playerId),
  amount_minor: field(amount, (cashback) => amountToJson(cashback.amountMinor)),
  currency: field(currency, (cashback) => cashback.currency),
  state: field(oneOf(Object.keys(cashbackTransitions)), (cashback) => cashback.state),
  revision: field(count, (cashback) => cashback.revision),
  // Decided when the work is taken up.
  wallet: field(
    nullable(oneOf<string>(['ledger', 'http'])),
    ({ state, wallet }) => (state === 'requested' ? null : wallet),
    { description: 'The kind of wallet that credits it; null before the first attempt.', example: null },
  ),
  attempts: field(count, (cashback) => cashback.attempts, { example: 0 }),
  wallet_reference: field(nullable(string), (cashback) => cashback.walletReference, { example: null }),
  problem: field(nullable(string), (cashback) => publicProblem(cashback.problem), { example: null }),
  reversal_prize: field(nullable(oneOf<string>(['return', 'void'])), (cashback) => cashback.reversalPrize, {
    description: 'Whether the prize goes back to the player or is void, once the wallet has the money back.',
    example: null,
  }),
  debit_attempts: field(count, (cashback) => cashback.debitAttempts, {
    description: 'The number of calls that asked the wallet to take the credit back.',
    example: 0,
  }),
  created_at: field(time, (cashback) => cashback.createdAt),
  updated_at: field(time, (cashback) => cashback.updatedAt),
})

/** The answer of a wallet about a cashback. */
export const walletAnswer = shapeOf<KeptAnswer>()('WalletAnswer', {
  operation: field(oneOf<string>(['credit', 'debit']), (answer) => answer.operation, {
    description: 'The operation of the call.',
    example: 'credit',
  }),
  transaction_id: field(string, (answer) => answer.transactionId),
  wallet_id: field(string, (answer) => answer.wallet, {
    description: 'Which wallet: the same text means the same URL.',
    example: 'a3f1c09b7d2e4456a3f1c09b7d2e4456',
  }),
  attempt: field(count, (answer) => answer.attempt),
  outcome: field(
    oneOf<string>(['credited', 'debited', 'already_processed', 'declined']),
    (answer) => answer.outcome,
    { example: 'credited' },
  ),
  decline_code: field(nullable(string), (answer) => answer.code, {
    description: 'Why the wallet refused.',
    example: null,
  }),
  amount_minor: field(nullable(amount), ({ amountMinor }) =>
    amountMinor === null ? null : amountToJson(amountMinor),
  ),
  currency: field(nullable(currency), (answer) => answer.currency),
  wallet_reference: field(nullable(string), (answer) => answer.reference),
  contradicts: field(boolean, (answer) => answer.contradicts, {
    description: 'Whether something else was on record when it came.',
    example: false,
  }),
  received_at: field(time, (answer) => answer.receivedAt),
})

interface CashbackDetails extends CashbackRecord, WithActions {
  answers: readonly KeptAnswer[]
  history: readonly HistoryEntry[]
}

export const cashbackDetails = shapeOf<CashbackDetails>()('CashbackDetails', {
  ...cashback.fields,
  wallet_answers: field(list(walletAnswer.type), ({ answers }) => answers.map(walletAnswer.render)),
  history: field(list(historyEntry.type), ({ history }) => history.map(historyEntry.render)),
  ...actionFields,
})

export const cashbacksInput = requestOf({
  ...listParameters(),
  state: choice(Object.keys(cashbackTransitions) as CashbackState[]),
  player_id: idInQuery,
})

export const retryInput = requestOf({ reason, expected_revision: expectedRevision })
export const releaseInput = requestOf({ reason: required(reason), expected_revision: expectedRevision })
export const resolveInput = requestOf({
  outcome: required(choice<ResolvedOutcome>(['credited', 'declined', 'reversed'])).example('credited'),
  reason: required(reason).example('The wallet’s log has the booking'),
  expected_revision: expectedRevision,
})
export const reverseInput = requestOf({
  prize: required(choice<ReversalPrize>(['return', 'void'])).description(
    'Whether the prize goes back to the player or is void.',
  ),
  money_back: Joi.boolean()
    .strict()
    .description('The casino has taken the money out of its wallet itself: no wallet is asked.')
    .example(false),
  reason: required(reason).example('Credited by mistake'),
  expected_revision: expectedRevision,
})

const actionInputs: Readonly<Record<CashbackActionName, Joi.ObjectSchema>> = {
  retry: retryInput,
  'release-wallet': releaseInput,
  resolve: resolveInput,
  reverse: reverseInput,
}

/** `GET …/cashbacks`, oldest first. */
export function createListCashbacks({ database }: Pick<Deps, 'database'>): CasinoEndpoint {
  return async ({ casinoId, query }) => {
    const { page, input } = parseListQuery(cashbacksInput, query)
    const filter = { casinoId, playerId: input.player_id, state: input.state }
    return { body: renderList(await listCashbacks(database, filter, page), cashback.render, page) }
  }
}

/** `GET …/cashbacks/{cashback_id}`, with its history and the wallets' answers. */
export function createGetCashback(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  rightOf: RightOf,
): CasinoEndpoint {
  return async (request) => {
    const { casinoId } = request
    const cashbackId = pathId(request, 'cashback_id')
    const found = await getCashback(database, casinoId, cashbackId)
    const actions = offered(decideCashbackActions(found, clock.now()), rightOf, (name) => ({
      route: `POST /cashbacks/:cashback_id/${name}`,
      input: actionInputs[name],
    }))
    const snoozed = await readSnoozed(database, [cashbackId])
    const next = decideNextOfCashback(found.state, snoozed.get(cashbackId) ?? null)
    const history = await readHistory(database, casinoId, [{ type: 'cashback', id: cashbackId }])
    const answers = await readWalletAnswers(database, casinoId, cashbackId)
    return { body: success(cashbackDetails.render({ ...found, answers, history, actions, next })) }
  }
}

/** `POST …/cashbacks/{cashback_id}/retry`: the wallet is asked again immediately. */
export function createRetryCashback(deps: Deps): CasinoEndpoint {
  return moving(deps, ({ body }) => ({ move: { kind: 'retry' }, input: parseInput(retryInput, body) }))
}

/** `POST …/cashbacks/{cashback_id}/release-wallet`: an operator has found out that the previous wallet has not paid. */
export function createReleaseWallet(deps: Deps): CasinoEndpoint {
  return moving(deps, ({ body }) => ({ move: { kind: 'release' }, input: parseInput(releaseInput, body) }))
}

/** `POST …/cashbacks/{cashback_id}/resolve`: an operator has found out whether the wallet has credited, or debited. */
export function createResolveCashback(deps: Deps): CasinoEndpoint {
  return moving(deps, ({ body }) => {
    const input = parseInput(resolveInput, body)
    return { move: { kind: 'resolve', outcome: input.outcome }, input }
  })
}

/** `POST …/cashbacks/{cashback_id}/reverse`: a credit is taken back, by the wallet that has credited. */
export function createReverseCashback(deps: Deps): CasinoEndpoint {
  return moving(deps, ({ body }) => {
    const input = parseInput(reverseInput, body)
    const isMoneyBack = input.money_back ?? false
    return { move: { kind: 'reverse', prize: input.prize, isMoneyBack }, input }
  })
}

/** Answers the cashback as the move left it; a repeat is refused, and says that the cashback is already there. */
function moving(
  deps: Deps,
  parse: (request: CasinoRequest) => { move: CashbackMove; input: ParsedBy<typeof retryInput> },
): CasinoEndpoint {
  const moveCashbacks = createMoveCashbacks(deps)
  return async (request) => {
    const cashbackId = pathId(request, 'cashback_id')
    const { move, input } = parse(request)
    const { casinoId, actor, requestId, claim } = request
    const alone = actOfMove(move)
    if (alone !== undefined) await refuseAlone(deps, request, { ...alone, objectId: cashbackId })
    const [result] = await moveCashbacks([
      {
        casinoId,
        cashbackId,
        move,
        actor,
        reason: input.reason ?? null,
        requestId,
        claim,
        expectedRevision: input.expected_revision,
      },
    ])
    if (result === undefined) throw new Error('a request got no result')
    if ('error' in result) throw result.error
    return { body: success(cashback.render(result.value)) }
  }
}
