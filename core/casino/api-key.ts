import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** What a key may be used for: the three operations, or the management of its own casino. */
export const apiKeyScopes = ['play', 'manage'] as const
export type ApiKeyScope = (typeof apiKeyScopes)[number]

/** What a key reaches: the casino itself, or the test data in its sandbox (docs/integrate/sandbox.md). */
export const apiKeyModes = ['live', 'test'] as const
export type ApiKeyMode = (typeof apiKeyModes)[number]

/** The parts of a key as its holder sees it: `rk_<mode>_<id>_<secret><checksum>`. */
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
 * The service's own key, `rk_admin_<id>_<secret><checksum>`: of the same form, so that it is recognised by it where it does
 * not belong. `mark` begins its id. Other texts may serve as well, and are recognised nowhere.
 */
export function generateAdminKey(mark = ''): string {
  const id = mark + randomText(idLength - mark.length)
  const secret = randomText(secretLength)
  return `rk_admin_${id}_${secret}${checksumFor(`admin/${id}_${secret}`)}`
}

/** Whether a text is an admin key of that form, whole. It does not say that it is the service's. */
export function isAdminKey(text: string): boolean {
  const [, key = '', checksum] =
    /^rk_admin_([0-9A-Za-z]{16}_[0-9A-Za-z]{32})([0-9A-Za-z]{6})$/.exec(text) ?? []
  return checksum === checksumFor(`admin/${key}`)
}

export function generateApiKey(mode: ApiKeyMode = 'live'): ApiKey {
  return { mode, id: randomText(idLength), secret: randomText(secretLength) }
}

/** The form in which a key is shown, once, and sent. */
export function formatApiKey(key: ApiKey): string {
  return `rk_${key.mode}_${key.id}_${key.secret}${checksumOf(key)}`
}

/** Undefined for anything that is no key or was mistyped: such a text needs no look-up. */
export function parseApiKey(text: string): ApiKey | undefined {
  const [, mode, id, secret, checksum] = keyPattern.exec(text) ?? []
  if (mode === undefined || id === undefined || secret === undefined) return undefined
  const key: ApiKey = { mode: mode === 'test' ? 'test' : 'live', id, secret }
  return checksum === checksumOf(key) ? key : undefined
}

/** The id in what has the form of a key, whether it is one or not; of anything else, nothing that is an id. */
export function keyIdIn(text: string): string {
  return text.slice('rk_live_'.length, 'rk_live_'.length + idLength)
}

/**
 * What is stored instead of the secret. Keys are random, so a fast keyed hash is enough: there is nothing to guess. It
 * confirms the mode too, so nobody turns a key of one mode into one of the other by its text and a checksum of their own.
 */
export function hashApiKeySecret(hashSecret: string, key: ApiKey): Buffer {
  return createHmac('sha256', `${hashSecret}/api-key`)
    .update(`${markOf(key)}${key.id}/${key.secret}`)
    .digest()
}

/** In constant time, whatever the lengths. */
export function isSameSecret(given: string, expected: string, hashSecret: string): boolean {
  const digest = (text: string) => createHmac('sha256', hashSecret).update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}

/** What sets test keys apart in hashes and checksums. Live keys are older than modes: theirs stay what they were. */
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
