import { createHash, createHmac } from 'node:crypto'

/** Names the way outcomes are derived in this file and drawn in `core/box/draw.ts`; another way gets another name. */
export const drawScheme = 'hmac-sha256-v1'

/** What is published of a seed before it is used: SHA-256 of its 32 bytes, in hexadecimal. Never part of a derivation. */
export function commitmentOf(seed: Uint8Array): string {
  return createHash('sha256').update(seed).digest('hex')
}

/** What an outcome is a function of, beside the server seed. */
export interface DrawInput {
  playerId: string
  /** The player's n-th opening under this server seed, from 1, without gaps. */
  nonce: bigint
  /** What the player has mixed in, if anything; chosen before the seed was used for this player. */
  clientSeed: string | null
}

/**
 * The numbers that belong to an opening: the first eight bytes (big-endian) of HMAC-SHA256, keyed by the server seed, of
 * the JSON array `["<player id>",<nonce>,<counter>]`, or `["<player id>","<client seed>",<nonce>,<counter>]` where there
 * is one, with the counter at 0, 1, 2 … Nobody can choose any of it once the
 * seed is committed to. The same opening decided again gives the same numbers: there is no second draw.
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
