import { webcrypto } from 'node:crypto'
import type { DrawInput } from '../../core/fairness/derive.ts'

/**
 * The place of the drawn entry, from 1, written from docs/integrate/fairness.md alone: another HMAC, the numbers as
 * texts of bits, and cumulative ends instead of subtraction. It shares only the document with the service and verifier.
 */
export async function drawIndependently(
  seed: Uint8Array,
  { playerId, clientSeed, nonce }: DrawInput,
  weights: readonly bigint[],
): Promise<number> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await webcrypto.subtle.importKey('raw', Uint8Array.from(seed), algorithm, false, ['sign'])
  const ends = weights.map((_, index) => weights.slice(0, index + 1).reduce((sum, weight) => sum + weight))
  const sum = ends.at(-1) ?? 0n
  const bitsTaken = Math.max(1, (sum - 1n).toString(2).length)
  const names = [playerId, clientSeed].filter((name) => name !== null).map(quote)
  for (let counter = 0; ; counter++) {
    const message = new TextEncoder().encode(`[${[...names, nonce, counter].join(',')}]`)
    const bytes = [...new Uint8Array(await webcrypto.subtle.sign('HMAC', key, message))].slice(0, 8)
    const bits = bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('')
    const ticket = BigInt(`0b${bits.slice(0, bitsTaken)}`)
    if (ticket < sum) return ends.findIndex((end) => ticket < end) + 1
  }
}

function quote(name: string): string {
  return `"${name.replace(/["\\]/g, (character) => `\\${character}`)}"`
}
