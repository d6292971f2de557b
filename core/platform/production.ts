import type { Parsed } from './config-variables.ts'
import { exampleSecrets, localMark } from './example-secrets.ts'
import type { Problem } from './secret-files.ts'

/**
 * Settings that are allowed for trying the service out but not in production: secrets that others know or can guess,
 * and calls into private networks that were not requested. Takes the variables that are valid otherwise.
 */
export function findUnsafeSettings(values: Partial<Parsed>): Problem[] {
  if (values.NODE_ENV !== 'production') return []
  const { ADMIN_API_KEY, HASH_SECRET, ENCRYPTION_KEYS, OUTBOUND_ALLOW_PRIVATE } = values
  const problems: Problem[] = []
  const report = (name: string, message: string) => problems.push({ name, message: `${name} ${message}` })
  const texts = { ADMIN_API_KEY, HASH_SECRET } as const
  for (const name of ['ADMIN_API_KEY', 'HASH_SECRET'] as const) {
    const secret = texts[name]
    if (secret === undefined) continue
    if (isExample(name, secret) || localStart.test(secret)) report(name, notAnExample)
    else if (isGuessable(secret, bitsMin[name])) report(name, tooEasy)
  }
  if (ADMIN_API_KEY !== undefined && ADMIN_API_KEY === HASH_SECRET) {
    report('HASH_SECRET', 'must differ from ADMIN_API_KEY')
  }
  const keys = ENCRYPTION_KEYS?.split(',') ?? []
  if (keys.some((key) => key.startsWith(`${localMark}:`) || isExampleKey(key))) {
    report('ENCRYPTION_KEYS', notAnExample)
  } else if (keys.some((key) => isGuessableKey(bytesOf(key)))) {
    report('ENCRYPTION_KEYS', 'must be keys of random bytes in production')
  }
  if (OUTBOUND_ALLOW_PRIVATE === 'true') {
    report(
      'OUTBOUND_ALLOW_PRIVATE',
      'must be false in production; use in-production to allow private addresses',
    )
  }
  return problems
}

/** The second is that of an admin key. */
const localStart = new RegExp(`^(?:${localMark}-|rk_admin_${localMark})`)
const notAnExample = 'must not be one of the demo or the tests in production'
const tooEasy = 'is too easy to guess for production: take random characters'

/**
 * Well below the entropy of random characters of the shortest allowed length in the narrowest usual alphabet
 * (hexadecimal).
 */
const bitsMin = { ADMIN_API_KEY: 24, HASH_SECRET: 70 }
/** 32 random bytes have about 157. */
const keyBitsMin = 100

/** Common placeholders for secrets. They do not occur in random characters by chance. */
const placeholderWords =
  /change[-_ ]?(me|it)|replace[-_ ]?me|password|passw0rd|placeholder|example|insecure|your[-_ ]|my[-_ ]secret|supersecret/i

function isExample(name: 'ADMIN_API_KEY' | 'HASH_SECRET', secret: string): boolean {
  return exampleSecrets.some((example) => example[name] === secret)
}

/** Even under another id. */
function isExampleKey(key: string): boolean {
  return exampleSecrets.some(({ ENCRYPTION_KEYS }) => bytesOf(ENCRYPTION_KEYS).equals(bytesOf(key)))
}

function isGuessable(secret: string, bits: number): boolean {
  return placeholderWords.test(secret) || estimateBits([...Buffer.from(secret)]) < bits
}

/** Bytes that are all letters or marks are a typed sentence, not random: this is true of one in 10¹³ random keys. */
function isGuessableKey(key: Buffer): boolean {
  return key.every((byte) => byte >= 0x20 && byte <= 0x7e) || estimateBits([...key]) < keyBitsMin
}

/**
 * An upper bound of the entropy in bits, from the frequency of each value. A value that continues the steps before it
 * (aaaa, 1234, zyxw) or repeats a shorter text adds nothing.
 */
function estimateBits(values: readonly number[]): number {
  const once = values.slice(0, periodOf(values))
  const counted = once.filter((value, i) => {
    const [first, second] = [once[i - 2], once[i - 1]]
    return first === undefined || second === undefined || value - second !== second - first
  })
  const counts = new Map<number, number>()
  for (const value of counted) counts.set(value, (counts.get(value) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits += count * Math.log2(counted.length / count)
  return bits
}

/** The period after which the values repeat; their number if they do not. */
function periodOf(values: readonly number[]): number {
  for (let period = 1; period <= values.length / 2; period++) {
    if (values.every((value, i) => i < period || value === values[i - period])) return period
  }
  return values.length
}

function bytesOf(encryptionKey: string): Buffer {
  return Buffer.from(encryptionKey.slice(encryptionKey.indexOf(':') + 1), 'base64')
}
