import { expect } from 'chai'
import { machines, renderDiagram } from '../../tools/lifecycle/diagrams.ts'
import { readBlocks, readDocument, readSection, readTable } from './markdown.ts'

const document = readDocument('docs/contribute/lifecycle.md')

describe('docs/contribute/lifecycle.md', () => {
  for (const [heading, machine] of Object.entries(machines)) {
    it(`has the diagram of the table below "${heading}"`, () => {
      const [diagram] = readBlocks(readSection(document, heading), 'mermaid')
      const expected = renderDiagram(machine)
      expect(diagram, `the block must be:\n${expected}`).to.equal(expected)
    })

    it(`says who causes each transition below "${heading}"`, () => {
      const rows = readTable(document, heading)
      const transitions = Object.entries(machine.table).flatMap(([from, tos]) =>
        tos.map((to) => `${from} → ${to}`),
      )
      expect(rows.map(([transition]) => transition)).to.have.members(transitions)
      for (const [transition, who] of rows) expect(who, transition).to.match(/\w{3}/)
    })
  }
})
