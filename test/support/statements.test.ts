import { expect } from 'chai'
import { findModels, findStatements, findTableUses } from './statements.ts'

const models = new Map([
  ['prize', 'prize'],
  ['prizeOrder', 'prize_order'],
  ['event', 'event'],
])
const usesIn = (source: string) =>
  findTableUses(source, models).map(({ table, writes }) => `${writes ? 'writes' : 'reads'} ${table}`)

describe('the reader of statements in sources', () => {
  it('finds a statement with all the templates and strings inside it', () => {
    const source = [
      'const note = `a prize` // not `SELECT`',
      'const rows = database.$queryRaw`',
      "  SELECT ${names.map((name) => `'${name}' || '}'`)}",
      '    FROM prize`',
      'const more = 1',
    ].join('\n')
    expect(findStatements(source)).to.deep.equal([
      {
        line: 2,
        lines: 3,
        text: source.slice(source.indexOf('`\n  SELECT'), source.indexOf('\nconst more')),
      },
    ])
  })

  it('distinguishes the tables that are written from those that are read', () => {
    expect(usesIn('sql`INSERT INTO event (id) SELECT id FROM prize`')).to.deep.equal([
      'writes event',
      'reads prize',
    ])
    expect(usesIn('sql`DELETE FROM prize USING prize_order`')).to.deep.equal([
      'writes prize',
      'reads prize_order',
    ])
    expect(usesIn('sql`x AS (UPDATE prize SET a = 1 FROM input JOIN prize_order ON true)`')).to.deep.equal([
      'writes prize',
      'reads prize_order',
    ])
    expect(usesIn('sql`SELECT FROM prize FOR UPDATE OF prize`')).to.deep.equal(['reads prize'])
    expect(usesIn("insertInto('prize', { from: sql`accepted` })")).to.deep.equal(['writes prize'])
    expect(usesIn("insertInto('prize AS was', { from: sql`prize_order WHERE true` })")).to.deep.equal([
      'writes prize',
      'reads prize_order',
    ])
    expect(usesIn('scan({ from: () => sql`prize_order` })')).to.deep.equal(['reads prize_order'])
  })

  it('knows the tables behind the models of Prisma', () => {
    expect(usesIn('await database.prizeOrder.findMany({}); await other.event.create({})')).to.deep.equal([
      'reads prize_order',
      'writes event',
    ])
    const schema = 'model PrizeOrder {\n  id String @id\n\n  @@map("prize_order")\n}\n'
    expect(findModels(schema)).to.deep.equal(new Map([['prizeOrder', 'prize_order']]))
  })

  it('does not treat comments and plain strings as statements', () => {
    expect(usesIn("// `SELECT FROM prize`\n/* `DELETE FROM prize` */ const a = 'FROM prize'")).to.deep.equal(
      [],
    )
  })
})
