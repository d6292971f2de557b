import { findActiveSeedId } from '../fairness/seeds.ts'
import type { Database } from '../platform/database.ts'

/** A player's client seed, and when it applies. */
export interface ClientSeedState {
  /** The client seed that the player has chosen; null for none. */
  clientSeed: string | null
  /**
   * `active`: the player has no opening under the active server seed, so the choice applies to it. `next`: it applies
   * from the next one.
   */
  appliesFrom: 'active' | 'next'
  /**
   * The client seed used with the active server seed, which no choice can change; null while the player has no opening
   * under it.
   */
  inForce: { seedId: string; clientSeed: string | null } | null
}

interface PlayerSeeds {
  clientSeed: string | null
  seedId: string | null
  seedClientSeed: string | null
}

/**
 * Sets a player's client seed; null removes it. Two statements are enough for an answer that stays true, because a
 * player's seeds only move forward. The first locks the player's row, so every opening stored after it uses the new
 * choice if its server seed is new to the player. The active seed is looked up afterwards. If it differs from the one
 * in the row, no opening under it came before the choice; if it is the same, the row's previous value stays in force
 * under it.
 */
export async function setClientSeed(
  database: Database,
  casinoId: string,
  playerId: string,
  clientSeed: string | null,
): Promise<ClientSeedState> {
  // Raw, to be one statement for certain: the player's first opening may insert the row at the same time.
  const [player] = await database.$queryRaw<PlayerSeeds[]>`
    INSERT INTO player (casino_id, id, client_seed)
    VALUES (${casinoId}::text, ${playerId}::text, ${clientSeed}::text)
        ON CONFLICT (casino_id, id) DO UPDATE SET client_seed = EXCLUDED.client_seed
    RETURNING client_seed AS "clientSeed", seed_id AS "seedId", seed_client_seed AS "seedClientSeed"`
  if (player === undefined) throw new Error('an upsert gave no row')
  return toState(player, await findActiveSeedId(database, casinoId))
}

/** An unknown player has not chosen a client seed. */
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
