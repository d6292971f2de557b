import { parseCsv } from './parse-csv.ts'
import type { CsvRow } from './parse-csv.ts'

/** A grant as a line of the file wants it. */
export interface PlannedGrant {
  line: number
  player_id: string
  box_id: string
  count: number
  grant_id?: string
  expires_at?: string
}

/** A problem of a line, or a point that should be looked at. */
export interface Remark {
  line: number
  /** The column, or another part, such as the whole line. */
  field: string
  text: string
}

export interface CheckedFile {
  grants: readonly PlannedGrant[]
  /** While there are any, nothing can be sent. */
  bad: readonly Remark[]
  /** Lines that are possible, but may be mistakes. */
  odd: readonly Remark[]
}

/** A box of the casino, as far as grants depend on it. */
export interface KnownBox {
  access: 'granted' | 'limited'
  enabled: boolean
  active_until: string | null
}

/** The data that the file is checked against. */
export interface Surroundings {
  boxes: ReadonlyMap<string, KnownBox>
  /** Whether there are more boxes than these. */
  isPartial: boolean
  nowMs: number
}

const required = ['player_id', 'box_id', 'count'] as const
const columns = [...required, 'grant_id', 'expires_at'] as const
type ColumnName = (typeof columns)[number]

/** Names every line of a CSV file that cannot be a grant, and the grants of the others. */
export function checkGrants(text: string, surroundings: Surroundings): CheckedFile {
  const { rows, broken } = parseCsv(text)
  const bad: Remark[] = broken.map(({ line, problem }) => ({ line, field: 'line', text: problem }))
  const odd: Remark[] = []
  const [header, ...lines] = rows
  if (header === undefined) {
    return { grants: [], bad: [...bad, { line: 1, field: 'file', text: 'The file is empty.' }], odd }
  }
  const names = header.cells.map((cell) => cell.trim().toLowerCase())
  const headerProblems = checkHeader(header, names)
  if (headerProblems.length > 0) return { grants: [], bad: [...bad, ...headerProblems], odd }

  const grants: PlannedGrant[] = []
  const seen = { grantIds: new Map<string, number>(), players: new Map<string, number>() }
  for (const row of lines) {
    const remarks = checkRow(row, names, surroundings)
    bad.push(...remarks.bad)
    odd.push(...remarks.odd)
    if (remarks.grant === undefined) continue
    const repeated = findRepetition(remarks.grant, seen)
    bad.push(...repeated.bad)
    odd.push(...repeated.odd)
    if (repeated.bad.length === 0) grants.push(remarks.grant)
  }
  if (lines.length === 0)
    bad.push({ line: header.line, field: 'file', text: 'There are no lines below the names.' })
  return { grants, bad: bad.sort((a, b) => a.line - b.line), odd }
}

/** A name with a slip would be a column that is ignored, such as an expiry that is not there. */
function checkHeader({ line }: CsvRow, names: readonly string[]): Remark[] {
  const missing = required.filter((name) => !names.includes(name))
  const unknown = names.filter((name) => !columns.some((column) => column === name))
  const twice = columns.filter((name) => names.filter((other) => other === name).length > 1)
  return [
    ...missing.map((field) => ({ line, field, text: 'This column is missing.' })),
    ...unknown.map((field) => ({
      line,
      field: field === '' ? 'line' : field,
      text: `There is no such column: they are ${columns.join(', ')}.`,
    })),
    ...twice.map((field) => ({ line, field, text: 'This column is there twice.' })),
  ]
}

interface CheckedRow {
  grant?: PlannedGrant
  bad: Remark[]
  odd: Remark[]
}

