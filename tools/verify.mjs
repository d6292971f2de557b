#!/usr/bin/env node
/**
 * Draws openings again, offline, with nothing but an export. This file needs nothing but Node and imports nothing of the
 * service, so that it can be read and trusted by itself; docs/integrate/fairness.md says how to use it.
 *
 * An export is what GET /fairness/openings and GET /fairness/openings/{id} answer: such an answer, its `data`, an array of
 * either, or one of them a line. Each opening must pass, in this order; what is reported is the name of the first field
 * that does not fit:
 *
 *   1. It is unaltered (findAlteration): each field has its digest, and the digests have their signature.
 *   2. It was drawn as promised (findWrongDraw): the seed has the commitment, the odds table has the hash, and the draw,
 *      done again, picks the entry whose item was won.
 *   3. All unaltered ones fit together (findConflicts): no id and no prize tells two openings, no player has a
 *      sequence twice, a nonce twice under a seed, or two client seeds under one, sequence and nonce count on together
 *      under a seed, no seed has two commitments, two ids or two casinos, and no version of a box two odds tables.
 *      With --complete-seeds: no nonce is missing between 1 and the player's last under each seed. With --complete: nor
 *      any of the player's openings between 1 and the last, under any seed.
 *
 * An opening that is there more than once counts once: as it was told last, with its seed.
 */
import { createHash, createHmac, createPublicKey, verify } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const usage = `node verify.mjs [--key KEY] [--complete | --complete-seeds] [FILE…]      (without a FILE: standard input)

Draws exported openings again, and tells whether all is as it must be.

  --key KEY          the only signing key to accept: 64 hexadecimal digits, as GET /fairness/key answers
  --complete         nothing may be missing from opening 1 to each player's last (for whole players)
  --complete-seeds   nothing may be missing from nonce 1 to each player's last under a seed (for whole seeds)

FILE is what GET /fairness/openings or GET /fairness/openings/{id} answers, or one such answer a line.
Exit codes:
  0  every opening is as it must be
  1  one is not, or there is none
  2  wrong usage: an option, a file or a setting
  3  it could not be done`

/**
 * The place of the drawn entry, from 1. The numbers of an opening are the first eight bytes (big-endian) of
 * HMAC-SHA256(seed, '["<player id>",<nonce>,<counter>]'), or '["<player id>","<client seed>",<nonce>,<counter>]' where
 * the player has mixed one in, counter 0, 1, 2 …; of each as many leading bits are taken as the sum of weights, less one,
 * has; the first number below the sum is the ticket. The ticket falls into the entries laid end to end, each as long as
 * its weight.
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

/** The only way of drawing that this file knows; rows from before it had a name are drawn that way too. */
const scheme = 'hmac-sha256-v1'

/** The field that was altered after the service signed the opening, or undefined. `key` is the signer's, if it is known. */
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

/** The first field of an opening that the draw, done again, contradicts, or undefined. Its seed must be revealed. */
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
  // Out of stock: the table must say that there is a stock, and what is won instead.
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

/** The problem of an opening by itself, in words; undefined without one. */
export function findProblem(opening, key) {
  return findForgery(opening, key) ?? findFault(opening)
}

/** That it is none of the service's openings, or no longer. */
function findForgery(opening, key) {
  if (!isRecord(opening)) return 'is no opening'
  const altered = findAlteration(opening, key)
  return altered === undefined ? undefined : `${show(altered)} does not fit`
}

/** The problem of an unaltered opening. */
function findFault(opening) {
  if (opening.seed_id === null) return 'not verifiable: it is from before draws were'
  if (opening.seed === null) return 'not revealed yet: its seed is published after the next rotation'
  const wrong = findWrongDraw(opening)
  if (wrong !== undefined) return `${wrong} does not fit`
  return opening.forced === false ? undefined : 'not drawn: a test has chosen its outcome'
}

/**
 * The problems between openings: in words by the opening, and the missing ones. Each pair of a name and a value below
 * may have one opening, or one value of another field, and no second.
 */
export function findConflicts(openings) {
  const conflicts = new Map()
  const players = new Map() // by player: the numbers that are there, of all openings and under each seed
  const seen = new Map() // by a name and its value: the opening that had it first
  const take = (opening, name, key, isSame, problem) => {
    const first = getOrSet(seen, JSON.stringify([name, ...key]), opening)
    if (!isSame(first) && !conflicts.has(opening))
      conflicts.set(opening, `${name} does not fit: ${problem(show(first.id))}`)
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
      () => 'two openings have it',
    )
    const isSame = (first) => first.id === id
    if (isSequence(sequence)) {
      player.sequences.add(sequence)
      const key = [casinoId, playerId, sequence]
      take(opening, 'sequence', key, isSame, (first) => `${first} has it too`)
    } else player.unnumbered++
    if (typeof opening.prize_id === 'string')
      take(opening, 'prize_id', [opening.prize_id], isSame, (first) => `${first} has it too`)
    if (typeof opening.box_id === 'string')
      take(
        opening,
        'odds_hash',
        [casinoId, opening.box_id, opening.box_version],
        (first) => first.odds_hash === opening.odds_hash,
        (first) => `${first} has another for the same version`,
      )
    if (typeof seedId !== 'string' || !Number.isSafeInteger(nonce)) continue
    getOrSet(player.seeds, seedId, new Set()).add(nonce)
    const ofSeed = [casinoId, playerId, seedId]
    take(opening, 'nonce', [...ofSeed, nonce], isSame, (first) => `${first} has it too`)
    // A player who has gone on to another seed never comes back, so both grow by one with each opening under a seed.
    if (isSequence(sequence))
      take(
        opening,
        'sequence',
        ['under', ...ofSeed],
        (first) => first.sequence - first.nonce === sequence - nonce,
        (first) => `${first} has another distance to its nonce under the same seed`,
      )
    take(
      opening,
      'client_seed',
      ofSeed,
      (first) => first.client_seed === opening.client_seed,
      (first) => `${first} has another under the same seed`,
    )
    take(
      opening,
      'seed_commitment',
      [seedId],
      (first) => first.seed_commitment === opening.seed_commitment,
      (first) => `${first} has another for the same seed`,
    )
    take(
      opening,
      'casino_id',
      [seedId],
      (first) => first.casino_id === casinoId,
      (first) => `${first} has another for the same seed`,
    )
    take(
      opening,
      'seed_id',
      [opening.seed_commitment],
      (first) => first.seed_id === seedId,
      (first) => `${first} has another for the same commitment`,
    )
  }
  return { conflicts, missing: [...players.values()].map(findMissing) }
}

