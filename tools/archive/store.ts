/** The place of the archive's files. A name is that of a file, without folders. */
export interface Store {
  /** Where a file is, for people. */
  placeOf(name: string): string
  /** Undefined if the store does not have the file. */
  open(name: string): Promise<StoredFile | undefined>
  /**
   * Stores a file completely or not at all, and for permanent storage before it returns. It replaces the file with this
   * version only; without a version it replaces none, and throws a `ReplacedFileError`.
   */
  put(name: string, content: AsyncIterable<Buffer>, replaces: string | undefined): Promise<void>
}

export interface StoredFile {
  /** Differs from that of a file by the same name that was stored later. */
  version: string
  /** Can be read once. */
  content: AsyncIterable<Buffer>
}

/** Two runs write the same file. */
export class ReplacedFileError extends Error {
  constructor(place: string) {
    super(`another run has written ${place} in the meantime: when it has ended, repeat the command`)
    this.name = 'ReplacedFileError'
  }
}