function checkRow(row: CsvRow, names: readonly string[], surroundings: Surroundings): CheckedRow {
  const { line, cells } = row
  if (cells.length !== names.length) {
    const text = `It has ${cells.length} fields, but the first line has ${names.length}.`
    return { bad: [{ line, field: 'line', text }], odd: [] }
  }
  const cellOf = (name: ColumnName) => cells[names.indexOf(name)] ?? ''
  const [playerId, boxId, grantId] = [cellOf('player_id'), cellOf('box_id'), cellOf('grant_id')]
  const [count, expiresAt] = [cellOf('count').trim(), cellOf('expires_at').trim()]
  const problems: [ColumnName, string | undefined][] = [
    ['player_id', findIdProblem(playerId)],
    ['box_id', findIdProblem(boxId) ?? findBoxProblem(boxId, surroundings)],
    ['count', findCountProblem(count)],
    ['grant_id', grantId === '' ? undefined : findIdProblem(grantId)],
    ['expires_at', expiresAt === '' ? undefined : findTimeProblem(expiresAt, surroundings.nowMs)],
  ]
  const bad = problems.flatMap(([field, text]) => (text === undefined ? [] : [{ line, field, text }]))
  if (bad.length > 0) return { bad, odd: [] }
  const doubt = findBoxDoubt(boxId, surroundings)
  return {
    bad,
    odd: doubt === undefined ? [] : [{ line, field: 'box_id', text: doubt }],
    grant: {
      line,
      player_id: playerId,
      box_id: boxId,
      count: Number(count),
      ...(grantId === '' ? {} : { grant_id: grantId }),
      ...(expiresAt === '' ? {} : { expires_at: expiresAt }),
    },
  }
}

/** The service's rule for ids, and mistakes that only a file can have. */
const idPattern = /^(?!\s*$)[^\p{Cc}\p{Cs}]{1,128}$/u

function findIdProblem(id: string): string | undefined {
  if (id.trim() === '') return 'It is empty.'
  if (!idPattern.test(id)) return 'An id has 1 to 128 characters, without line ends or control characters.'
  if (id !== id.trim()) return 'It begins or ends with a space.'
  if (/^\d([.,]\d+)?E\+\d+$/i.test(id)) return 'A spreadsheet has rounded this number: keep ids as text.'
  if (/rk_(live|test)_/.test(id)) return 'It must not contain an API key.'
  return undefined
}

const countMax = 1_000_000

function findCountProblem(count: string): string | undefined {
  const isRight = /^\d{1,7}$/.test(count) && Number(count) >= 1 && Number(count) <= countMax
  return isRight ? undefined : 'The number of openings must be a whole number from 1 to 1000000.'
}

const timePattern = /^(\d{4})-(\d\d)-(\d\d)(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/

function findTimeProblem(text: string, nowMs: number): string | undefined {
  const [, year, month, day] = timePattern.exec(text) ?? []
  const timeMs = Date.parse(text)
  const daysInMonth = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  // JavaScript takes 31 February for a day in March.
  if (Number.isNaN(timeMs) || !(Number(day) <= daysInMonth))
    return 'It must be a date or a time with its zone, such as 2030-01-31 or 2030-01-31T12:00:00Z.'
  return timeMs <= nowMs ? 'It is in the past.' : undefined
}

function findBoxProblem(boxId: string, { boxes, isPartial }: Surroundings): string | undefined {
  return boxes.has(boxId) || isPartial ? undefined : `The casino has no such box: ${boxId.slice(0, 60)}`
}

function findBoxDoubt(boxId: string, { boxes, nowMs }: Surroundings): string | undefined {
  const box = boxes.get(boxId)
  if (box === undefined)
    return 'The casino has more boxes than could be looked at: this one may not be there.'
  if (box.access === 'limited')
    return 'Openings of this box are limited by time: it is opened without grants.'
  if (box.active_until !== null && Date.parse(box.active_until) <= nowMs) return 'This box has ended.'
  return box.enabled ? undefined : 'This box is switched off.'
}

/** The same grant id twice would be one grant, or a conflict; the same player and box twice is two grants. */
function findRepetition(
  { line, grant_id: grantId, player_id: playerId, box_id: boxId }: PlannedGrant,
  seen: { grantIds: Map<string, number>; players: Map<string, number> },
): { bad: Remark[]; odd: Remark[] } {
  const sameId = grantId === undefined ? undefined : seen.grantIds.get(grantId)
  if (sameId !== undefined) {
    return { bad: [{ line, field: 'grant_id', text: `Line ${sameId} has the same one.` }], odd: [] }
  }
  if (grantId !== undefined) seen.grantIds.set(grantId, line)
  const player = JSON.stringify([playerId, boxId])
  const samePlayer = seen.players.get(player)
  if (samePlayer === undefined) seen.players.set(player, line)
  return {
    bad: [],
    odd:
      samePlayer === undefined
        ? []
        : [
            {
              line,
              field: 'player_id',
              text: `Line ${samePlayer} has the same player and box: the player gets both.`,
            },
          ],
  }
}
