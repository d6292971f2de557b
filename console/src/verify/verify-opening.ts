import { drawAgain, fromHex, scheme, sha256, sumOf } from './draw-again.ts'
import type { DrawInput, Drawn } from './draw-again.ts'
import { findAlteration } from './find-alteration.ts'
import { isCount, isHex, isRow, parseJson, read, readText } from './record.ts'
import type { Row } from './record.ts'

/**
 * The checks of an opening: that the record is as the service signed it, that the seed is the promised one, that the
 * odds are the published ones, that they and the seed lead to the prize, and, where the answer of the opening was kept,
 * that the record says the same.
 */
export type Check = 'record' | 'promise' | 'odds' | 'draw' | 'receipt'

/** `later`: the seed is not revealed yet. `unable`: it cannot be checked here, or never. */
export type Result = 'right' | 'wrong' | 'later' | 'unable'

/** The reason for a check's result: the field that does not match, or the obstacle. */
export type Reason =
  | { field: string }
  | 'not_revealed'
  | 'receipt_only'
  | 'no_ed25519'
  | 'not_verifiable'
  | 'unknown_scheme'
  | 'not_drawn'
  | 'odds_wrong'

export interface Step {
  check: Check
  result: Result
  reason?: Reason
}

export interface Entry {
  itemId: string
  weight: number
  stock: number | null
}

/** The proof that a program can give of an opening with nothing but its record. */
export interface Proof {
  row: Row
  /** Of all steps: the worst. */
  result: Result
  steps: readonly Step[]
  /** Of the odds that the record names, where they have their hash. */
  table: OddsTable | undefined
  /** How the outcome was derived, where the seed is revealed. */
  drawn: Drawn | undefined
}

interface OddsTable {
  entries: readonly Entry[]
  fallbackItemId: string | null
}

export interface VerifyOptions {
  /** The service's public key, where it is known. */
  signingKey?: string | undefined
  /** The answer of `POST /box/open` for the same opening, where it was kept. */
  receipt?: Row | undefined
}

/**
 * Checks an opening as `GET /fairness/openings/{opening_id}` shows it. It only reads the row, whose contents may be
 * anything.
 */
export async function verifyOpening(row: Row, options: VerifyOptions = {}): Promise<Proof> {
  const alteration = await findAlteration(row, options.signingKey)
  const record: Step =
    alteration === undefined
      ? { check: 'record', result: 'right' }
      : alteration === 'unsupported'
        ? { check: 'record', result: 'unable', reason: 'no_ed25519' }
        : { check: 'record', result: 'wrong', reason: alteration }
  const promise = await checkPromise(row)
  const table = await readTable(row)
  const odds: Step =
    'field' in table ? { check: 'odds', result: 'wrong', reason: table } : { check: 'odds', result: 'right' }
  const { step: draw, drawn } =
    'field' in table
      ? { step: { check: 'draw', result: 'unable', reason: 'odds_wrong' } as const, drawn: undefined }
      : await checkDraw(row, table, promise)
  const receipt = options.receipt === undefined ? [] : [checkReceipt(row, options.receipt)]
  const steps = [record, promise, odds, draw, ...receipt]
  return { row, result: worstOf(steps), steps, table: 'field' in table ? undefined : table, drawn }
}

/** The proof when there is only the answer of `POST /box/open`: the promise, and that it is too early for the rest. */
export function verifyReceipt(receipt: Row): Proof {
  const checks = ['record', 'promise', 'odds', 'draw'] as const
  const steps = checks.map((check): Step => ({ check, result: 'later', reason: 'receipt_only' }))
  return { row: receipt, result: 'later', steps, table: undefined, drawn: undefined }
}

async function checkPromise(row: Row): Promise<Step> {
  const [seed, commitment] = [read(row, 'seed'), read(row, 'seed_commitment')]
  const wrong = (field: string): Step => ({ check: 'promise', result: 'wrong', reason: { field } })
  if (read(row, 'seed_id') === null) return { check: 'promise', result: 'unable', reason: 'not_verifiable' }
  if (!isHex(commitment, 64)) return wrong('seed_commitment')
  if (seed === null) return { check: 'promise', result: 'later', reason: 'not_revealed' }
  if (!isHex(seed, 64)) return wrong('seed')
  return (await sha256(fromHex(seed))) === commitment
    ? { check: 'promise', result: 'right' }
    : wrong('seed_commitment')
}

/** The odds, or the field of them that does not match. */
async function readTable(row: Row): Promise<OddsTable | { field: string }> {
  const text = read(row, 'odds_table')
  if (typeof text !== 'string') return { field: 'odds_table' }
  if ((await sha256(text)) !== read(row, 'odds_hash')) return { field: 'odds_hash' }
  return parseTable(text) ?? { field: 'odds_table' }
}

