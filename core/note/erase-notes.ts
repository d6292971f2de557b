import type { Database } from '../platform/database.ts'
import { batchInput, sql, text, timestamptz } from '../platform/sql.ts'

/** One statement erases this many. */
const erasedAtOnceMax = 500

/** A player whose notes up to the time of the request are erased. */
interface ErasedPlayer {
  casinoId: string
  playerId: string
  requestedAt: Date
}

/** The condition that a player of `input` still has a note to be erased. */
export const hasNotes = sql`EXISTS (
           SELECT FROM prize_note AS note
            WHERE note.casino_id = input.casino_id AND note.player_id = input.player_id
              AND note.created_at <= input.requested_at AND note.text_key IS NOT NULL
         )`

/**
 * Erases the texts of the players' notes, with their data keys; that there was a note stays. Passes over notes that are
 * being erased. Returns the number; there may be more.
 */
export async function eraseNotes(database: Database, players: readonly ErasedPlayer[]): Promise<number> {
  if (players.length === 0) return 0
  return database.$executeRaw`
    WITH found AS (
      SELECT note.id
        FROM ${batchInput(players, {
          casino_id: text((player) => player.casinoId),
          player_id: text((player) => player.playerId),
          requested_at: timestamptz((player) => player.requestedAt),
        })}
       CROSS JOIN LATERAL (
         SELECT id FROM prize_note
          WHERE casino_id = input.casino_id AND player_id = input.player_id
            AND created_at <= input.requested_at AND text_key IS NOT NULL
          LIMIT ${erasedAtOnceMax}::int
       ) AS note
       LIMIT ${erasedAtOnceMax}::int
    ),
    locked AS (
      SELECT id FROM prize_note WHERE id IN (SELECT id FROM found) FOR UPDATE SKIP LOCKED
    )
    UPDATE prize_note SET text_ciphertext = '', text_key = NULL, text_key_id = NULL
      FROM locked WHERE prize_note.id = locked.id`
}

/** Erases all notes of a player, except those that another process is erasing. */
export async function eraseAllNotes(database: Database, player: ErasedPlayer): Promise<void> {
  let erased: number
  do erased = await eraseNotes(database, [player])
  while (erased > 0)
}
