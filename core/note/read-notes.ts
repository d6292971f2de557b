import { EnvelopeError } from '../crypto/envelope.ts'
import type { EnvelopeCipher } from '../crypto/envelope.ts'
import type { Database, Prisma } from '../platform/database.ts'
import type { Logger } from '../platform/logger.ts'
import type { NoteWithText } from './note.ts'

interface Deps {
  database: Database
  cipher: EnvelopeCipher
  log: Logger
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
  deps: Deps,
  whose: Prisma.PrizeNoteWhereInput,
  beforeId: string | undefined,
  max: number,
): Promise<NoteWithText[]> {
  const notes: NoteWithText[] = []
  for (;;) {
    const last = notes.at(-1)?.id ?? beforeId
    const take = Math.min(openedAtOnceMax, max - notes.length)
    const rows = await deps.database.prizeNote.findMany({
      where: { ...whose, ...(last === undefined ? {} : { id: { lt: last } }) },
      orderBy: { id: 'desc' },
      take,
    })
    notes.push(...rows.map((row) => openNote(deps, row)))
    if (rows.length < take || notes.length >= max) return notes
  }
}

/** A damaged note is logged and shown as such, so that it does not hide the others. */
function openNote({ cipher, log }: Deps, row: Prisma.PrizeNoteModel): NoteWithText {
  const { id, casinoId, prizeId, playerId, actor, requestId, createdAt } = row
  const note = { id, prizeId, playerId, actor, requestId, createdAt, isDamaged: false }
  const { textCiphertext: ciphertext, textKey, textKeyId } = row
  if (textKey === null || textKeyId === null) return { ...note, text: null }
  try {
    return { ...note, text: cipher.open({ ciphertext, wrappedKey: textKey, keyId: textKeyId }, id) }
  } catch (error) {
    if (!(error instanceof EnvelopeError)) throw error
    log.error({ err: error, casinoId, noteId: id }, 'note unreadable')
    return { ...note, text: null, isDamaged: true }
  }
}
