#!/usr/bin/env node
/**
 * Repeats the draws of exported openings, offline. This file needs only Node and imports nothing from the service, so an
 * auditor can read it and trust it by itself; docs/integrate/fairness.md says how to use it.
 *
 * An export is an answer of GET /fairness/openings or GET /fairness/openings/{id}, its `data`, an array of either, or
 * one of them per line. Each opening is checked in this order, and the report names the first field that does not match:
 *
 *   1. It is unaltered (findAlteration): each field matches its digest, and the digests match their signature.
 *   2. It was drawn as promised (findWrongDraw): the seed matches the commitment, the odds table matches the hash, and
 *      the repeated draw picks the entry whose item was won.
 *   3. The unaltered openings agree with each other (findConflicts): ids and prizes are unique; a player's sequences are
 *      unique, and so are the player's nonces under a seed; a player has one client seed under a seed; sequence and nonce
 *      increase together under a seed; a seed has one commitment, one id and one casino; a version of a box has one odds
 *      table. With --complete-seeds, no nonce is missing from 1 to the player's last one under each seed. With
 *      --complete, no opening of the player is missing from 1 to the last one under any seed either.
 *
 * An opening that occurs several times counts once, with its seed if any of its rows has it.
 *
 * With --archive, it checks files of the archive instead (checkArchive): the manifest's signature, the file's hashes, and
 * that the file has the rows of its five tables, all of the manifest's month, table by table and as many of each as the
 * manifest says: events in the order of their ids, and no row of another table right after itself.
 */
import { createHash, createHmac, createPublicKey, verify } from 'node:crypto'
import { createReadStream, realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { createGunzip } from 'node:zlib'

const usage = `node verify.mjs [--key KEY] [--complete | --complete-seeds] [FILE…]
       node verify.mjs --archive [--key KEY] MANIFEST…

Repeats the draws of exported openings, and reports every opening that does not match.

  --key KEY          accept only this signing key, 64 hexadecimal digits: what GET /fairness/key returns, or with
                     --archive the signing_key of an earlier manifest
  --complete         also report missing openings, from each player's first to the last (for exports of whole players)
  --complete-seeds   also report missing nonces, from 1 to each player's last under a seed (for exports of whole seeds)
  --archive          check manifests of the archive, and the files beside them

FILE has an answer of GET /fairness/openings or GET /fairness/openings/{id}, or one answer per line. Without a FILE, the
program reads standard input.
Exit codes:
  0  every opening is verified
  1  an opening is not verified or is missing, or there are no openings
  2  wrong usage: an option, a file or a setting
  3  the check itself failed`

/**
 * The position of the drawn entry, from 1. The numbers of an opening are the first eight bytes (big-endian) of
 * HMAC-SHA256(seed, '["<player id>",<nonce>,<counter>]'), or of '["<player id>","<client seed>",<nonce>,<counter>]' if
 * the player has set a client seed, for counter 0, 1, 2 … Each number is cut to as many leading bits as (sum of weights
 * − 1) has. The first result below the sum is the ticket. With the entries laid end to end, each as long as its weight,
 * the ticket falls into the drawn one.
 */
export function draw(seed, { playerId, clientSeed, nonce }, weights) {
  const sum = weights.reduce((total, weight) => total + BigInt(weight), 0n)
  const bits = BigInt((sum - 1n).toString(2).length)
  const names = [playerId, ...(clientSeed === null ? [] : [clientSeed])].map((name) => JSON.stringify(name))
  for (let counter = 0; ; counter++) {
    const message = `[${names},${nonce},${counter}]`
    const digest = createHmac('sha256', seed).update(message).digest()
    let ticket = BigInt(`0x${digest.subarray(0, 8).toString('hex')}`) >> (64n - bits)
    if (ticket >= sum) continue
    for (const [index, weight] of weights.entries()) {
      if (ticket < BigInt(weight)) return index + 1
      ticket -= BigInt(weight)
    }
  }
}

/** The only scheme that this file knows. Rows from before schemes had names were drawn with it too. */
const scheme = 'hmac-sha256-v1'

/** The field that was altered after the service signed the opening, or undefined. `key` is the service's, if known. */
export function findAlteration(opening, key) {
  const { digests, signature, ...fields } = opening
  const expected = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, sha256(JSON.stringify([name, value])).slice(0, 32)]),
  )
  const names = Object.keys({ ...expected, ...digests })
  const differing = names.filter((name) => read(expected, name) !== read(digests, name))
  const isSigned = (signed) =>
    isRecord(signed) && isSignature(opening.signing_key, canonical(signed), signature)
  if (isSigned(digests)) {
    if (differing.length > 0) return differing[0]
    return key === undefined || key === opening.signing_key ? undefined : 'signing_key'
  }
  if (isSigned(expected)) return 'digests'
  return differing.length === 1 && differing[0] === 'signing_key' ? 'signing_key' : 'signature'
}

