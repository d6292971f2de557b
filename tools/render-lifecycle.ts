import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { cashbackTransitions } from '../core/cashback/state.ts'
import { exitCodes, runMain } from '../core/platform/main-program.ts'
import { prizeTransitions } from '../core/prize/state.ts'
import { orderTransitions } from '../core/prize-order/state.ts'
import type { TransitionTable } from '../core/state-machine.ts'

/** Each state machine under its heading in docs/lifecycle.md, with the state that it begins in. */
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

Writes the diagrams of the state tables into docs/lifecycle.md; a test compares them.`

await runMain({ usage }, (args) => {
  parseArgs({ args, options: {} })
  const path = join(import.meta.dirname, '../docs/lifecycle.md')
  let text = readFileSync(path, 'utf8')
  for (const [heading, machine] of Object.entries(machines)) {
    const section = text.indexOf(`\n${heading}\n`)
    const begin = text.indexOf('```mermaid\n', section) + '```mermaid\n'.length
    const end = text.indexOf('```', begin)
    if (section < 0 || end < 0) throw new Error(`docs/lifecycle.md has no diagram below "${heading}"`)
    text = text.slice(0, begin) + renderDiagram(machine) + text.slice(end)
  }
  writeFileSync(path, text)
  return exitCodes.done
})
