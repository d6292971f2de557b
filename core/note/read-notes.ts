import type { EnvelopeCipher } from '../crypto/envelope.ts'
import type { Database, Prisma } from '../platform/database.ts'
import type { NoteWithText } from './note.ts'

interface Deps {
  database: Database
  cipher: EnvelopeCipher
}

/** Decrypting blocks the event loop, so it is interrupted after this many notes. */
const openedAtOnceMax = 100

/** The newest `max` notes about a prize, newest first. */
export function listNotesOfPrize(
  deps: Deps,
  { casinoId, prizeId }: { casinoId: string; prizeId: string },
  max: number,
): Promise<NoteWithText[]> {
  return listNotes(deps, { casinoId, prizeId }, undefined, max)
}

/** A player's notes before `beforeId`, newest first, at most `max`. */
export function listNotesOfPlayer(
  deps: Deps,
  { casinoId, playerId, beforeId }: { casinoId: string; playerId: string; beforeId: string | undefined },
  max: number,
): Promise<NoteWithText[]> {
  return listNotes(deps, { casinoId, playerId }, beforeId, max)
}

async function listNotes(
  { database, cipher }: Deps,
  whose: Prisma.PrizeNoteWhereInput,
  beforeId: string | undefined,
  max: number,
): Promise<NoteWithText[]> {
  const notes: NoteWithText[] = []
  for (;;) {
    const last = notes.at(-1)?.id ?? beforeId
    const take = Math.min(openedAtOnceMax, max - notes.length)
    const rows = await database.prizeNote.findMany({
      where: { ...whose, ...(last === undefined ? {} : { id: { lt: last } }) },
      orderBy: { id: 'desc' },
      take,
    })
    notes.push(...rows.map((row) => openNote(cipher, row)))
    if (rows.length < take || notes.length >= max) return notes
  }
}

function openNote(cipher: EnvelopeCipher, row: Prisma.PrizeNoteModel): NoteWithText {
  const { id, prizeId, playerId, actor, requestId, createdAt } = row
  const note = { id, prizeId, playerId, actor, requestId, createdAt }
  const { textCiphertext: ciphertext, textKey, textKeyId } = row
  if (textKey === null || textKeyId === null) return { ...note, text: null }
  return { ...note, text: cipher.open({ ciphertext, wrappedKey: textKey, keyId: textKeyId }, id) }
}