/** Ed25519; the key is 32 bytes, the signature 64, both in hexadecimal. */
function isSignature(key, text, signature) {
  if (!isHex(key, 64) || !isHex(signature, 128)) return false
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(key, 'hex').toString('base64url') }
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
  return verify(null, Buffer.from(text, 'utf8'), publicKey, Buffer.from(signature, 'hex'))
}

/** JSON with the names sorted and no white space. */
function canonical(record) {
  return JSON.stringify(Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1))))
}

/** The first field of an opening that contradicts the repeated draw, or undefined. Its seed must be revealed. */
export function findWrongDraw(opening) {
  if (!isHex(opening.seed, 64)) return 'seed'
  const seed = Buffer.from(opening.seed, 'hex')
  if (sha256(seed) !== opening.seed_commitment) return 'seed_commitment'
  if (typeof opening.odds_table !== 'string') return 'odds_table'
  if (sha256(opening.odds_table) !== opening.odds_hash) return 'odds_hash'
  const table = parseTable(opening.odds_table)
  if (table === undefined) return 'odds_table'
  const { player_id: playerId, client_seed: clientSeed, nonce, position } = opening
  if (opening.scheme !== undefined && opening.scheme !== scheme) return 'scheme'
  if (typeof playerId !== 'string') return 'player_id'
  if (!Number.isSafeInteger(nonce) || nonce < 1) return 'nonce'
  const { sequence } = opening // counts the openings under all seeds, the nonce those under one
  if (sequence !== undefined && (!isSequence(sequence) || sequence < nonce)) return 'sequence'
  if (clientSeed !== null && typeof clientSeed !== 'string') return 'client_seed'
  const weights = table.entries.map((entry) => entry.weight)
  if (opening.forced !== true && draw(seed, { playerId, clientSeed, nonce }, weights) !== position)
    return 'position'
  const entry = table.entries[position - 1]
  if (entry === undefined) return 'position'
  const { substituted_for: substitutedFor } = opening
  if (substitutedFor === null) return opening.item_id === entry.item_id ? undefined : 'item_id'
  // Out of stock: the table must have a stock for the entry, and a fallback.
  if (substitutedFor !== entry.item_id || entry.stock === null || table.fallback_item_id === null)
    return 'substituted_for'
  return opening.item_id === table.fallback_item_id ? undefined : 'item_id'
}

function isSequence(value) {
  return Number.isSafeInteger(value) && value >= 1
}

function parseTable(text) {
  const table = parseJson(text)
  const isEntry = (entry) => isRecord(entry) && Number.isSafeInteger(entry.weight) && entry.weight > 0
  return isRecord(table) &&
    Array.isArray(table.entries) &&
    table.entries.length > 0 &&
    table.entries.every(isEntry)
    ? table
    : undefined
}

/** The problem of a single opening, as text, or undefined. */
export function findProblem(opening, key) {
  return findForgery(opening, key) ?? findFault(opening)
}

/** The problem of a row that is not an unaltered opening of the service. */
function findForgery(opening, key) {
  if (!isRecord(opening)) return 'not an opening'
  const altered = findAlteration(opening, key)
  return altered === undefined ? undefined : `${show(altered)} does not match`
}

/** The problem of an unaltered opening. */
function findFault(opening) {
  if (opening.seed_id === null) return 'not verifiable: it was made before draws were verifiable'
  if (opening.seed === null) return 'not revealed yet: its seed is published after the next rotation'
  const wrong = findWrongDraw(opening)
  if (wrong !== undefined) return `${wrong} does not match`
  return opening.forced === false ? undefined : 'not drawn: a test chose its outcome'
}

/**
 * The problems between openings: a text for each opening that contradicts an earlier one, and the missing openings. Each
 * check below says that a value occurs in one opening only, or only together with one value of another field.
 */
