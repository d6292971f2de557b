#!/usr/bin/env node
/**
 * Draws openings again, offline, with nothing but an export: `node tools/verify.mjs FILE…` or `… < FILE`.
 *
 * An export is what GET /fairness/openings/{id} answers: that answer itself, its `data`, an array of those, or one of
 * them a line. For each opening it checks, in this order, and names the field that does not fit:
 *
 *   seed_commitment  is the SHA-256 of the 32 bytes of `seed` (hexadecimal)
 *   odds_hash        is the SHA-256 of the text `odds_table`
 *   position         is the entry that the draw picks: see `draw` below
 *   substituted      the won item is the table's fallback, and the drawn entry has a limited stock; otherwise:
 *   item_id          is the item of the drawn entry
 *
 * Exit code 0: every opening is as it must be. 1: one is not, or nothing could be checked. This file needs nothing but
 * Node and imports nothing of the service, so that it can be read and trusted by itself.
 */
import { createHash, createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'

/**
 * The place of the drawn entry, from 1. The numbers of an opening are the first eight bytes (big-endian) of
 * HMAC-SHA256(seed, '["<player id>",<nonce>,<counter>]'), counter 0, 1, 2 …; of each as many leading bits are taken as
 * the sum of weights, less one, has; the first number below the sum is the ticket. The ticket falls into the entries
 * laid end to end, each as long as its weight.
 */
export function draw(seed, playerId, nonce, weights) {
  const sum = weights.reduce((total, weight) => total + BigInt(weight), 0n)
  const bits = BigInt((sum - 1n).toString(2).length)
  for (let counter = 0; ; counter++) {
    const message = `[${JSON.stringify(playerId)},${nonce},${counter}]`
    const digest = createHmac('sha256', seed).update(message).digest()
    let ticket = BigInt(`0x${digest.subarray(0, 8).toString('hex')}`) >> (64n - bits)
    if (ticket >= sum) continue
    for (const [index, weight] of weights.entries()) {
      if (ticket < BigInt(weight)) return index + 1
      ticket -= BigInt(weight)
    }
  }
}

/** The name of the first field that does not fit, or undefined when all of them do. */
export function findTampering(opening) {
  const isText = (name) => typeof opening[name] === 'string'
  if (!isText('seed') || !/^[0-9a-f]{64}$/.test(opening.seed)) return 'seed'
  const seed = Buffer.from(opening.seed, 'hex')
  if (sha256(seed) !== opening.seed_commitment) return 'seed_commitment'
  if (!isText('odds_table') || sha256(opening.odds_table) !== opening.odds_hash) return 'odds_hash'
  if (!isText('player_id')) return 'player_id'
  if (!Number.isSafeInteger(opening.nonce) || opening.nonce < 1) return 'nonce'
  const table = JSON.parse(opening.odds_table)
  const weights = table.entries.map((entry) => entry.weight)
  if (draw(seed, opening.player_id, opening.nonce, weights) !== opening.position) return 'position'
  const entry = table.entries[opening.position - 1]
  if (opening.substituted === true) {
    if (entry.stock === null) return 'substituted'
    return opening.item_id === table.fallback_item_id ? undefined : 'item_id'
  }
  if (opening.substituted !== false) return 'substituted'
  return opening.item_id === entry.item_id ? undefined : 'item_id'
}

function sha256(data) {
  return createHash('sha256').update(data).digest('hex')
}

function parseExport(text) {
  try {
    const value = JSON.parse(text)
    const data = value.data ?? value
    return Array.isArray(data) ? data : [data]
  } catch {
    return text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .flatMap((line) => {
        const value = JSON.parse(line)
        return value.data ?? value
      })
  }
}

function main(files) {
  let wrong = 0
  let right = 0
  for (const file of files.length === 0 ? [0] : files) {
    for (const opening of parseExport(readFileSync(file, 'utf8'))) {
      const field = opening.seed === null ? 'seed (not revealed yet)' : findTampering(opening)
      if (field === undefined) right++
      else {
        wrong++
        console.error(`${opening.id}: ${field} does not fit`)
      }
    }
  }
  console.log(`${right} verified, ${wrong} not`)
  process.exitCode = wrong === 0 && right > 0 ? 0 : 1
}

if (import.meta.url === `file://${process.argv[1]}`) main(process.argv.slice(2))
