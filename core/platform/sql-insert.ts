import { Prisma } from '../../prisma/generated/client.ts'

/** What a column gets: a constant word, such as a state, or SQL: a column of the source, an expression, a value. */
export type ColumnValue = string | Prisma.Sql

/** Rows of a step of a statement (what follows FROM; without it, one row), and what each column gets from them. */
export interface Selected {
  from?: Prisma.Sql
  columns: Readonly<Record<string, ColumnValue>>
}

/**
 * `INSERT INTO table (…) SELECT … FROM …` (the table as `item`, or `item AS was`), with what a column gets beside its name, so that none can slip into another's
 * place. Several selections, of the same columns, are inserted as `UNION ALL`.
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
    // What holds no values is text: statements are made for every batch, and each piece of one has its price.
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

/** Columns that get what the source has under the same names. */
export function sameColumns(...names: readonly string[]): Record<string, Prisma.Sql> {
  return Object.fromEntries(names.map((name) => [name, Prisma.raw(name)]))
}

/** The same where several sources have such columns: those of this one. */
export function columnsOf(source: string, ...names: readonly string[]): Record<string, Prisma.Sql> {
  return Object.fromEntries(names.map((name) => [name, Prisma.raw(`${source}.${name}`)]))
}

/** Words are part of the SQL text, so that there are few texts: what is not one of ours comes as a value. */
function quotedWord(word: string): string {
  if (!/^[a-z][a-z_.-]*$/.test(word)) throw new Error(`${word} is no constant word`)
  return `'${word}'`
}
