import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A document of the project, by its path from the project's folder. */
export function readDocument(path: string): string {
  return readFileSync(join(import.meta.dirname, '../..', path), 'utf8')
}

/**
 * The rows of the first table below a heading, each as its cells without the code marks around them. Throws when there
 * is no such heading or no table, so that a renamed heading cannot pass for an empty table.
 */
export function readTable(text: string, heading: string): string[][] {
  const section = readSection(text, heading)
  const lines = section.split('\n').map((line) => line.trim())
  const first = lines.findIndex((line) => line.startsWith('|'))
  const table = lines.slice(first)
  const end = table.findIndex((line) => !line.startsWith('|'))
  const rows = (end === -1 ? table : table.slice(0, end)).slice(2).map(toCells)
  if (first === -1 || rows.length === 0) throw new Error(`no table below "${heading}"`)
  return rows
}

/** The text from a heading (such as `## Metrics`) to the next one of the same or a higher level. */
export function readSection(text: string, heading: string): string {
  const lines = text.split('\n')
  const start = lines.indexOf(heading)
  if (start === -1) throw new Error(`no heading "${heading}"`)
  const level = heading.indexOf(' ')
  const length = lines.slice(start + 1).findIndex((line) => /^#+ /.test(line) && line.indexOf(' ') <= level)
  return lines.slice(start + 1, length === -1 ? undefined : start + 1 + length).join('\n')
}

/** The contents of the fenced blocks of a language, in order. */
export function readBlocks(text: string, language: string): string[] {
  const pattern = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm')
  return [...text.matchAll(pattern)].map((match) => match[1] ?? '')
}

/** A pipe inside a cell is written `\|`. */
function toCells(line: string): string[] {
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => withoutMarks(cell.trim().replaceAll('\\|', '|')))
}

/** `PORT` of "`PORT`"; a cell that has more in it stays as it is. */
function withoutMarks(cell: string): string {
  return /^`([^`]*)`$/.exec(cell)?.[1] ?? cell
}
