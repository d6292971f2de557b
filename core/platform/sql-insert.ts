import { Prisma } from '../../prisma/generated/client.ts'

/** The value of a column: a constant word, such as a state, or SQL: a column of the source, an expression, a value. */
export type ColumnValue = string | Prisma.Sql

/** Rows of a step of a statement (the part after FROM; without it, one row), and the value of each column. */
export interface Selected {
  from?: Prisma.Sql
  columns: Readonly<Record<string, ColumnValue>>
}

/**
 * `INSERT INTO table (…) SELECT … FROM …` (the table as `item`, or `item AS was`), with each column's value beside its
 * name, so that values cannot be mixed up. Several selections, of the same columns, are inserted as `UNION ALL`.
 */
export function insertInto(table: string, ...selections: readonly [Selected, ...Selected[]]): Prisma.Sql {
  const names = Object.keys(selections[0].columns)
  const strings: string[] = []
  const values: Prisma.Sql[] = []
  let text = `INSERT INTO ${table} (${names.join(', ')})`
  const append = (value: ColumnValue) => {
    if (typeof value === 'string') {
      text += quotedWord(value)
      return
    }
    // Parts without values are text: statements are made for every batch, and each SQL fragment has a cost.
    if (value.values.length === 0) {
      text += value.sql
      return
    }
    strings.push(text)
    values.push(value)
    text = ''
  }
  for (const [index, { from, columns }] of selections.entries()) {
    text += index === 0 ? '\nSELECT ' : '\nUNION ALL\nSELECT '
    for (const [place, name] of names.entries()) {
      const value = columns[name]
      if (value === undefined) throw new Error(`${name} of ${table} is left out`)
      if (place > 0) text += ', '
      append(value)
    }
    if (from === undefined) continue
    text += '\n  FROM '
    append(from)
  }
  // eslint-disable-next-line no-restricted-syntax -- all values are SQL already
  return Prisma.sql([...strings, text], ...values)
}

/** Columns that take the source's values under the same names. */
export function sameColumns(...names: readonly string[]): Record<string, Prisma.Sql> {
  return Object.fromEntries(names.map((name) => [name, Prisma.raw(name)]))
}

/** The same for columns that several sources have: takes those of this source. */
export function columnsOf(source: string, ...names: readonly string[]): Record<string, Prisma.Sql> {
  return Object.fromEntries(names.map((name) => [name, Prisma.raw(`${source}.${name}`)]))
}

/** Words become part of the SQL text, so that there are few texts: only our own are allowed. Pass others as values. */
function quotedWord(word: string): string {
  if (!/^[a-z][a-z_.-]*$/.test(word)) throw new Error(`${word} is no constant word`)
  return `'${word}'`
}
