import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import type { ScryptOptions } from 'node:crypto'

/** OWASP's parameters for scrypt: 32 MiB of memory, about 100 ms of one core. Each hash stores its own parameters. */
const cost = { N: 2 ** 15, r: 8, p: 3 }
const saltBytes = 16
const hashBytes = 32
/** The memory limit for the stored `N`, `r` and `p`. */
const memoryMax = 128 * 1024 * 1024

/** NIST SP 800-63B: only the length matters. Longer ones are refused, since hashing takes time. */
export const passwordLength = { min: 12, max: 256 }

/** The stored form of a password: `scrypt$N$r$p$salt$hash`, salt and hash in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  const hash = await derive(password, salt, cost)
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/**
 * Whether the password matches the hash. Without a stored hash it takes equally long, so that the duration does not
 * reveal whether the operator exists.
 */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] = (stored ?? dummy).split('$')
  const expected = Buffer.from(hash, 'base64url')
  const options = { N: Number(N), r: Number(r), p: Number(p) }
  const actual = await derive(password, Buffer.from(salt, 'base64url'), options)
  return timingSafeEqual(actual, expected) && stored !== null
}

/** A hash that matches no known password. */
const dummy = `scrypt$${cost.N}$${cost.r}$${cost.p}$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** Unicode has two spellings for some characters, and keyboards differ in which they send. */
function derive(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, hashBytes, { ...options, maxmem: memoryMax }, (error, key) => {
      if (error === null) resolve(key)
      else reject(error)
    })
  })
}
