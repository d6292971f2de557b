/** A note about a prize, without its text. */
export interface NoteRecord {
  id: string
  prizeId: string
  playerId: string
  /** The author. */
  actor: string
  requestId: string
  createdAt: Date
}

export interface NoteWithText extends NoteRecord {
  /** Null once it is erased, or if it is damaged. Personal data: only in memory, and encrypted in the note's row. */
  text: string | null
  /** Whether the text cannot be decrypted: the row was altered, or its key is gone. */
  isDamaged: boolean
}
