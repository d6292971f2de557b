import { expect } from 'chai'
import { cashbackTransitions } from '../../core/cashback/state.ts'
import { prizeTransitions } from '../../core/prize/state.ts'
import { orderTransitions } from '../../core/prize-order/state.ts'
import type { TransitionTable } from '../../core/state-machine.ts'
import { readBlocks, readDocument, readSection, readTable } from './markdown.ts'

const document = readDocument('docs/contribute/lifecycle.md')

const machines: Record<string, { table: TransitionTable<string>; start: string }> = {
  '## Prize': { table: prizeTransitions, start: 'won' },
  '## Prize order': { table: orderTransitions, start: 'pending_confirmation' },
  '## Cashback': { table: cashbackTransitions, start: 'requested' },
}

/** The diagram as the document must have it: the start, every transition, and the states that nothing follows. */
function renderDiagram({ table, start }: { table: TransitionTable<string>; start: string }): string {
  const moves = Object.entries(table).flatMap(([from, tos]) =>
    tos.length === 0 ? [`${from} --> [*]`] : tos.map((to) => `${from} --> ${to}`),
  )
  return ['stateDiagram-v2', ...[`[*] --> ${start}`, ...moves].map((line) => `  ${line}`), ''].join('\n')
}

describe('docs/contribute/lifecycle.md', () => {
  for (const [heading, machine] of Object.entries(machines)) {
    it(`has the diagram of the table below "${heading}"`, () => {
      const [diagram] = readBlocks(readSection(document, heading), 'mermaid')
      const expected = renderDiagram(machine)
      expect(diagram, `the block must be:\n${expected}`).to.equal(expected)
    })

    it(`says who moves each transition below "${heading}"`, () => {
      const rows = readTable(document, heading)
      const transitions = Object.entries(machine.table).flatMap(([from, tos]) =>
        tos.map((to) => `${from} → ${to}`),
      )
      expect(rows.map(([transition]) => transition)).to.have.members(transitions)
      for (const [transition, who] of rows) expect(who, transition).to.match(/\w{3}/)
    })
  }
})
