import type { ReversalPrize } from '../cashback/cashback.ts'
import type { CashbackMove, ResolvedOutcome } from '../cashback/decide-resolution.ts'
import { RewardsError } from '../errors.ts'
import type { Money } from '../money.ts'
import { orderMoves } from '../prize-order/decide-move.ts'
import type { MoveDetails, OrderMove } from '../prize-order/decide-move.ts'
import type { ExceptionReason, HoldReason } from '../prize-order/state.ts'

/** What an act can do to each object of its selection. */
export const actActions = [
  ...orderMoves.map((move) => `order.${move}` as const),
  'cashback.retry',
  'cashback.release-wallet',
  'cashback.resolve',
  'cashback.reverse',
  'prize.void',
  'event.replay',
] as const
export type ActAction = (typeof actActions)[number]

export type ActObjectType = 'prize_order' | 'cashback' | 'prize' | 'event'

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
  endpoint_id?: string
}
export type ActParam = keyof ActParams

/** What an action takes, what it needs, and what a person must know beforehand. */
interface ActMeaning {
  objectType: ActObjectType
  right: 'support' | 'finance'
  required: readonly ActParam[]
  optional: readonly ActParam[]
  consequence: (params: ActParams) => string
  cannotUndo: boolean
}

const order = (
  consequence: ActMeaning['consequence'],
  more: Partial<Pick<ActMeaning, 'required' | 'optional' | 'cannotUndo'>> = {},
): ActMeaning => ({
  objectType: 'prize_order',
  right: 'support',
  required: [],
  optional: [],
  cannotUndo: false,
  ...more,
  consequence,
})

const cashback = (
  right: ActMeaning['right'],
  consequence: ActMeaning['consequence'],
  more: Partial<Pick<ActMeaning, 'required' | 'optional' | 'cannotUndo'>> = {},
): ActMeaning => ({ ...order(consequence, more), objectType: 'cashback', right })

const fateOf = ({ return_prize: returnsPrize }: ActParams) =>
  returnsPrize === false ? 'the prize becomes void' : 'the player gets the prize back'

const meanings: Readonly<Record<ActAction, ActMeaning>> = {
  'order.confirm': order(() => 'Each order is confirmed and goes to fulfilment.'),
  'order.reject': order((params) => `Each order ends, and ${fateOf(params)}.`, {
    optional: ['return_prize'],
    cannotUndo: true,
  }),
  'order.cancel': order(
    (params) =>
      `Each order is cancelled, and ${fateOf(params)}; a provider that may have the parcel is asked first.`,
    { optional: ['return_prize', 'final'], cannotUndo: true },
  ),
  'order.resume': order(() => 'Each cancellation is withdrawn: the parcel stays on its way.'),
  'order.hold': order(() => 'Each order is held: nothing is sent until the hold is released.', {
    required: ['hold_reason'],
  }),
  'order.release': order(() => 'The holds end, and confirmed orders go to fulfilment.', {
    optional: ['hold_reason'],
  }),
  'order.ship': order(() => 'Each order counts as shipped.', { optional: ['carrier'], cannotUndo: true }),
  'order.deliver': order(() => 'Each order counts as delivered, and its prize as fulfilled.', {
    cannotUndo: true,
  }),
  'order.exception': order(() => 'Each order waits for a person: the parcel did not arrive.', {
    required: ['exception_reason'],
  }),
  'order.reship': order(() => 'Each order is sent again, as a new parcel.', { cannotUndo: true }),
  'cashback.retry': cashback('support', () => 'The wallet is asked again for each cashback.'),
  'cashback.release-wallet': cashback(
    'finance',
    () =>
      'The casino’s current wallet may be asked for each cashback: it pays twice if the earlier one has paid.',
    { cannotUndo: true },
  ),
  'cashback.resolve': cashback(
    'finance',
    ({ outcome }) => `Each cashback is recorded as ${outcome ?? 'resolved'}; no wallet is asked.`,
    { required: ['outcome'], cannotUndo: true },
  ),
  'cashback.reverse': cashback(
    'finance',
    ({ prize, money_back: isMoneyBack }) =>
      `The money of each cashback is taken back${isMoneyBack === true ? ' (the casino has it already)' : ''}, and the prize ` +
      (prize === 'void' ? 'becomes void.' : 'goes back to the player.'),
    { required: ['prize'], optional: ['money_back'], cannotUndo: true },
  ),
  'prize.void': {
    objectType: 'prize',
    right: 'finance',
    required: [],
    optional: [],
    consequence: () => 'The players lose the prizes permanently.',
    cannotUndo: true,
  },
  'event.replay': {
    objectType: 'event',
    right: 'support',
    required: [],
    optional: ['endpoint_id'],
    consequence: ({ endpoint_id: endpointId }) =>
      endpointId === undefined
        ? 'Each event is sent again to every endpoint that wants its type.'
        : 'Each event is sent again to the endpoint.',
    cannotUndo: true,
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

/** Whether a person decides about money with it: what the limits of the casino's approvals count. */
export function decidesMoney(action: ActAction, { outcome }: Pick<ActParams, 'outcome'>): boolean {
  switch (action) {
    case 'cashback.resolve':
      return outcome !== 'declined'
    case 'cashback.reverse':
    case 'cashback.release-wallet':
    case 'prize.void':
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

/** Whether a sum is above the limit of its currency. A currency without a limit needs nobody. */
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