export function findConflicts(openings) {
  const conflicts = new Map()
  const players = new Map() // by player: the sequences, and the nonces under each seed
  const seen = new Map() // by field and value: the first opening with it
  const take = (opening, name, key, isSame, problem) => {
    const first = getOrSet(seen, JSON.stringify([name, ...key]), opening)
    if (!isSame(first) && !conflicts.has(opening))
      conflicts.set(opening, `${name} ${problem(show(first.id))}`)
  }
  for (const opening of openings) {
    const { id, seed_id: seedId, player_id: playerId, casino_id: casinoId, sequence, nonce } = opening
    const player = getOrSet(players, JSON.stringify([casinoId, playerId]), {
      playerId,
      sequences: new Set(),
      seeds: new Map(),
      unnumbered: 0,
    })
    take(
      opening,
      'id',
      [id],
      (first) => isSameOpening(first, opening),
      () => 'is that of another opening too',
    )
    const isSame = (first) => first.id === id
    if (isSequence(sequence)) {
      player.sequences.add(sequence)
      const key = [casinoId, playerId, sequence]
      take(opening, 'sequence', key, isSame, isAlsoOf)
    } else player.unnumbered++
    if (typeof opening.prize_id === 'string') take(opening, 'prize_id', [opening.prize_id], isSame, isAlsoOf)
    if (typeof opening.box_id === 'string')
      take(
        opening,
        'odds_hash',
        [casinoId, opening.box_id, opening.box_version],
        (first) => first.odds_hash === opening.odds_hash,
        (first) => `differs from that of ${first} for the same version`,
      )
    if (typeof seedId !== 'string' || !Number.isSafeInteger(nonce)) continue
    getOrSet(player.seeds, seedId, new Set()).add(nonce)
    const ofSeed = [casinoId, playerId, seedId]
    take(opening, 'nonce', [...ofSeed, nonce], isSame, isAlsoOf)
    // A player never returns to an earlier seed, so both increase by one with each opening under a seed.
    if (isSequence(sequence))
      take(
        opening,
        'sequence',
        ['under', ...ofSeed],
        (first) => first.sequence - first.nonce === sequence - nonce,
        (first) => `does not increase together with nonce since ${first}`,
      )
    take(
      opening,
      'client_seed',
      ofSeed,
      (first) => first.client_seed === opening.client_seed,
      (first) => `differs from that of ${first} under the same seed`,
    )
    take(
      opening,
      'seed_commitment',
      [seedId],
      (first) => first.seed_commitment === opening.seed_commitment,
      (first) => `differs from that of ${first} for the same seed`,
    )
    take(
      opening,
      'casino_id',
      [seedId],
      (first) => first.casino_id === casinoId,
      (first) => `differs from that of ${first} for the same seed`,
    )
    take(
      opening,
      'seed_id',
      [opening.seed_commitment],
      (first) => first.seed_id === seedId,
      (first) => `differs from that of ${first} for the same commitment`,
    )
  }
  return { conflicts, missing: [...players.values()].map(findMissing) }
}

function isAlsoOf(first) {
  return `is also that of ${first}`
}

/** The same, apart from the fields that change with the reveal or the signing key. */
function isSameOpening(one, other) {
  return canonical(lasting(one)) === canonical(lasting(other))
}

function lasting(opening) {
  return { ...opening, seed: null, signing_key: null, digests: null, signature: null }
}

/**
 * Each row once, whatever the order of its fields. Of the unaltered rows each opening once: a row without the seed is
 * left out if another has it.
 */
function takeOnce(rows, isForged) {
  const sound = rows.filter((row) => !isForged(row))
  const revealed = new Set(sound.filter(({ seed }) => seed !== null).map((row) => canonical(lasting(row))))
  const isOutdated = (row) => row.seed === null && revealed.has(canonical(lasting(row)))
  const keyOf = (row) => {
    if (!isForged(row)) return `opening ${canonical({ ...lasting(row), seed: row.seed })}`
    return `row ${isRecord(row) && isRecord(row.digests) ? canonical({ ...row, digests: canonical(row.digests) }) : JSON.stringify(row)}`
  }
  const kept = rows.filter((row) => isForged(row) || !isOutdated(row))
  return [...new Map(kept.map((row) => [keyOf(row), row])).values()]
}

/** The missing openings of a player: a line and a count for each gap, under each seed and under all seeds. */
function findMissing({ playerId, sequences, seeds, unnumbered }) {
  const player = `player ${show(playerId)}`
  const underSeeds = [...seeds].flatMap(([seedId, nonces]) =>
    findGaps(nonces).map(({ text, count }) => ({
      text: `${player}, seed ${show(seedId)}: missing ${count === 1 ? 'nonce' : 'nonces'} ${text}`,
      count,
    })),
  )
  const ofAll = findGaps(sequences).map(({ text, count }) => ({
    text: `${player}: missing ${count === 1 ? 'opening' : 'openings'} ${text}`,
    count,
  }))
  if (unnumbered > 0)
    ofAll.push({ text: `${player}: openings without a sequence: ${unnumbered}; export them again`, count: 0 })
  return { underSeeds, ofAll }
}

