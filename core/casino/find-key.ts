/** Finds a credential of this service somewhere in a text: the id of an API key, or `admin`; undefined when there is none. */
export type FindKey = (text: string) => string | undefined

/**
 * Where keys do not belong, both kinds are looked for alike. A casino's is known by its beginning, so also one that was
 * cut off or mistyped; the admin key has no form, and is found as a whole. Either may be written in a URL's escapes.
 */
export function createFindKey(adminApiKey: string): FindKey {
  const adminText = readable(adminApiKey)
  return (text) => {
    const read = readable(text)
    return findApiKeyId(read) ?? (read.includes(adminText) ? 'admin' : undefined)
  }
}

/** The id of what looks like a casino's key somewhere in a text, whole or not; undefined when there is none. */
export function findApiKeyId(text: string): string | undefined {
  return text.includes('rk_') ? /rk_(?:live|test)_([0-9A-Za-z]{16})_/.exec(text)?.[1] : undefined
}

/** Whether a key stands anywhere in a value of JSON, names of objects included. */
export function holdsKey(findKey: FindKey, value: unknown): boolean {
  if (typeof value === 'string') return findKey(value) !== undefined
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, inner]) => holdsKey(findKey, name) || holdsKey(findKey, inner))
}

/** Without any escapes, also those of escapes, and with blanks for the `+` that stand for them in queries. */
function readable(text: string): string {
  return /[%+]/.test(text) ? unescaped(text).replaceAll('+', ' ') : text
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
