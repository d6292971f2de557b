import { loadDecideStore } from '../batch/load-decide-store.ts'
import type { Change } from '../batch/load-decide-store.ts'
import type { EnvelopeCipher } from '../crypto/envelope.ts'
import { heldClaim, markedClaim } from '../idempotency/claim-steps.ts'
import type { HeldClaim } from '../idempotency/claim-steps.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { instant, sql } from '../platform/sql.ts'
import { insertInto } from '../platform/sql-insert.ts'
import { getPrize } from '../prize/read-prizes.ts'
import type { NoteRecord } from './note.ts'

interface NoteRequest {
  casinoId: string
  prizeId: string
  text: string
  actor: string
  requestId: string
  claim: HeldClaim | undefined
}

/** Adds a note to a prize. Throws `prize_unknown`. The record has no text: answers under a key are kept for days. */
export async function addNote(
  { database, clock, cipher }: { database: Database; clock: Clock; cipher: EnvelopeCipher },
  request: NoteRequest,
): Promise<NoteRecord> {
  const { casinoId, prizeId, actor, requestId } = request
  const createdAt = clock.now()
  const id = newId('nte', createdAt)
  const change: Change<NoteRequest, { playerId: string }, NoteRecord, NoteRecord> = {
    load: () => getPrize(database, casinoId, prizeId),
    decide: (_, { playerId }) => ({ write: { id, prizeId, playerId, actor, requestId, createdAt } }),
    store: async ([note]) => {
      const isStored = note !== undefined && (await storeNote({ database, cipher }, request, note))
      return isStored ? new Map([[note, note]]) : new Map()
    },
  }
  const [result] = await loadDecideStore(change, [request])
  if (result === undefined) throw new Error('a request got no result')
  if ('error' in result) throw result.error
  return result.value
}

/**
 * Returns false if the request has lost its key. The lock on the player makes an erasure under way wait for the note, so
 * that it erases it.
 */
async function storeNote(
  { database, cipher }: { database: Database; cipher: EnvelopeCipher },
  { casinoId, text, claim }: NoteRequest,
  note: NoteRecord,
): Promise<boolean> {
  const { ciphertext, wrappedKey, keyId } = cipher.seal(text, note.id)
  const rows = await database.$queryRaw<{ id: string }[]>`
    WITH ${heldClaim(claim)},
    player_locked AS (
      SELECT id FROM player WHERE casino_id = ${casinoId}::text AND id = ${note.playerId}::text FOR SHARE
    ),
    note_added AS (
      ${insertInto('prize_note', {
        from: sql`(SELECT count(*) FROM player_locked) AS players_first CROSS JOIN claim_held`,
        columns: {
          id: sql`${note.id}::text`,
          casino_id: sql`${casinoId}::text`,
          prize_id: sql`${note.prizeId}::text`,
          player_id: sql`${note.playerId}::text`,
          text_ciphertext: sql`${ciphertext}::bytea`,
          text_key: sql`${wrappedKey}::bytea`,
          text_key_id: sql`${keyId}::text`,
          actor: sql`${note.actor}::text`,
          request_id: sql`${note.requestId}::text`,
          created_at: instant(note.createdAt),
        },
      })}
      RETURNING id
    ),
    ${markedClaim(claim, 'note_added')}
    SELECT id FROM note_added`
  return rows.length > 0
}
