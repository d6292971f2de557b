/** A line of a CSV file. */
export interface CsvRow {
  /** The number of the line in the file that it begins on, from 1. */
  line: number
  cells: readonly string[]
}

export interface Csv {
  delimiter: string
  /** All lines that are not blank. */
  rows: readonly CsvRow[]
  /** Lines that cannot be read. */
  broken: readonly { line: number; problem: string }[]
}

const delimiters = [',', ';', '\t'] as const

/**
 * Reads a CSV file (RFC 4180) as spreadsheets write it: with or without a byte order mark, with any line ends, and with
 * the separator of its first line: commas, semicolons or tabs.
 */
export function parseCsv(text: string): Csv {
  const source = text.startsWith('\ufeff') ? text.slice(1) : text
  const delimiter = findDelimiter(source)
  const rows: CsvRow[] = []
  const broken: Csv['broken'][number][] = []
  let [at, line] = [0, 1]
  while (at < source.length) {
    const record = readRecord(source, at, line, delimiter)
    if (record.problem !== undefined) broken.push({ line, problem: record.problem })
    else if (record.cells.length > 1 || record.cells[0]?.trim() !== '')
      rows.push({ line, cells: record.cells })
    at = record.end
    line = record.nextLine
  }
  return { delimiter, rows, broken }
}

/** The one that occurs most often in the first line, outside quotes. */
function findDelimiter(source: string): string {
  const [firstLine = ''] = source.replaceAll(/"[^"]*"/g, '').split(/[\r\n]/, 1)
  const counts = delimiters.map((delimiter) => firstLine.split(delimiter).length)
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ','
}

interface ReadRecord {
  cells: string[]
  problem: string | undefined
  /** Where the next record begins. */
  end: number
  nextLine: number
}

/** After a problem, reading continues on the next line. */
function readRecord(source: string, start: number, line: number, delimiter: string): ReadRecord {
  const cells: string[] = []
  let [at, nextLine] = [start, line]
  for (;;) {
    const cell = source[at] === '"' ? readQuoted(source, at) : readBare(source, at, delimiter)
    const endOfCell = source[cell.end]
    if (cell.problem !== undefined || !isEnd(endOfCell, delimiter)) {
      const problem = cell.problem ?? 'There is text after a closing quotation mark.'
      return { cells, problem, ...nextLineFrom(source, start, line) }
    }
    nextLine += countLineEnds(cell.text)
    cells.push(cell.text)
    if (endOfCell !== delimiter)
      return { cells, problem: undefined, ...nextLineFrom(source, cell.end, nextLine) }
    at = cell.end + 1
  }
}

interface ReadCell {
  text: string
  /** Where the first character after it is. */
  end: number
  problem?: string
}

function readBare(source: string, start: number, delimiter: string): ReadCell {
  let end = start
  while (!isEnd(source[end], delimiter)) end++
  return { text: source.slice(start, end), end }
}

/** Two quotation marks inside are one. */
function readQuoted(source: string, start: number): ReadCell {
  let end = start + 1
  for (;;) {
    end = source.indexOf('"', end)
    if (end === -1) return { text: '', end: source.length, problem: 'A quotation mark is not closed.' }
    if (source[end + 1] !== '"') break
    end += 2
  }
  return { text: source.slice(start + 1, end).replaceAll('""', '"'), end: end + 1 }
}

function isEnd(character: string | undefined, delimiter: string): boolean {
  return character === undefined || character === delimiter || character === '\n' || character === '\r'
}

function nextLineFrom(source: string, at: number, line: number): { end: number; nextLine: number } {
  let end = at
  while (end < source.length && source[end] !== '\n' && source[end] !== '\r') end++
  return { end: end + (source.startsWith('\r\n', end) ? 2 : 1), nextLine: line + 1 }
}

function countLineEnds(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0
}
