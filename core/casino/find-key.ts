/**
 * Where keys do not belong they are recognised by their form, also when they were cut off, mistyped or written in a URL's
 * escapes. No secret is ever searched for in what callers send: how long that takes tells how much of it they have guessed.
 */
const keyPattern = /rk_(live|test|admin)_([0-9A-Za-z]{16})_/

/** The id of what looks like a key somewhere in a text, or `admin`; undefined when there is none. */
export function findKeyId(text: string): string | undefined {
  const read = readable(text)
  if (!read.includes('rk_')) return undefined
  const [, mode, id] = keyPattern.exec(read) ?? []
  return mode === 'admin' ? mode : id
}

/** Whether a key stands anywhere in a value of JSON, names of objects included. */
export function holdsKey(value: unknown): boolean {
  if (typeof value === 'string') return findKeyId(value) !== undefined
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, inner]) => holdsKey(name) || holdsKey(inner))
}

/** Without any escapes, also those of escapes. */
function readable(text: string): string {
  return text.includes('%') ? unescaped(text) : text
}

const percent = 0x25

/**
 * From left to right, so that what an escape leaves behind may complete another one: however deep they are nested, each
 * byte is looked at once. What is no escape stays as it is, and spoils nothing beside it.
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
