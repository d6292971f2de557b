/** An object of JSON, of which nothing else is known. */
export type Row = Readonly<Record<string, unknown>>

export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A field of the row itself; inherited fields do not count. */
export function read(row: Row, name: string): unknown {
  return Object.hasOwn(row, name) ? row[name] : undefined
}

export function readText(row: Row, name: string): string | undefined {
  const value = read(row, name)
  return typeof value === 'string' ? value : undefined
}

/** Bytes as the service writes them: lower-case hexadecimal with so many digits. */
export function isHex(value: unknown, digits: number): value is string {
  return typeof value === 'string' && value.length === digits && /^[0-9a-f]+$/.test(value)
}

/** A whole number from 1. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 1
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
