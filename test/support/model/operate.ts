import { randomUUID } from 'node:crypto'
import { delivery } from '../factory.ts'
import { factsOfOrder, resultOfCashbackMove, resultOfMove } from './facts.ts'
import type { CashbackMoveName, OrderFacts, OrderMoveName } from './facts.ts'
import { eventsOf, readRecords } from './records.ts'
import type { CashbackRow, EventRow, OrderRow, Records } from './records.ts'
import { insist } from './world.ts'
import type { World } from './world.ts'

export interface OrderMove {
  move: OrderMoveName
  holdReason: string | undefined
  returnsPrize: boolean
}

/**
 * A move of an operator with an order. A 200 needs a state from which the move is legal, and leads where it must; a 409
 * needs a moment in which it was illegal, and has no effect. Workers and partners may move the order meanwhile.
 */
export async function moveOrder(
  world: World,
  order: OrderRow,
  asked: OrderMove,
  start: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const { move, holdReason } = asked
  const path = `/${world.casino.id}/orders/${order.id}`
  const seen = eventsOf(await readRecords(world.machine.database, world.casino.id), 'prize_order', order.id)
  await start()
  const reply =
    move === 'correct'
      ? await world
          .operator()
          .put(`${path}/delivery`, { ...delivery, street: `${seen.length} Corrected Street` })
      : await world.operator().post(`${path}/${move === 'final cancel' ? 'cancel' : move}`, bodyOf(asked))
  const after = await readRecords(world.machine.database, world.casino.id)
  const events = eventsOf(after, 'prize_order', order.id)
  const facts = factsOfOrder(events)
  const effects = effectsOf(after, reply.headers.get('X-Request-Id')).filter(
    (event) => event.object_type === 'prize_order',
  )
  const what = `${move} of order ${order.id}, answered with ${reply.status}`
  if (reply.status === 409) {
    insist(effects.length === 0, () => `${what}, had effects all the same`)
    const possible = facts.slice(Math.max(0, seen.length - 1))
    insist(
      possible.some((moment) => resultOfMove(move, holdReason, moment) === undefined),
      () => `${what}, although the order was ${describe(possible)}`,
    )
    return
  }
  insist(reply.status === 200, () => `${what}: ${reply.text}`)
  const first = effects[0]
  const last = effects.at(-1)
  insist(first !== undefined, () => `${what}, without an effect`)
  const before = facts[(first?.sequence ?? 0) - 2]
  const expected = before === undefined ? undefined : resultOfMove(move, holdReason, before)
  // A withdrawn cancellation returns the order to its earlier state, and a provider that had the parcel is asked first.
  const others =
    move === 'resume'
      ? ['processing', 'exception']
      : before?.state === 'exception' && expected === 'cancelled' && order.provider === 'http'
        ? ['cancel_requested']
        : []
  const isRight =
    expected === last?.to_state || (expected !== undefined && others.includes(last?.to_state ?? ''))
  insist(isRight, () => `${what}, and made it ${last?.to_state}, where it was ${describe([before])}`)
  checkPrizeOf(asked, last, after, what)
}

function bodyOf({ move, holdReason, returnsPrize }: OrderMove): object {
  switch (move) {
    case 'reject':
    case 'cancel':
      return { return_prize: returnsPrize, reason: 'because' }
    case 'final cancel':
      return { return_prize: returnsPrize, final: true }
    case 'hold':
      return { hold_reason: holdReason ?? 'other' }
    case 'release':
      return holdReason === undefined ? {} : { hold_reason: holdReason }
    case 'ship':
      return { carrier: 'Post', tracking_number: randomUUID() }
    case 'exception':
      return { exception_reason: 'returned' }
    default:
      return {}
  }
}

/** The prize goes where the order's end sends it, in the same write. */
function checkPrizeOf(
  { move, returnsPrize }: OrderMove,
  last: EventRow | undefined,
  after: Records,
  what: string,
) {
  const moved = effectsOf(after, last?.request_id ?? null).find(
    (event) => event.object_type === 'prize',
  )?.to_state
  // A hold can be released afterwards, too.
  const isEnd =
    ['rejected', 'cancelled'].includes(last?.to_state ?? '') && last?.from_state !== last?.to_state
  const given = last?.from_state === 'cancel_requested' ? (moved ?? '') : returnsPrize ? 'won' : 'voided'
  const expected = move === 'deliver' ? 'fulfilled' : isEnd ? given : undefined
  insist(moved === expected, () => `${what}, and the prize became ${moved} instead of ${expected}`)
}

