import type { Database } from '../platform/database.ts'

export interface PlayerRecord {
  openingCount: bigint
  createdAt: Date
  eraseRequestedAt: Date | null
  erasedAt: Date | null
}

/** Null for a player that the service has not seen. */
export function findPlayer(
  database: Database,
  { casinoId, playerId: id }: { casinoId: string; playerId: string },
): Promise<PlayerRecord | null> {
  return database.player.findUnique({ where: { casinoId_id: { casinoId, id } } })
}
