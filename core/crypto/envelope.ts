import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { EncryptionKey } from '../platform/encryption-keys.ts'
import { randomBytes } from '../platform/random.ts'

/** A text encrypted under a data key of its own, which is itself encrypted under the key-encryption key `keyId`. */
export interface Envelope {
  ciphertext: Uint8Array
  /** Destroying it makes the ciphertext permanently unreadable. */
  wrappedKey: Uint8Array
  keyId: string
}

/** Seals with the first key, opens with any of them. */
export interface EnvelopeCipher {
  /** `boundTo` identifies the row of the envelope; it cannot be opened in another row. */
  seal(plaintext: string, boundTo: string): Envelope
  /** Throws if the envelope was altered or moved to another row, or its key is unknown. */
  open(envelope: Envelope, boundTo: string): string
  /** The id of the key that seals new envelopes. */
  readonly currentKeyId: string
  /** Whether this process has the key: another process may have other keys. */
  hasKey(keyId: string): boolean
  /**
   * Wraps an envelope's data key with the current key; the ciphertext stays. Throws like `open` for the key; the
   * ciphertext is not checked.
   */
  rewrap(wrapped: Omit<Envelope, 'ciphertext'>, boundTo: string): Omit<Envelope, 'ciphertext'>
}

// NIST SP 800-38D: a 96-bit random nonce, a 128-bit tag. Each data key encrypts once, so nonces cannot repeat.
const nonceBytes = 12
const tagBytes = 16
const keyBytes = 32

/** An envelope that cannot be opened unless its key comes back: retrying is useless. */
export class EnvelopeError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'EnvelopeError'
  }
}

export function createEnvelopeCipher(keys: readonly EncryptionKey[]): EnvelopeCipher {
  const current = keys[0]
  if (current === undefined) throw new Error('no encryption key')
  const keyOf = new Map(keys.map(({ id, key }) => [id, key]))
  const wrap = (dataKey: Uint8Array, boundTo: string) => ({
    wrappedKey: encrypt(current.key, dataKey, `${current.id}/${boundTo}`),
    keyId: current.id,
  })
  const unwrap = ({ wrappedKey, keyId }: Omit<Envelope, 'ciphertext'>, boundTo: string) => {
    const key = keyOf.get(keyId)
    if (key === undefined) throw new EnvelopeError(`encryption key ${keyId} is not configured`)
    try {
      return decrypt(key, wrappedKey, `${keyId}/${boundTo}`)
    } catch (error) {
      throw new EnvelopeError('the data key was tampered with or moved', { cause: error })
    }
  }
  return {
    currentKeyId: current.id,
    hasKey: (keyId) => keyOf.has(keyId),
    rewrap: (wrapped, boundTo) => wrap(unwrap(wrapped, boundTo), boundTo),
    seal: (plaintext, boundTo) => {
      const dataKey = randomBytes(keyBytes)
      const ciphertext = encrypt(dataKey, Buffer.from(plaintext, 'utf8'), boundTo)
      return { ciphertext, ...wrap(dataKey, boundTo) }
    },
    open: (envelope, boundTo) => {
      const dataKey = unwrap(envelope, boundTo)
      try {
        return decrypt(dataKey, envelope.ciphertext, boundTo).toString('utf8')
      } catch (error) {
        throw new EnvelopeError('the envelope was tampered with or moved', { cause: error })
      }
    },
  }
}

/** nonce ‖ ciphertext ‖ tag */
function encrypt(key: Uint8Array, plaintext: Uint8Array, additionalData: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(additionalData, 'utf8'))
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
}

function decrypt(key: Uint8Array, sealed: Uint8Array, additionalData: string): Buffer {
  const nonce = sealed.subarray(0, nonceBytes)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(additionalData, 'utf8'))
  decipher.setAuthTag(sealed.subarray(sealed.length - tagBytes))
  return Buffer.concat([
    decipher.update(sealed.subarray(nonceBytes, sealed.length - tagBytes)),
    decipher.final(),
  ])
}