/** A move of an operator with a cashback. */
export async function moveCashback(
  world: World,
  cashback: CashbackRow,
  move: CashbackMoveName,
  start: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const path = `/${world.casino.id}/cashbacks/${cashback.id}`
  const seen = eventsOf(await readRecords(world.machine.database, world.casino.id), 'cashback', cashback.id)
  const operator = world.operator()
  await start()
  const reply = await (move === 'retry'
    ? operator.post(`${path}/retry`, {})
    : move === 'return' || move === 'void' || move === 'money back'
      ? operator.post(`${path}/reverse`, reversalOf(move))
      : operator.post(`${path}/resolve`, { outcome: move, reason: 'because' }))
  const after = await readRecords(world.machine.database, world.casino.id)
  const events = eventsOf(after, 'cashback', cashback.id)
  // The paying wallet is settled before an operator reverses the cashback.
  const wallet = after.cashbacks.find(({ id }) => id === cashback.id)?.wallet ?? cashback.wallet
  const states = events.map(({ to_state, actor, data }) => ({
    wallet,
    state: to_state as CashbackRow['state'],
    problem: typeof data?.['problem'] === 'string' ? data['problem'] : null,
    mayBeInCall: (to_state === 'processing' || to_state === 'reversing') && actor === 'worker',
  }))
  const effects = effectsOf(after, reply.headers.get('X-Request-Id')).filter(
    (event) => event.object_type === 'cashback',
  )
  const what = `${move} of cashback ${cashback.id}, answered with ${reply.status}`
  if (reply.status === 409) {
    insist(effects.length === 0, () => `${what}, had effects all the same`)
    const possible = states.slice(Math.max(0, seen.length - 1))
    insist(
      possible.some((moment) => moment.mayBeInCall || resultOfCashbackMove(move, moment) === undefined),
      () => `${what}, although the cashback was ${possible.map(({ state }) => state).join(', ')}`,
    )
    return
  }
  insist(reply.status === 200, () => `${what}: ${reply.text}`)
  const before = states[(effects[0]?.sequence ?? 0) - 2]
  const expected = before === undefined ? undefined : resultOfCashbackMove(move, before)
  insist(
    expected !== undefined && expected === effects.at(-1)?.to_state,
    () => `${what}, and made it ${effects.at(-1)?.to_state}, where it was ${before?.state}`,
  )
}

function reversalOf(move: 'return' | 'void' | 'money back'): object {
  return move === 'money back'
    ? { prize: 'return', money_back: true, reason: 'because' }
    : { prize: move, reason: 'because' }
}

/** Moves that advance an order are repeated: at random, most orders would be cancelled before they are confirmed. */
export const orderMoves: readonly OrderMoveName[] = [
  'confirm',
  'confirm',
  'confirm',
  'ship',
  'deliver',
  'release',
  'reship',
  'resume',
  'hold',
  'exception',
  'correct',
  'cancel',
  'final cancel',
  'reject',
]

/** Moves that are legal now, for commands that are to get somewhere. */
export function legalMoves(records: Records, order: OrderRow): OrderMoveName[] {
  const facts = factsOfOrder(eventsOf(records, 'prize_order', order.id)).at(-1)
  if (facts === undefined) return []
  return orderMoves.filter((move) => resultOfMove(move, 'other', facts) !== undefined)
}

export function effectsOf({ events }: Records, requestId: string | null): EventRow[] {
  return events.filter((event) => event.request_id === requestId && requestId !== null)
}

function describe(moments: readonly (OrderFacts | undefined)[]): string {
  return moments
    .map((facts) =>
      facts === undefined ? 'nothing' : `${facts.state} (${facts.holds.join()}, ${facts.submissionAttempts})`,
    )
    .join(', then ')
}
