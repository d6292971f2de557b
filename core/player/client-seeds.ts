import { findActiveSeedId } from '../fairness/seeds.ts'
import type { Database } from '../platform/database.ts'

/** What a player has mixed in, and from when on. */
export interface ClientSeedState {
  /** The player's wish; null when nothing is to be mixed in. */
  clientSeed: string | null
  /** `active`: the active server seed is new to this player, the wish applies from it on. `next`: from the next one on. */
  appliesFrom: 'active' | 'next'
  /** What is mixed in under the active server seed, which no wish can change; null while it is new to this player. */
  inForce: { seedId: string; clientSeed: string | null } | null
}

interface PlayerSeeds {
  clientSeed: string | null
  seedId: string | null
  seedClientSeed: string | null
}

/**
 * Sets a player's wish; null takes it back. Two statements are enough for an answer that stays true, for a player's
 * seeds only ever go on. The first holds the player's row, so every opening that is stored after it carries the new wish
 * where its seed is new to the player. When the active seed, which is looked up afterwards, is not the one that the row
 * had, then no opening under it came before the wish; when it is, what the row had stays in force under it.
 */
export async function setClientSeed(
  database: Database,
  casinoId: string,
  playerId: string,
  clientSeed: string | null,
): Promise<ClientSeedState> {
  const [player] = await database.$queryRaw<PlayerSeeds[]>`
    INSERT INTO player (casino_id, id, client_seed)
    VALUES (${casinoId}::text, ${playerId}::text, ${clientSeed}::text)
        ON CONFLICT (casino_id, id) DO UPDATE SET client_seed = EXCLUDED.client_seed
    RETURNING client_seed AS "clientSeed", seed_id AS "seedId", seed_client_seed AS "seedClientSeed"`
  if (player === undefined) throw new Error('an upsert gave no row')
  return toState(player, await findActiveSeedId(database, casinoId))
}

/** A player whom we have not seen has no wish. */
export async function getClientSeed(
  database: Database,
  casinoId: string,
  playerId: string,
): Promise<ClientSeedState> {
  const player = await database.player.findUnique({
    where: { casinoId_id: { casinoId, id: playerId } },
    select: { clientSeed: true, seedId: true, seedClientSeed: true },
  })
  const unseen = { clientSeed: null, seedId: null, seedClientSeed: null }
  return toState(player ?? unseen, await findActiveSeedId(database, casinoId))
}

function toState(player: PlayerSeeds, activeSeedId: string | undefined): ClientSeedState {
  const { clientSeed, seedId, seedClientSeed } = player
  return seedId !== null && seedId === activeSeedId
    ? { clientSeed, appliesFrom: 'next', inForce: { seedId, clientSeed: seedClientSeed } }
    : { clientSeed, appliesFrom: 'active', inForce: null }
}
