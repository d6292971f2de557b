import { refuseAloneAbove } from '../../core/act/decide-act.ts'
import type { ActAction, ActParams } from '../../core/act/decide-act.ts'
import { loadObjects } from '../../core/act/load-objects.ts'
import type { CashbackMove } from '../../core/cashback/decide-resolution.ts'
import { loadSettingsOf } from '../../core/casino/settings.ts'
import type { SettingsDeps } from '../../core/casino/settings.ts'
import type { Money } from '../../core/money.ts'
import type { CasinoRequest } from './casino-endpoint.ts'

/** The amounts above which a person's decision needs another person. Read now: a lower limit counts from its change. */
export async function approvalLimitsOf(deps: SettingsDeps, casinoId: string): Promise<readonly Money[]> {
  return (await loadSettingsOf(deps, casinoId)).get('approvals').value.limits
}

/**
 * Throws `approval_required` if a person is about to decide about an amount above the limit without another person. The
 * amount of a cashback or a prize never changes, so it may be read before the move. A move that is not allowed anyway
 * is left to the move itself, which says why.
 */
export async function refuseAlone(
  deps: SettingsDeps,
  { caller, casinoId, actor }: Pick<CasinoRequest, 'caller' | 'casinoId' | 'actor'>,
  { action, params, objectId }: { action: ActAction; params: ActParams; objectId: string },
): Promise<void> {
  if (caller.kind !== 'person') return
  const limits = await approvalLimitsOf(deps, casinoId)
  if (limits.length === 0) return
  const selection = { casinoId, action, params, objectIds: [objectId] }
  const objects = await loadObjects(deps.database, selection, deps.clock.now())
  const amounts = objects.flatMap(({ amount, refusal }) =>
    amount === null || refusal !== null ? [] : [amount],
  )
  refuseAloneAbove(limits, actor, amounts)
}

/** The act that the move of a cashback would be, if it decides about money. */
export function actOfMove(move: CashbackMove): { action: ActAction; params: ActParams } | undefined {
  switch (move.kind) {
    case 'retry':
      return undefined
    case 'release':
      return { action: 'cashback.release-wallet', params: {} }
    case 'resolve':
      return move.outcome === 'declined'
        ? undefined
        : { action: 'cashback.resolve', params: { outcome: move.outcome } }
    case 'reverse':
      return { action: 'cashback.reverse', params: { prize: move.prize, money_back: move.isMoneyBack } }
    default:
      return move satisfies never
  }
}
