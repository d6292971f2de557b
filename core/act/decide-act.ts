import type { ReversalPrize } from '../cashback/cashback.ts'
import { usualEffectOf as effectOnCashback } from '../cashback/decide-actions.ts'
import type { CashbackActionName } from '../cashback/decide-actions.ts'
import type { CashbackMove, ResolvedOutcome } from '../cashback/decide-resolution.ts'
import { RewardsError } from '../errors.ts'
import type { Money } from '../money.ts'
import { usualEffectOf as effectOnOrder } from '../prize-order/decide-actions.ts'
import { orderMoves } from '../prize-order/decide-move.ts'
import type { MoveDetails, OrderMove } from '../prize-order/decide-move.ts'
import type { ExceptionReason, HoldReason } from '../prize-order/state.ts'
import type { Effect } from '../prize/decide-action.ts'
import { effectOfVoid } from '../prize/decide-void.ts'

/** The actions that an act can take on each object of its selection. */
export const actActions = [
  ...orderMoves.map((move) => `order.${move}` as const),
  'cashback.retry',
  'cashback.release-wallet',
  'cashback.resolve',
  'cashback.reverse',
  'prize.void',
  'player.give-prize',
  'event.replay',
] as const
export type ActAction = (typeof actActions)[number]

export type ActObjectType = 'prize_order' | 'cashback' | 'prize' | 'player' | 'event'

/** The further fields of the action, the same for every object; those of the single moves, without tracking numbers. */
export interface ActParams {
  return_prize?: boolean
  final?: boolean
  hold_reason?: HoldReason
  exception_reason?: ExceptionReason
  carrier?: string
  outcome?: ResolvedOutcome
  prize?: ReversalPrize
  money_back?: boolean
  item_id?: string
  endpoint_id?: string
}
export type ActParam = keyof ActParams

/** The objects that an action takes, the right and parameters it needs, and its effect, for the person who decides. */
interface ActMeaning {
  objectType: ActObjectType
  right: 'support' | 'finance'
  required: readonly ActParam[]
  optional: readonly ActParam[]
  /** On each object. */
  effect: (params: ActParams) => Effect
}

type MoreOfMeaning = Partial<Pick<ActMeaning, 'required' | 'optional'>>

const order = (move: OrderMove, more: MoreOfMeaning = {}): ActMeaning => ({
  objectType: 'prize_order',
  right: 'support',
  required: [],
  optional: [],
  ...more,
  effect: ({ return_prize: returnsPrize = null }) => effectOnOrder(move, returnsPrize),
})

const cashback = (
  action: CashbackActionName,
  right: ActMeaning['right'],
  more: MoreOfMeaning = {},
): ActMeaning => ({
  objectType: 'cashback',
  right,
  required: [],
  optional: [],
  ...more,
  effect: ({ money_back: isMoneyBack = false, ...choice }) =>
    effectOnCashback(action, { ...choice, isMoneyBack }),
})

const effectOfReplay = ({ endpoint_id: endpointId }: ActParams): Effect => ({
  consequence:
    endpointId === undefined
      ? 'The event is sent again to every endpoint that wants its type.'
      : 'The event is sent again to the endpoint.',
  cannotUndo: true,
})

const meanings: Readonly<Record<ActAction, ActMeaning>> = {
  'order.confirm': order('confirm'),
  'order.reject': order('reject', { optional: ['return_prize'] }),
  'order.cancel': order('cancel', { optional: ['return_prize', 'final'] }),
  'order.resume': order('resume'),
  'order.hold': order('hold', { required: ['hold_reason'] }),
  'order.release': order('release', { optional: ['hold_reason'] }),
  'order.ship': order('ship', { optional: ['carrier'] }),
  'order.deliver': order('deliver'),
  'order.exception': order('exception', { required: ['exception_reason'] }),
  'order.reship': order('reship'),
  'cashback.retry': cashback('retry', 'support'),
  'cashback.release-wallet': cashback('release-wallet', 'finance'),
  'cashback.resolve': cashback('resolve', 'finance', { required: ['outcome'] }),
  'cashback.reverse': cashback('reverse', 'finance', { required: ['prize'], optional: ['money_back'] }),
  'prize.void': {
    objectType: 'prize',
    right: 'finance',
    required: [],
    optional: [],
    effect: () => effectOfVoid,
  },
  'player.give-prize': {
    objectType: 'player',
    right: 'finance',
    required: ['item_id'],
    optional: [],
    effect: ({ item_id: itemId = '' }) => ({
      consequence: `The player gets a prize of the item ${itemId}.`,
      cannotUndo: false,
    }),
  },
  'event.replay': {
    objectType: 'event',
    right: 'support',
    required: [],
    optional: ['endpoint_id'],
    effect: effectOfReplay,
  },
}

