import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import type { ScryptOptions } from 'node:crypto'

/** OWASP's parameters for scrypt: 32 MiB of memory, about 100 ms of one core. Each hash says which it was made with. */
const cost = { N: 2 ** 15, r: 8, p: 3 }
const saltBytes = 16
const hashBytes = 32
/** `N`, `r` and `p` as stored may come to this much memory. */
const memoryMax = 128 * 1024 * 1024

/** NIST SP 800-63B: length is what counts. Longer ones are refused, since hashing takes time. */
export const passwordLength = { min: 12, max: 256 }

/** What is stored of a password: `scrypt$N$r$p$salt$hash`, salt and hash in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  const hash = await derive(password, salt, cost)
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/**
 * Whether a password is the one that was hashed. Without a stored hash it takes as long as with one, so that the time does
 * not tell whether there is such a person.
 */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] = (stored ?? dummy).split('$')
  const expected = Buffer.from(hash, 'base64url')
  const options = { N: Number(N), r: Number(r), p: Number(p) }
  const actual = await derive(password, Buffer.from(salt, 'base64url'), options)
  return timingSafeEqual(actual, expected) && stored !== null
}

/** Of no password: nobody knows a text that has this hash. */
const dummy = `scrypt$${cost.N}$${cost.r}$${cost.p}$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** Unicode spells some characters in two ways; keyboards differ in which they send. */
function derive(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, hashBytes, { ...options, maxmem: memoryMax }, (error, key) => {
      if (error === null) resolve(key)
      else reject(error)
    })
  })
}
