import { expect } from 'chai'
import { renderEntities } from '../../tools/entities/entity-diagram.ts'
import { readBlocks, readDocument, readSection } from './markdown.ts'

describe('docs/contribute/entities.md', () => {
  const document = readDocument('docs/contribute/entities.md')
  const diagrams = Object.entries(renderEntities(readDocument('prisma/schema.prisma')))

  for (const [heading, expected] of diagrams) {
    it(`has the diagram of the schema below "${heading}"`, () => {
      const [diagram] = readBlocks(readSection(document, heading), 'mermaid')
      expect(diagram, 'npm run docs:entities draws it again').to.equal(expected)
    })
  }

  it('draws keys, foreign keys, and the columns that name a row without one', () => {
    const all = diagrams.map(([, diagram]) => diagram).join('\n')
    expect(all).to.contain('    String box_id PK, FK\n')
    expect(all).to.contain('webhook_endpoint ||--o{ webhook_secret')
    expect(all).to.contain('prize ||..o{ cashback')
  })

  it('refuses a table that is in no diagram, and a diagram of a table that is gone', () => {
    expect(() => renderEntities('model Fresh {\n  id String @id\n\n  @@map("fresh")\n}\n'))
      .to.throw('tables in no group: fresh')
      .with.property('message')
      .that.contains('cashback')
  })
})
