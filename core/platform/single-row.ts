/** The row of a statement that always returns one. Throws if there is none: the statement is wrong then. */
export function singleRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows
  if (row === undefined) throw new Error('a statement gave no row')
  return row
}