/** The same but for what is told later or by another key: the seed, the key and what is signed with it. */
function isSameOpening(one, other) {
  return canonical(lasting(one)) === canonical(lasting(other))
}

function lasting(opening) {
  return { ...opening, seed: null, signing_key: null, digests: null, signature: null }
}

/**
 * Each row once, with its names in any order. Of the unaltered rows each opening once: one without its seed says
 * nothing that one with it does not say.
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

/** The missing openings of a player: a line for each gap, and how many they are, under seeds and of all. */
function findMissing({ playerId, sequences, seeds, unnumbered }) {
  const player = `player ${show(playerId)}`
  const underSeeds = [...seeds].flatMap(([seedId, nonces]) =>
    findGaps(nonces).map(({ text, count }) => ({
      text: `${player}, seed ${show(seedId)}: nonce ${text} missing`,
      count,
    })),
  )
  const ofAll = findGaps(sequences).map(({ text, count }) => ({
    text: `${player}: opening ${text} missing`,
    count,
  }))
  if (unnumbered > 0)
    ofAll.push({ text: `${player}: ${unnumbered} without a sequence; fetch them again`, count: 0 })
  return { underSeeds, ofAll }
}

/** The numbers from 1 that are not there, up to the last one that is. */
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
  const { key, complete, completeSeeds, help, files } = parseArguments(args)
  if (help) {
    console.log(usage)
    return true
  }
  const rows = (await Promise.all(files.map(readOpenings))).flat()
  const forgeries = new Map(rows.map((row) => [row, findForgery(row, key)]))
  const isForged = (row) => forgeries.get(row) !== undefined
  const openings = takeOnce(rows, isForged)
  if (openings.length < rows.length)
    console.error(`${rows.length - openings.length} of ${rows.length} rows repeat another and count once`)
  // Altered rows say nothing against the others.
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
  // An opening that is missing under a seed is missing among all, too: it is told twice and counts once.
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
        `Signed with ${show(signer)}. Compare it with GET /fairness/key, or give that one as --key.`,
      )
    }
  }
  console.log(`${right} verified, ${wrong} not${missingCount > 0 ? `, ${missingCount} missing` : ''}`)
  return right > 0 && wrong === 0 && counts.every(({ isWhole }) => isWhole)
}

/** A problem that the caller can correct. */
class InputError extends Error {}

const hint = '\n\n--help shows how to use it.'

function parseArguments(args) {
  const options = {
    key: { type: 'string' },
    complete: { type: 'boolean' },
    'complete-seeds': { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  }
  let parsed
  try {
    parsed = parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new InputError(`${error.message}${hint}`)
  }
  const { key, complete = false, 'complete-seeds': completeSeeds = false, help = false } = parsed.values
  if (key !== undefined && !isHex(key.toLowerCase(), 64))
    throw new InputError(`--key must be 64 hexadecimal digits${hint}`)
  const files = parsed.positionals
  if (!help && files.length === 0 && process.stdin.isTTY)
    throw new InputError(`no FILE, and nothing on the standard input${hint}`)
  return { key: key?.toLowerCase(), complete, completeSeeds, help, files: files.length === 0 ? ['-'] : files }
}

async function readOpenings(file) {
  const name = file === '-' ? 'standard input' : file
  let content
  try {
    content = file === '-' ? await text(process.stdin) : await readFile(file, 'utf8')
  } catch (error) {
    throw new InputError(`${name} cannot be read: ${error.code ?? error.message}`)
  }
  content = content.replace(/^\uFEFF/, '')
  const whole = parseJson(content)
  if (whole !== undefined) return openingsOf(whole)
  return content.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    const value = parseJson(line)
    if (value === undefined) throw new InputError(`${name}, line ${index + 1}: not JSON`)
    return openingsOf(value)
  })
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

/** A field of the record itself; what it inherits does not count. */
function read(record, name) {
  return isRecord(record) && Object.hasOwn(record, name) ? record[name] : undefined
}

function getOrSet(map, key, value) {
  if (!map.has(key)) map.set(key, value)
  return map.get(key)
}

/** An id as it is, anything else as JSON without control characters: a file must not write to the terminal what it likes. */
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
    console.error(error instanceof InputError ? error.message : `Cannot be checked: ${error.message}`)
    process.exitCode = error instanceof InputError ? 2 : 3
  }
}