export function meaningOf(action: ActAction): ActMeaning {
  return meanings[action]
}

/** Narrows the action of an order's act; undefined for others. */
export function orderMoveOf(action: ActAction): OrderMove | undefined {
  return orderMoves.find((move) => action === `order.${move}`)
}

export function moveDetailsOf(params: ActParams): MoveDetails {
  return {
    carrier: params.carrier ?? null,
    trackingNumber: null,
    returnsPrize: params.return_prize ?? null,
    isFinal: params.final ?? false,
    holdReason: params.hold_reason ?? null,
    exceptionReason: params.exception_reason ?? null,
  }
}

/** The move of a cashback's act. Required parameters are there: the act was made with them. */
export function cashbackMoveOf(action: ActAction, params: ActParams): CashbackMove {
  const { outcome, prize, money_back: isMoneyBack = false } = params
  if (action === 'cashback.retry') return { kind: 'retry' }
  if (action === 'cashback.release-wallet') return { kind: 'release' }
  if (action === 'cashback.resolve' && outcome !== undefined) return { kind: 'resolve', outcome }
  if (action === 'cashback.reverse' && prize !== undefined) return { kind: 'reverse', prize, isMoneyBack }
  throw new Error(`${action} is no move of a cashback, or lacks a parameter`)
}

/** Of an act that gives prizes: it was made with the parameter. */
export function itemIdOf({ item_id: itemId }: ActParams): string {
  if (itemId === undefined) throw new Error('the act has no item')
  return itemId
}

/** Whether a person decides about money with it; the limits of the casino's approvals apply to such an action. */
export function decidesMoney(action: ActAction, { outcome }: Pick<ActParams, 'outcome'>): boolean {
  switch (action) {
    case 'cashback.resolve':
      return outcome !== 'declined'
    case 'cashback.reverse':
    case 'cashback.release-wallet':
    case 'prize.void':
    case 'player.give-prize':
      return true
    default:
      return false
  }
}

/** The sum of each currency, in the order of the currencies. */
export function sumOf(amounts: readonly Money[]): Money[] {
  const sums = new Map<string, bigint>()
  for (const { currency, amountMinor } of amounts) {
    sums.set(currency, (sums.get(currency) ?? 0n) + amountMinor)
  }
  return [...sums]
    .map(([currency, amountMinor]) => ({ currency, amountMinor }))
    .sort((a, b) => (a.currency < b.currency ? -1 : 1))
}

/** Whether a sum is above the limit of its currency. A currency without a limit needs no approval. */
export function isAboveLimit(amounts: readonly Money[], limits: readonly Money[]): boolean {
  return sumOf(amounts).some(({ currency, amountMinor }) =>
    limits.some((limit) => limit.currency === currency && amountMinor > limit.amountMinor),
  )
}

/** The person behind an actor; undefined for keys, which are scripts. */
export function personOf(actor: string): string | undefined {
  return /^operator:(.+)$/.exec(actor)?.[1]
}

/** Throws `approval_required` if a person alone may not decide about such an amount. */
export function refuseAloneAbove(limits: readonly Money[], actor: string, amounts: readonly Money[]): void {
  if (personOf(actor) !== undefined && isAboveLimit(amounts, limits)) {
    throw new RewardsError('approval_required')
  }
}
