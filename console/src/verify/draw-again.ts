/** The only way of drawing that this program knows; docs/integrate/fairness.md describes it. */
export const scheme = 'hmac-sha256-v1'

export type Bytes = Uint8Array<ArrayBuffer>

/** The input that a draw is derived from, beside the server seed. */
export interface DrawInput {
  playerId: string
  clientSeed: string | null
  nonce: number
}

/** The result of the draw, and its steps: enough to do it by hand. */
export interface Drawn {
  /** Of the drawn entry, from 1. */
  position: number
  /** The text that was hashed with the seed as the key. */
  message: string
  /** The first eight bytes of the hash, in hexadecimal. */
  number: string
  /** The number cut to as many bits as the sum has; it says which entry it falls into. */
  ticket: bigint
  sum: bigint
}

/** Each try succeeds with a probability of a half at least, so the last of these is never reached. */
const triesMax = 1_000

/**
 * Draws again, with nothing but WebCrypto. The number of a try is the first eight bytes of HMAC-SHA256(seed, message),
 * where the message is `["<player id>","<client seed>",<nonce>,<counter>]`, without the client seed if there is none.
 * Its leading bits, as many as the sum of weights less one has, are the ticket; the first ticket below the sum counts.
 * It falls into the entries laid end to end, each as long as its weight.
 */
export async function drawAgain(
  seed: Bytes,
  { playerId, clientSeed, nonce }: DrawInput,
  weights: readonly number[],
): Promise<Drawn> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const key = await subtle().importKey('raw', seed, hmac, false, ['sign'])
  const sum = sumOf(weights)
  const bits = BigInt((sum - 1n).toString(2).length)
  const names = (clientSeed === null ? [playerId] : [playerId, clientSeed]).map((name) =>
    JSON.stringify(name),
  )
  for (let counter = 0; counter < triesMax; counter++) {
    const message = `[${names.join()},${nonce},${counter}]`
    const digest = new Uint8Array(await subtle().sign('HMAC', key, bytesOf(message)))
    const number = toHex(digest.subarray(0, 8))
    const ticket = BigInt(`0x${number}`) >> (64n - bits)
    if (ticket < sum) return { position: findPosition(weights, ticket), message, number, ticket, sum }
  }
  throw new Error('no number is below the sum of weights')
}

/** Browsers have it only on pages that came over TLS or from the machine itself. */
export function subtle(): typeof crypto.subtle {
  if ('subtle' in crypto) return crypto.subtle
  throw new Error(
    'Browsers check openings only on pages whose address begins with https:// or is on this machine.',
  )
}

export function sumOf(weights: readonly number[]): bigint {
  return weights.reduce((sum, weight) => sum + BigInt(weight), 0n)
}

function findPosition(weights: readonly number[], ticket: bigint): number {
  let end = 0n
  return weights.findIndex((weight) => ticket < (end += BigInt(weight))) + 1
}

/** SHA-256, in hexadecimal. */
export async function sha256(data: Bytes | string): Promise<string> {
  const bytes = typeof data === 'string' ? bytesOf(data) : data
  return toHex(new Uint8Array(await subtle().digest('SHA-256', bytes)))
}

export function bytesOf(text: string): Bytes {
  return new TextEncoder().encode(text)
}

/** `digits` is hexadecimal, two digits a byte. */
export function fromHex(digits: string): Bytes {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16))
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
