import { createHash, createHmac } from 'node:crypto'

/**
 * The name of the derivation in this file and the drawing in `core/box/draw.ts`; a changed method gets another name.
 */
export const drawScheme = 'hmac-sha256-v1'

/** The published commitment to an unused seed: SHA-256 of its 32 bytes, in hexadecimal. Never part of a derivation. */
export function commitmentOf(seed: Uint8Array): string {
  return createHash('sha256').update(seed).digest('hex')
}

/** The inputs of a draw, beside the server seed. */
export interface DrawInput {
  playerId: string
  /** The player's n-th opening under this server seed, from 1, without gaps. */
  nonce: bigint
  /** The player's client seed, if any; chosen before the server seed was used for this player. */
  clientSeed: string | null
}

/**
 * The numbers of an opening: the first eight bytes (big-endian) of HMAC-SHA256, keyed by the server seed, of the JSON
 * array `["<player id>",<nonce>,<counter>]`, or `["<player id>","<client seed>",<nonce>,<counter>]` with a client seed,
 * with the counter at 0, 1, 2 … After the commitment, neither side can choose any of it. An opening that is decided
 * again gets the same numbers: there is no second draw.
 */
export function createDrawSource(seed: Uint8Array, { playerId, nonce, clientSeed }: DrawInput): () => bigint {
  const names = clientSeed === null ? [playerId] : [playerId, clientSeed]
  const prefix = `${JSON.stringify(names).slice(0, -1)},${nonce},`
  let counter = 0
  return () => {
    const digest = createHmac('sha256', seed).update(`${prefix}${counter++}]`).digest()
    return digest.readBigUInt64BE(0)
  }
}
