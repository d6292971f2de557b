import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** What a key may be used for: the three operations, or the management of its own casino. */
export const apiKeyScopes = ['play', 'manage'] as const
export type ApiKeyScope = (typeof apiKeyScopes)[number]

/** The parts of a key as its holder sees it: `rk_live_<id>_<secret><checksum>`. */
export interface ApiKey {
  id: string
  secret: string
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const idLength = 16
/** 32 characters of 62: 190 bits. */
const secretLength = 32
/** 62^6 is more than 2^32, so a CRC-32 fits. */
const checksumLength = 6
const keyPattern = /^rk_live_([0-9A-Za-z]{16})_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/

export function generateApiKey(): ApiKey {
  return { id: randomText(idLength), secret: randomText(secretLength) }
}

/** The form in which a key is shown, once, and sent. */
export function formatApiKey({ id, secret }: ApiKey): string {
  return `rk_live_${id}_${secret}${checksumOf(id, secret)}`
}

/** Undefined for anything that is no key or was mistyped: such a text needs no look-up. */
export function parseApiKey(text: string): ApiKey | undefined {
  const [, id, secret, checksum] = keyPattern.exec(text) ?? []
  if (id === undefined || secret === undefined || checksum !== checksumOf(id, secret)) return undefined
  return { id, secret }
}

/** What is stored instead of the secret. Keys are random, so a fast keyed hash is enough: there is nothing to guess. */
export function hashApiKeySecret(hashSecret: string, key: ApiKey): Buffer {
  return createHmac('sha256', `${hashSecret}/api-key`).update(`${key.id}/${key.secret}`).digest()
}

/** In constant time, whatever the lengths. */
export function isSameSecret(given: string, expected: string, hashSecret: string): boolean {
  const digest = (text: string) => createHmac('sha256', hashSecret).update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}

function checksumOf(id: string, secret: string): string {
  let rest = crc32(`${id}_${secret}`)
  let text = ''
  for (let i = 0; i < checksumLength; i++) {
    text = alphabet.charAt(rest % alphabet.length) + text
    rest = Math.floor(rest / alphabet.length)
  }
  return text
}

function randomText(length: number): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('')
}
