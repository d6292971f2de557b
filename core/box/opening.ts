import type { Draw } from './decide-opening.ts'
import type { OpenBoxRequest } from './load-openers.ts'

/** An opening as it is recorded and answered. */
export interface Opening {
  id: string
  boxId: string
  version: number
  oddsHash: string
  /** What the draw was derived from, beside the player. */
  seedId: string
  seedCommitment: string
  nonce: bigint
  clientSeed: string | null
  prizeId: string
  draw: Draw
  /** The last moment to claim the prize; null when it can be claimed for ever. */
  expiresAt: Date | null
}

/** What is to be stored of one request. */
export interface OpeningWrite {
  request: OpenBoxRequest
  opening: Opening
  /** The player's count as it was loaded; the write takes effect only where it still is. */
  openingCount: bigint
  /** The player's wish as it was loaded, under the same condition: what the player was told stays true. */
  wantedClientSeed: string | null
  isNewPlayer: boolean
  /** See `Answer`. */
  response: string
}
