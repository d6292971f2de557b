import Joi from 'joi'
import { getCashback, listCashbacks } from '../../core/cashback/read-cashbacks.ts'
import type { CashbackRecord } from '../../core/cashback/read-cashbacks.ts'
import { readWalletAnswers } from '../../core/cashback/read-answers.ts'
import type { KeptAnswer } from '../../core/cashback/read-answers.ts'
import type { ReversalPrize } from '../../core/cashback/cashback.ts'
import { cashbackTransitions } from '../../core/cashback/state.ts'
import type { CashbackState } from '../../core/cashback/state.ts'
import type { CashbackMove, ResolvedOutcome } from '../../core/cashback/decide-resolution.ts'
import { createMoveCashbacks } from '../../core/cashback/move-cashbacks.ts'
import { readHistory } from '../../core/event/read-history.ts'
import { amountToJson } from '../../core/money.ts'
import type { ApiDeps } from '../deps.ts'
import { callerId, parseInput } from '../parse-input.ts'
import type { CasinoEndpoint, CasinoRequest } from './casino-endpoint.ts'
import { listParameters, parseListQuery, renderList } from './list-query.ts'
import type { ListQuery } from './list-query.ts'
import { renderHistoryEntry } from './history.ts'
import { pathId, reason } from '../inputs.ts'
import { success } from './render.ts'

type Deps = Pick<ApiDeps, 'database' | 'clock' | 'handOver'>

export const cashbacksInput = Joi.object<ListQuery & { state?: CashbackState; player_id?: string }>({
  ...listParameters(),
  state: Joi.string().valid(...Object.keys(cashbackTransitions)),
  player_id: callerId,
})

interface MoveInput {
  reason?: string
}

export const retryInput = Joi.object<MoveInput>({ reason })
export const releaseInput = Joi.object<MoveInput>({ reason: reason.required() })
export const resolveInput = Joi.object<MoveInput & { outcome: ResolvedOutcome }>({
  outcome: Joi.string().valid('credited', 'declined', 'reversed').required(),
  reason: reason.required(),
})
export const reverseInput = Joi.object<MoveInput & { prize: ReversalPrize; money_back?: boolean }>({
  prize: Joi.string().valid('return', 'void').required(),
  money_back: Joi.boolean().strict(),
  reason: reason.required(),
})

/** `GET …/cashbacks`, oldest first. */
export function createListCashbacks({ database }: Pick<Deps, 'database'>): CasinoEndpoint {
  return async ({ casinoId, query }) => {
    const { page, input } = parseListQuery(cashbacksInput, query)
    const filter = { casinoId, playerId: input.player_id, state: input.state }
    return { body: renderList(await listCashbacks(database, filter, page), renderCashback, page) }
  }
}

/** `GET …/cashbacks/{cashback_id}`, with its history and what wallets have said of it. */
export function createGetCashback({ database }: Pick<Deps, 'database'>): CasinoEndpoint {
  return async (request) => {
    const id = pathId(request, 'cashback_id')
    const cashback = await getCashback(database, request.casinoId, id)
    const history = await readHistory(database, request.casinoId, [{ type: 'cashback', id }])
    const answers = await readWalletAnswers(database, request.casinoId, id)
    return {
      body: success({
        ...renderCashback(cashback),
        wallet_answers: answers.map(renderWalletAnswer),
        history: history.map(renderHistoryEntry),
      }),
    }
  }
}

/** `POST …/cashbacks/{cashback_id}/retry`: the wallet is asked again, at once. */
export function createRetryCashback(deps: Deps): CasinoEndpoint {
  return moving(deps, ({ body }) => ({ move: { kind: 'retry' }, input: parseInput(retryInput, body) }))
}

/** `POST …/cashbacks/{cashback_id}/release-wallet`: somebody has found out that the wallet before has not paid. */
export function createReleaseWallet(deps: Deps): CasinoEndpoint {
  return moving(deps, ({ body }) => ({ move: { kind: 'release' }, input: parseInput(releaseInput, body) }))
}

/** `POST …/cashbacks/{cashback_id}/resolve`: somebody has found out whether the wallet has credited, or debited. */
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
  parse: (request: CasinoRequest) => { move: CashbackMove; input: MoveInput },
): CasinoEndpoint {
  const moveCashbacks = createMoveCashbacks(deps)
  return async (request) => {
    const cashbackId = pathId(request, 'cashback_id')
    const { move, input } = parse(request)
    const { casinoId, actor, requestId, claim } = request
    const [result] = await moveCashbacks([
      { casinoId, cashbackId, move, actor, reason: input.reason ?? null, requestId, claim },
    ])
    if (result === undefined) throw new Error('a request got no result')
    if ('error' in result) throw result.error
    return { body: success(renderCashback(result.value)) }
  }
}

export function renderCashback(cashback: CashbackRecord): object {
  return {
    cashback_id: cashback.id,
    prize_id: cashback.prizeId,
    player_id: cashback.playerId,
    amount_minor: amountToJson(cashback.amountMinor),
    currency: cashback.currency,
    state: cashback.state,
    // Decided when the work is taken up.
    wallet: cashback.state === 'requested' ? null : cashback.wallet,
    attempts: cashback.attempts,
    wallet_reference: cashback.walletReference,
    problem: cashback.problem,
    reversal_prize: cashback.reversalPrize,
    debit_attempts: cashback.debitAttempts,
    created_at: cashback.createdAt,
    updated_at: cashback.updatedAt,
  }
}

export function renderWalletAnswer(answer: KeptAnswer): object {
  return {
    operation: answer.operation,
    transaction_id: answer.transactionId,
    wallet_id: answer.wallet,
    attempt: answer.attempt,
    outcome: answer.outcome,
    decline_code: answer.code,
    amount_minor: answer.amountMinor === null ? null : amountToJson(answer.amountMinor),
    currency: answer.currency,
    wallet_reference: answer.reference,
    contradicts: answer.contradicts,
    received_at: answer.receivedAt,
  }
}
