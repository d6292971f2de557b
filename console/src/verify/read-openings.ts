import { isRow, parseJson, read } from './record.ts'
import type { Row } from './record.ts'

/** The user's input: records of openings, and answers of `POST /box/open` by their opening's id. */
export interface Handed {
  openings: Row[]
  receipts: Map<string, Row>
}

/** Describes the problem of a text to the person who entered it. */
export class UnreadableError extends Error {}

/** Far more than a player has; more would keep the browser busy for minutes. */
export const openingsMax = 20_000

/**
 * Reads answers of `GET /fairness/openings`, `GET /fairness/openings/{opening_id}`, `POST /box/open` and the management
 * API's `GET …/openings/{opening_id}`: one JSON text, or one a line. Anything else is an `UnreadableError`.
 */
export function readOpenings(text: string): Handed {
  const handed: Handed = { openings: [], receipts: new Map() }
  for (const { value, where } of readValues(text.replace(/^\uFEFF/, '').trim())) take(value, where, handed)
  const count = handed.openings.length + handed.receipts.size
  if (count === 0) throw new UnreadableError('There is no opening in it: the list is empty.')
  if (count > openingsMax)
    throw new UnreadableError(
      `There are ${count} openings in it. This page checks up to ${openingsMax} at a time: hand in a part of the file.`,
    )
  return handed
}

function readValues(text: string): { value: unknown; where: string }[] {
  if (text === '') throw new UnreadableError('There is nothing to check yet: paste the record of an opening.')
  if (/^"?(opn|prz|sed)_[0-9a-f]+"?$/.test(text))
    throw new UnreadableError(
      'This is only an id. Paste the whole record of the opening: it begins with { and names the seed, the odds and what was won.',
    )
  const whole = parseJson(text)
  if (whole !== undefined) return [{ value: whole, where: '' }]
  const lines = text.split('\n')
  const values = lines.flatMap((line, index) =>
    line.trim() === '' ? [] : [{ value: parseJson(line), where: `line ${index + 1}` }],
  )
  const broken = values.find(({ value }) => value === undefined)
  if (broken === undefined) return values
  // A first line that is whole shows that there is one value a line.
  const isLines = values[0]?.value !== undefined && isRow(values[0].value)
  throw new UnreadableError(
    isLines
      ? `The text of ${broken.where} is not complete, or has been altered: it is not JSON.`
      : 'This is not the record of an opening, or a part of it is missing: it is not JSON. Copy all of it, from the first { to the last }.',
  )
}

/** An array of answers that hold arrays; a text can nest far deeper than a program can follow. */
const depthMax = 10

function take(value: unknown, where: string, handed: Handed, depth = 0): void {
  if (depth > depthMax) throw refuse(where)
  if (Array.isArray(value)) {
    value.forEach((part, index) => {
      take(part, [where, `entry ${index + 1}`].filter((word) => word !== '').join(', '), handed, depth + 1)
    })
    return
  }
  if (!isRow(value)) throw refuse(where)
  const [data, evidence, opening] = [read(value, 'data'), read(value, 'evidence'), read(value, 'opening')]
  if (data !== undefined) take(data, where, handed, depth + 1)
  else if (isRow(evidence)) take(evidence, where, handed, depth + 1)
  else if (isRow(opening)) takeReceipt(value, opening, where, handed)
  else if (Object.hasOwn(value, 'odds_table') || Object.hasOwn(value, 'digests')) handed.openings.push(value)
  else throw refuse(where)
}

function takeReceipt(answer: Row, opening: Row, where: string, { receipts }: Handed): void {
  const [id, prize] = [read(opening, 'id'), read(answer, 'prize')]
  if (typeof id !== 'string') throw refuse(where)
  const won = isRow(prize) ? { prize_id: read(prize, 'id'), item_id: read(prize, 'item_id') } : {}
  receipts.set(id, { ...opening, ...won })
}

function refuse(where: string): UnreadableError {
  return new UnreadableError(
    `${where === '' ? 'This' : `What stands in ${where}`} is not the record of an opening: it has no field odds_table.`,
  )
}