/** Numbers are drawn with 64 bits. */
const sumMax = 2n ** 63n

function parseTable(text: string): OddsTable | undefined {
  const table = parseJson(text)
  if (!isRow(table)) return undefined
  const [listed, fallbackItemId] = [read(table, 'entries'), read(table, 'fallback_item_id')]
  if (!Array.isArray(listed) || listed.length === 0) return undefined
  if (typeof fallbackItemId !== 'string' && fallbackItemId !== null) return undefined
  const entries = listed.map(parseEntry).filter((entry) => entry !== undefined)
  if (entries.length < listed.length || sumOf(entries.map(({ weight }) => weight)) > sumMax) return undefined
  return { entries, fallbackItemId }
}

function parseEntry(value: unknown): Entry | undefined {
  if (!isRow(value)) return undefined
  const [itemId, weight, stock] = [read(value, 'item_id'), read(value, 'weight'), read(value, 'stock')]
  if (typeof itemId !== 'string' || !isCount(weight)) return undefined
  return stock === null || (Number.isSafeInteger(stock) && typeof stock === 'number')
    ? { itemId, weight, stock }
    : undefined
}

async function checkDraw(
  row: Row,
  table: OddsTable,
  promise: Step,
): Promise<{ step: Step; drawn: Drawn | undefined }> {
  const say = (result: Result, reason?: Reason, drawn?: Drawn) => ({
    step: { check: 'draw' as const, result, ...(reason === undefined ? {} : { reason }) },
    drawn,
  })
  if (promise.reason === 'not_verifiable') return say('unable', 'not_verifiable')
  const isForced = read(row, 'forced')
  if (isForced === true) return say('unable', 'not_drawn')
  if (isForced !== false) return say('wrong', { field: 'forced' })
  if (promise.result === 'later') return say('later', 'not_revealed')
  const usedScheme = read(row, 'scheme')
  // Rows from before it had a name are drawn that way too.
  if (usedScheme !== undefined && usedScheme !== scheme) return say('unable', 'unknown_scheme')
  const seed = readText(row, 'seed')
  if (!isHex(seed, 64)) return say('wrong', { field: 'seed' })
  const input = readInput(row)
  if ('field' in input) return say('wrong', input)
  const drawn = await drawAgain(
    fromHex(seed),
    input,
    table.entries.map(({ weight }) => weight),
  )
  const field = drawn.position === read(row, 'position') ? findWrongPrize(row, table, drawn) : 'position'
  return field === undefined ? say('right', undefined, drawn) : say('wrong', { field }, drawn)
}

function readInput(row: Row): DrawInput | { field: string } {
  const [playerId, clientSeed] = [read(row, 'player_id'), read(row, 'client_seed')]
  const [nonce, sequence] = [read(row, 'nonce'), read(row, 'sequence')]
  if (typeof playerId !== 'string') return { field: 'player_id' }
  if (!isCount(nonce)) return { field: 'nonce' }
  // It counts the openings under all seeds, the nonce those under one.
  if (sequence !== undefined && (!isCount(sequence) || sequence < nonce)) return { field: 'sequence' }
  if (clientSeed !== null && typeof clientSeed !== 'string') return { field: 'client_seed' }
  return { playerId, clientSeed, nonce }
}

/** The won item is that of the drawn entry or, where that is limited and was out of stock, the fallback. */
function findWrongPrize(row: Row, { entries, fallbackItemId }: OddsTable, drawn: Drawn): string | undefined {
  const entry = entries[drawn.position - 1]
  const [won, substitutedFor] = [read(row, 'item_id'), read(row, 'substituted_for')]
  if (substitutedFor === null) return won === entry?.itemId ? undefined : 'item_id'
  if (substitutedFor !== entry?.itemId || entry?.stock === null || fallbackItemId === null)
    return 'substituted_for'
  return won === fallbackItemId ? undefined : 'item_id'
}

/** Compares the answer of the opening, which leaves out some fields where they have no value. */
function checkReceipt(row: Row, receipt: Row): Step {
  const silent: Row = { client_seed: null, substituted_for: null, forced: false }
  const names = [...new Set([...Object.keys(receipt), ...Object.keys(silent)])]
  const field = names.find((name) => {
    const noted = Object.hasOwn(receipt, name) ? receipt[name] : silent[name]
    return noted !== read(row, name)
  })
  return field === undefined
    ? { check: 'receipt', result: 'right' }
    : { check: 'receipt', result: 'wrong', reason: { field } }
}

const worstFirst = ['wrong', 'unable', 'later', 'right'] as const

function worstOf(steps: readonly Step[]): Result {
  return worstFirst.find((result) => steps.some((step) => step.result === result)) ?? 'right'
}
