import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { cashbackTransitions } from '../core/cashback/state.ts'
import { exitCodes, runMain } from '../core/platform/main-program.ts'
import { prizeTransitions } from '../core/prize/state.ts'
import { orderTransitions } from '../core/prize-order/state.ts'
import type { TransitionTable } from '../core/state-machine.ts'
import { replaceDiagrams } from './entities/replace-diagrams.ts'

/** Each state machine under its heading in docs/contribute/lifecycle.md, with the state that it begins in. */
const machines: Record<string, { table: TransitionTable<string>; start: string }> = {
  '## Prize': { table: prizeTransitions, start: 'won' },
  '## Prize order': { table: orderTransitions, start: 'pending_confirmation' },
  '## Cashback': { table: cashbackTransitions, start: 'requested' },
}

/** The diagram of a table: the start, every transition, and the states that nothing follows. */
function renderDiagram({ table, start }: { table: TransitionTable<string>; start: string }): string {
  const moves = Object.entries(table).flatMap(([from, tos]) =>
    tos.length === 0 ? [`${from} --> [*]`] : tos.map((to) => `${from} --> ${to}`),
  )
  return ['stateDiagram-v2', ...[`[*] --> ${start}`, ...moves].map((line) => `  ${line}`), ''].join('\n')
}

const usage = `npm run docs:lifecycle

Writes the diagrams of the state tables into docs/contribute/lifecycle.md; a test compares them.`

await runMain({ usage }, (args) => {
  parseArgs({ args, options: {} })
  const path = join(import.meta.dirname, '../docs/contribute/lifecycle.md')
  const diagrams: Record<string, string> = {}
  for (const [heading, machine] of Object.entries(machines)) diagrams[heading] = renderDiagram(machine)
  writeFileSync(path, replaceDiagrams(readFileSync(path, 'utf8'), diagrams))
  return exitCodes.done
})
