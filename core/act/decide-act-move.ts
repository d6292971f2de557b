import { RewardsError } from '../errors.ts'
import type { Money } from '../money.ts'
import { isAboveLimit, personOf } from './decide-act.ts'
import type { ActState } from './state.ts'

/** The moves that people make with an act. */
export const actMoves = ['start', 'approve', 'decline', 'stop'] as const
export type ActMove = (typeof actMoves)[number]

/** The fields of an act that the decision reads. */
export interface MovableAct {
  state: ActState
  madeBy: string
  amounts: readonly Money[]
  expiresAt: Date
}

export interface ActMoveContext {
  actor: string
  /** The casino's limits now: they may have changed since the preview. */
  limits: readonly Money[]
  /** Whether the maker may still do it: is active, and has the right and the casino. */
  isMakerAble: boolean
  now: Date
}

/** How long a proposal waits for another person. */
const approvalMs = 7 * 86_400_000

export interface ActMovePlan {
  to: ActState
  expiresAt?: Date
}

/**
 * Checks that the move is allowed. Throws `act_expired`, `act_not_yours`, `approval_by_maker`, `session_required`,
 * `act_maker_unable` or `transition_illegal`, which names the state.
 */
export function decideActMove(move: ActMove, act: MovableAct, context: ActMoveContext): ActMovePlan {
  const { actor, now } = context
  const isWaiting = act.state === 'previewed' || act.state === 'pending_approval'
  if (act.state === 'expired' || (isWaiting && act.expiresAt <= now)) throw new RewardsError('act_expired')
  switch (move) {
    case 'start':
      if (act.madeBy !== actor) throw new RewardsError('act_not_yours')
      if (act.state !== 'previewed') throw refusal('Cannot start', act.state)
      if (!needsApproval(act, context)) return { to: 'running' }
      return { to: 'pending_approval', expiresAt: new Date(now.getTime() + approvalMs) }
    case 'approve':
      refuseAsSecond(act, actor)
      if (act.state !== 'pending_approval') throw refusal('Cannot approve', act.state)
      if (!context.isMakerAble) throw new RewardsError('act_maker_unable')
      return { to: 'running' }
    case 'decline':
      refuseAsSecond(act, actor)
      if (act.state !== 'pending_approval') throw refusal('Cannot decline', act.state)
      return { to: 'declined' }
    case 'stop':
      if (act.state === 'running') return { to: 'stopping' }
      if (!isWaiting) throw refusal('Cannot stop', act.state)
      return { to: 'stopped' }
    default:
      return move satisfies never
  }
}

/** Keys are scripts: not asked. */
export function needsApproval(
  { madeBy, amounts }: Pick<MovableAct, 'madeBy' | 'amounts'>,
  { limits }: Pick<ActMoveContext, 'limits'>,
): boolean {
  return personOf(madeBy) !== undefined && isAboveLimit(amounts, limits)
}

/** The second person is a person, and not the maker in another session. */
function refuseAsSecond({ madeBy }: MovableAct, actor: string): void {
  if (personOf(actor) === undefined) throw new RewardsError('session_required')
  if (actor === madeBy) throw new RewardsError('approval_by_maker')
}

function refusal(verb: string, state: ActState): RewardsError {
  return new RewardsError('transition_illegal', `${verb} an act that is ${state.replaceAll('_', ' ')}`)
}
