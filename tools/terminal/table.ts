/** Columns as wide as their contents; numbers are aligned to the right. */
export function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)))
  const isNumeric = head.map(
    (_, column) => rows.length > 0 && rows.every((row) => numeric.test(row[column] ?? '')),
  )
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, column) => {
          const width = widths[column] ?? 0
          return isNumeric[column] === true ? cell.padStart(width) : cell.padEnd(width)
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const numeric = /^([<+-]? ?[\d.,/e-]+( %)?|–)$/

/** A p-value that a person can read; jstat gives no smaller ones than about 1e-12. */
export function renderPValue(pValue: number): string {
  if (pValue < 1e-12) return '< 1e-12'
  return pValue < 0.0001 ? pValue.toExponential(1) : pValue.toFixed(4)
}
