/**
 * Keys in places where they do not belong are recognised by their form, even if truncated, mistyped or URL-escaped.
 * Callers' input is never searched for a secret itself: the time it takes would tell how much of it was guessed.
 */
const keyPattern = /rk_(live|test|admin)_([0-9A-Za-z]{16})_/

/** The id of a text that looks like a key, or `admin`; undefined if there is none. */
export function findKeyId(text: string): string | undefined {
  const read = readable(text)
  if (!read.includes('rk_')) return undefined
  const [, mode, id] = keyPattern.exec(read) ?? []
  return mode === 'admin' ? mode : id
}

/** Whether a JSON value contains a key, including in names of objects. */
export function holdsKey(value: unknown): boolean {
  if (typeof value === 'string') return findKeyId(value) !== undefined
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, inner]) => holdsKey(name) || holdsKey(inner))
}

/** The text with all escapes resolved, including nested ones. */
function readable(text: string): string {
  return text.includes('%') ? unescaped(text) : text
}

const percent = 0x25

/**
 * From left to right, so that an unescaped character may complete another escape: however deep they are nested, each
 * byte is examined once. Invalid escapes stay as they are.
 */
function unescaped(text: string): string {
  const bytes = Buffer.from(text)
  let length = 0
  for (const byte of bytes) {
    bytes[length++] = byte
    while (length >= 3 && bytes[length - 3] === percent) {
      const value = hexValue(bytes[length - 2]) * 16 + hexValue(bytes[length - 1])
      if (Number.isNaN(value)) break
      length -= 2
      bytes[length - 1] = value
    }
  }
  return bytes.toString('utf8', 0, length)
}

function hexValue(byte = 0): number {
  return Number.parseInt(String.fromCharCode(byte), 16)
}
