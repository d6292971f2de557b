import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** The permissions of a key: the three operations, or the management of its own casino. */
export const apiKeyScopes = ['play', 'manage'] as const
export type ApiKeyScope = (typeof apiKeyScopes)[number]

/** The access that a key gives: to the casino itself, or to its sandbox (docs/integrate/sandbox.md). */
export const apiKeyModes = ['live', 'test'] as const
export type ApiKeyMode = (typeof apiKeyModes)[number]

/** The parts of a key's text: `rk_<mode>_<id>_<secret><checksum>`. */
export interface ApiKey {
  mode: ApiKeyMode
  id: string
  secret: string
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const idLength = 16
/** 32 characters of 62: 190 bits. */
const secretLength = 32
/** 62^6 is more than 2^32, so a CRC-32 fits. */
const checksumLength = 6
const keyPattern = /^rk_(live|test)_([0-9A-Za-z]{16})_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/

/**
 * Generates an admin key, `rk_admin_<id>_<secret><checksum>`: its form lets the service recognise it where it does not
 * belong. `mark` begins its id. Other texts can be admin keys too, but are not recognised.
 */
export function generateAdminKey(mark = ''): string {
  const id = mark + randomText(idLength - mark.length)
  const secret = randomText(secretLength)
  return `rk_admin_${id}_${secret}${checksumFor(`admin/${id}_${secret}`)}`
}

/** Whether a text has the complete form of an admin key; not whether it is the configured one. */
export function isAdminKey(text: string): boolean {
  const [, key = '', checksum] =
    /^rk_admin_([0-9A-Za-z]{16}_[0-9A-Za-z]{32})([0-9A-Za-z]{6})$/.exec(text) ?? []
  return checksum === checksumFor(`admin/${key}`)
}

export function generateApiKey(mode: ApiKeyMode = 'live'): ApiKey {
  return { mode, id: randomText(idLength), secret: randomText(secretLength) }
}

/** A key's text, shown once, and sent with each request. */
export function formatApiKey(key: ApiKey): string {
  return `rk_${key.mode}_${key.id}_${key.secret}${checksumOf(key)}`
}

/** Undefined for anything that is not a key or was mistyped: no look-up is needed. */
export function parseApiKey(text: string): ApiKey | undefined {
  const [, mode, id, secret, checksum] = keyPattern.exec(text) ?? []
  if (mode === undefined || id === undefined || secret === undefined) return undefined
  const key: ApiKey = { mode: mode === 'test' ? 'test' : 'live', id, secret }
  return checksum === checksumOf(key) ? key : undefined
}

/** The id in a text that has the form of a key, whether it exists or not; otherwise a text that is not an id. */
export function keyIdIn(text: string): string {
  return text.slice('rk_live_'.length, 'rk_live_'.length + idLength)
}

/**
 * The stored hash of a key's secret. Keys are random, so a fast keyed hash is enough. It covers the mode, so that a key
 * of one mode cannot be turned into one of the other by changing its text and checksum.
 */
export function hashApiKeySecret(hashSecret: string, key: ApiKey): Buffer {
  return createHmac('sha256', `${hashSecret}/api-key`)
    .update(`${markOf(key)}${key.id}/${key.secret}`)
    .digest()
}

/** Compares in constant time, for any lengths. */
export function isSameSecret(given: string, expected: string, hashSecret: string): boolean {
  const digest = (text: string) => createHmac('sha256', hashSecret).update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}

/** Distinguishes test keys in hashes and checksums. Live keys are older than modes: their hashes stay as they were. */
function markOf({ mode }: ApiKey): string {
  return mode === 'test' ? 'test/' : ''
}

function checksumOf(key: ApiKey): string {
  return checksumFor(`${markOf(key)}${key.id}_${key.secret}`)
}

function checksumFor(key: string): string {
  let rest = crc32(key)
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
