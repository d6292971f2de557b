import type { Draw } from './decide-opening.ts'
import type { OpenBoxRequest } from './load-openers.ts'

/** An opening as recorded and answered. */
export interface Opening {
  id: string
  boxId: string
  version: number
  oddsHash: string
  /** The inputs of the draw, beside the player. */
  seedId: string
  seedCommitment: string
  nonce: bigint
  clientSeed: string | null
  prizeId: string
  draw: Draw
  /** The last moment to claim the prize; null if it never expires. */
  expiresAt: Date | null
}

/** The write of one request. */
export interface OpeningWrite {
  request: OpenBoxRequest
  opening: Opening
  /** The player's count as loaded; the write takes effect only if it is unchanged. */
  openingCount: bigint
  /**
   * The player's next client seed as loaded, under the same condition, so that the seed shown to the player stays true.
   */
  wantedClientSeed: string | null
  isNewPlayer: boolean
  /** See `Answer`. */
  response: string
}
