import { actTransitions } from '../../core/act/state.ts'
import { cashbackTransitions } from '../../core/cashback/state.ts'
import { prizeTransitions } from '../../core/prize/state.ts'
import { orderTransitions } from '../../core/prize-order/state.ts'
import type { TransitionTable } from '../../core/state-machine.ts'

/** Each state machine under its heading in docs/contribute/lifecycle.md, with the state that it begins in. */
export const machines: Record<string, { table: TransitionTable<string>; start: string }> = {
  '## Prize': { table: prizeTransitions, start: 'won' },
  '## Prize order': { table: orderTransitions, start: 'pending_confirmation' },
  '## Cashback': { table: cashbackTransitions, start: 'requested' },
  '## Act': { table: actTransitions, start: 'previewed' },
}

/** The diagram of a table: the start, every transition, and the states that nothing follows. */
export function renderDiagram({ table, start }: { table: TransitionTable<string>; start: string }): string {
  const moves = Object.entries(table).flatMap(([from, tos]) =>
    tos.length === 0 ? [`${from} --> [*]`] : tos.map((to) => `${from} --> ${to}`),
  )
  return ['stateDiagram-v2', ...[`[*] --> ${start}`, ...moves].map((line) => `  ${line}`), ''].join('\n')
}
