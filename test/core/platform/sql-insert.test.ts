import { expect } from 'chai'
import { instant, sql, timed } from '../../../core/platform/sql.ts'
import { columnsOf, insertInto, sameColumns } from '../../../core/platform/sql-insert.ts'

const textOf = ({ sql: text }: { sql: string }) => text.replace(/\s+/g, ' ')

describe('core/platform/sql-insert', () => {
  it('replaces a column’s name by its input, and keeps values in order', () => {
    const at = new Date('2026-07-01T12:00:00.123Z')
    const statement = insertInto('prize', {
      from: sql`given WHERE place < ${3}::int`,
      columns: {
        id: sql`prize_id`,
        state: 'won',
        ...sameColumns('casino_id'),
        ...columnsOf('given', 'kind'),
        actor: sql`${'admin'}::text`,
        created_at: instant(at),
      },
    })
    expect(textOf(statement)).to.equal(
      'INSERT INTO prize (id, state, casino_id, kind, actor, created_at) ' +
        "SELECT prize_id, 'won', casino_id, given.kind, ?::text, ?::timestamptz FROM given WHERE place < ?::int",
    )
    expect(statement.values).to.deep.equal(['admin', at.toISOString(), 3])
  })

  it('inserts several selections in the order of the columns of the first', () => {
    const statement = insertInto(
      'event',
      { from: sql`first`, columns: { type: 'prize.ordered', object_id: sql`prize_id` } },
      { from: sql`second`, columns: { object_id: sql`order_id`, type: 'prize_order.placed' } },
    )
    expect(textOf(statement)).to.equal(
      "INSERT INTO event (type, object_id) SELECT 'prize.ordered', prize_id FROM first " +
        "UNION ALL SELECT 'prize_order.placed', order_id FROM second",
    )
  })

  it('inserts one row of values when it has no source', () => {
    const statement = insertInto('item AS was', { columns: { id: sql`${'mug'}::text`, kind: 'physical' } })
    expect(textOf(statement)).to.equal("INSERT INTO item AS was (id, kind) SELECT ?::text, 'physical'")
    expect(statement.values).to.deep.equal(['mug'])
  })

  it('uses the time of each statement in a fragment that is created once', () => {
    let made = 0
    const fragment = timed((now) => {
      made += 1
      return sql`SELECT ${'a'}::text, ${now}, ${now}, ${2}::int`
    })
    for (const at of ['2026-07-01T12:00:00.123Z', '2027-01-01T00:00:00.000Z']) {
      const { values, sql: text } = fragment(new Date(at))
      expect(values).to.deep.equal(['a', at, at, 2])
      expect(text).to.equal('SELECT ?::text, ?::timestamptz, ?::timestamptz, ?::int')
    }
    expect(made).to.equal(1)
  })

  it('refuses words that are not constant, and selections that leave a column out', () => {
    const insert = (state: string) => insertInto('prize', { from: sql`given`, columns: { state } })
    expect(() => insert("won'; DROP TABLE prize; --")).to.throw('constant word')
    expect(() => insert('Ada')).to.throw('constant word')
    expect(() =>
      insertInto('prize', { from: sql`a`, columns: { id: sql`id` } }, { from: sql`b`, columns: {} }),
    ).to.throw('id of prize is left out')
  })
})
