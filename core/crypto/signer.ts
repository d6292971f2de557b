import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { deriveKey } from './derive-key.ts'

/** Signs texts with an Ed25519 key (RFC 8032); every holder of the public key can verify them. */
export interface Signer {
  /** 32 bytes in hexadecimal. */
  publicKey: string
  /** 64 bytes in hexadecimal. */
  sign(text: string): string
  /** Whether the signature is one of this key. */
  isOwn(text: string, signature: string): boolean
}

/** An Ed25519 private key in DER (RFC 8410) is these bytes and the 32 of the key. */
const privateKeyPrefix = Buffer.from('302e020100300506032b657004220420', 'hex')
const keyBytes = 32

export function createSigner(secret: string, purpose: string): Signer {
  const seed = deriveKey(secret, purpose)
  const privateKey = createPrivateKey({
    key: Buffer.concat([privateKeyPrefix, seed]),
    format: 'der',
    type: 'pkcs8',
  })
  const publicKey = createPublicKey(privateKey)
  return {
    // The public key in DER ends with its 32 bytes.
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).subarray(-keyBytes).toString('hex'),
    sign: (text) => sign(null, Buffer.from(text, 'utf8'), privateKey).toString('hex'),
    isOwn: (text, signature) =>
      verify(null, Buffer.from(text, 'utf8'), publicKey, Buffer.from(signature, 'hex')),
  }
}