/** The missing numbers from 1 to the last one. */
function findGaps(numbers) {
  let last = 0
  return [...numbers]
    .sort((a, b) => a - b)
    .flatMap((number) => {
      const [from, to] = [last + 1, number - 1]
      last = number
      return from > to ? [] : [{ text: from === to ? `${from}` : `${from} to ${to}`, count: to - from + 1 }]
    })
}

async function main(args) {
  const { key, complete, completeSeeds, archive, help, files } = parseArguments(args)
  if (help) {
    console.log(usage)
    return true
  }
  if (archive) return verifyArchives(files, key)
  const rows = (await Promise.all(files.map(readOpenings))).flat()
  const forgeries = new Map(rows.map((row) => [row, findForgery(row, key)]))
  const isForged = (row) => forgeries.get(row) !== undefined
  const openings = takeOnce(rows, isForged)
  if (openings.length < rows.length)
    console.error(`Duplicate rows left out: ${rows.length - openings.length} of ${rows.length}`)
  // An altered row proves nothing about the others.
  const { conflicts, missing } = findConflicts(openings.filter((opening) => !isForged(opening)))
  let right = 0
  for (const [index, opening] of openings.entries()) {
    const problem = forgeries.get(opening) ?? findFault(opening) ?? conflicts.get(opening)
    if (problem === undefined) right++
    else
      console.error(
        `${read(opening, 'id') === undefined ? `opening ${index + 1}` : show(opening.id)}: ${problem}`,
      )
  }
  // An opening that is missing under its seed is missing among all openings too: two lines name it, and it counts once.
  const counts = missing.map(({ underSeeds, ofAll }) => {
    const [seedGaps, gaps] = [complete || completeSeeds ? underSeeds : [], complete ? ofAll : []]
    for (const { text } of [...seedGaps, ...gaps]) console.error(text)
    return {
      isWhole: seedGaps.length + gaps.length === 0,
      count: Math.max(...[seedGaps, gaps].map((found) => found.reduce((sum, { count }) => sum + count, 0))),
    }
  })
  const missingCount = counts.reduce((sum, { count }) => sum + count, 0)
  const wrong = openings.length - right
  if (key === undefined) {
    for (const signer of new Set(openings.filter(isRecord).map((opening) => opening.signing_key))) {
      console.error(
        `Signed with ${show(signer)}. Compare it with the key from GET /fairness/key, or pass that one with --key.`,
      )
    }
  }
  console.log(
    `${right} verified, ${wrong} not verified${missingCount > 0 ? `, ${missingCount} missing` : ''}`,
  )
  return right > 0 && wrong === 0 && counts.every(({ isWhole }) => isWhole)
}

async function verifyArchives(manifests, key) {
  if (manifests.includes('-')) throw new InputError(`--archive needs the names of manifests${hint}`)
  let right = 0
  const keys = new Set()
  for (const path of manifests) {
    const manifest = parseJson(await readText(path))
    const problem = isRecord(manifest) ? await checkArchive(manifest, dirname(path), key) : 'is no manifest'
    if (problem === undefined) {
      right++
      keys.add(manifest.signing_key)
      console.log(`${show(manifest.month)}: ${manifest.rows} rows`)
    } else console.error(`${path}: ${problem}`)
  }
  if (key === undefined)
    for (const signer of keys)
      console.error(`Signed with ${show(signer)}. Compare it with the key that you know.`)
  console.log(`${right} verified, ${manifests.length - right} not verified`)
  return right === manifests.length
}

/** The tables of a file, in its order. */
const archivedTables = ['event', 'prize', 'prize_order', 'cashback', 'opening']

/** The problem with a file of the archive, or undefined. */
async function checkArchive({ signature, ...manifest }, folder, key) {
  if (!isSignature(manifest.signing_key, canonical(manifest), signature)) return 'signature'
  if (key !== undefined && key !== manifest.signing_key) return 'signing_key'
  const { file, month, rows, tables } = manifest
  if (typeof file !== 'string' || !/^[\w.-]+$/.test(file)) return 'file'
  const compressed = createHash('sha256')
  const content = createHash('sha256')
  const input = createReadStream(join(folder, file))
  const unpacked = createGunzip()
  input.on('data', (chunk) => compressed.update(chunk))
  input.on('error', (error) => unpacked.destroy(error)).pipe(unpacked)
  let [last, isInOrder] = [undefined, true]
  const read = new Map()
  try {
    for await (const line of linesOf(unpacked)) {
      content.update(`${line}\n`)
      const row = parseJson(line)
      isInOrder &&= isRecord(row) && row.archived_month === `${month}-01` && follows(row, last)
      last = row
      read.set(row?.table, (read.get(row?.table) ?? 0) + 1)
    }
  } catch (error) {
    return `the file cannot be read (${error.code ?? error.message})`
  }
  if (compressed.digest('hex') !== manifest.sha256) return 'sha256'
  if (content.digest('hex') !== manifest.content_sha256) return 'content_sha256'
  const sum = [...read.values()].reduce((all, count) => all + count, 0)
  if (sum !== rows || !isRecord(tables)) return 'rows'
  if (archivedTables.some((table) => (tables[table] ?? 0) !== (read.get(table) ?? 0))) return 'tables'
  return isInOrder ? undefined : 'the rows are not those of the month, once and in order'
}

/** Whether a row may come after another one: events by their numbers, the rows of other tables by keys of any order. */
function follows(row, last) {
  const [place, lastPlace] = [row, last].map((one) => archivedTables.indexOf(one?.table))
  if (place !== lastPlace) return place > lastPlace
  return row.table === 'event' ? row.id > last.id : row.id !== last.id || row.casino_id !== last.casino_id
}

/** Only line feeds end lines: a text may contain other breaks. */
async function* linesOf(stream) {
  let rest = ''
  for await (const chunk of stream.setEncoding('utf8')) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop()
    yield* lines
  }
  if (rest !== '') yield rest
}

/** A problem that the caller can correct. */
class InputError extends Error {}

const hint = '\n\n--help shows how to use it.'

function parseArguments(args) {
  const options = {
    key: { type: 'string' },
    complete: { type: 'boolean' },
    'complete-seeds': { type: 'boolean' },
    archive: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  }
  let parsed
  try {
    parsed = parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new InputError(`${error.message}${hint}`)
  }
  const { key, complete = false, 'complete-seeds': completeSeeds = false, archive = false } = parsed.values
  const { help = false } = parsed.values
  if (key !== undefined && !isHex(key.toLowerCase(), 64))
    throw new InputError(`--key must be 64 hexadecimal digits${hint}`)
  const files = parsed.positionals
  if (!help && files.length === 0 && process.stdin.isTTY)
    throw new InputError(`Name a FILE, or pipe an export into the program${hint}`)
  const named = files.length === 0 ? ['-'] : files
  return { key: key?.toLowerCase(), complete, completeSeeds, archive, help, files: named }
}

async function readOpenings(file) {
  const name = file === '-' ? 'standard input' : file
  const content = await readText(file, name)
  const whole = parseJson(content)
  if (whole !== undefined) return openingsOf(whole)
  return content.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    const value = parseJson(line)
    if (value === undefined) throw new InputError(`${name}, line ${index + 1}: not JSON`)
    return openingsOf(value)
  })
}

async function readText(file, name = file) {
  try {
    const content = file === '-' ? await text(process.stdin) : await readFile(file, 'utf8')
    return content.replace(/^\uFEFF/, '')
  } catch (error) {
    throw new InputError(`${name} cannot be read: ${error.code ?? error.message}`)
  }
}

/** The openings of an answer, of its `data`, or of an array of either. */
function openingsOf(value) {
  if (Array.isArray(value)) return value.flatMap(openingsOf)
  return isRecord(value) && Object.hasOwn(value, 'data') ? openingsOf(value.data) : [value]
}

function parseJson(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function sha256(data) {
  return createHash('sha256').update(data).digest('hex')
}

function isRecord(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isHex(value, digits) {
  return typeof value === 'string' && value.length === digits && /^[0-9a-f]+$/.test(value)
}

/** A field of the record itself, not an inherited one. */
function read(record, name) {
  return isRecord(record) && Object.hasOwn(record, name) ? record[name] : undefined
}

function getOrSet(map, key, value) {
  if (!map.has(key)) map.set(key, value)
  return map.get(key)
}

/** An id unchanged, anything else as JSON without control characters: a file must not control the terminal. */
function show(value) {
  if (typeof value === 'string' && /^[\w.-]{1,128}$/.test(value)) return value
  return (JSON.stringify(value) ?? 'unknown').replace(
    /\p{C}/gu,
    (c) => `\\u{${c.codePointAt(0).toString(16)}}`,
  )
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) {
  try {
    process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1
  } catch (error) {
    console.error(error instanceof InputError ? error.message : `The check failed: ${error.message}`)
    process.exitCode = error instanceof InputError ? 2 : 3
  }
}
