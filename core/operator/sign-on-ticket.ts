import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey } from '../crypto/derive-key.ts'
import { randomBytes } from '../platform/random.ts'

/** The data that a browser keeps between leaving for the identity provider and coming back. */
export interface SignOnTicket {
  state: string
  nonce: string
  /** PKCE: proves to the provider that the client that asked for the code also redeems it. */
  verifier: string
  /** The page to show then. */
  target: string
  /** The wanted page has too long an address: the person is told instead. */
  isTargetLost: boolean
  expiresAt: Date
}

/** As long as people take to sign in elsewhere, with a second factor. */
export const ticketLifetimeMs = 10 * 60_000

const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16
const purpose = 'operator/sign-on-ticket'

/** Encrypted, so that neither a reader of the browser's cookies nor the person can use or change its contents. */
export function sealTicket(hashSecret: string, ticket: SignOnTicket): string {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv(algorithm, deriveKey(hashSecret, purpose), iv)
  const { state, nonce, verifier, target, isTargetLost, expiresAt } = ticket
  const text = JSON.stringify([state, nonce, verifier, target, expiresAt.getTime(), isTargetLost])
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** Undefined for a ticket that this service has not sealed, has expired, or belongs to another `state`. */
export function openTicket(
  hashSecret: string,
  now: Date,
  { sealed, state }: { sealed: string; state: string },
): SignOnTicket | undefined {
  const ticket = decrypt(hashSecret, sealed)
  if (ticket === undefined || ticket.expiresAt <= now) return undefined
  return timingSafeEqual(hashState(hashSecret, state), hashState(hashSecret, ticket.state))
    ? ticket
    : undefined
}

/** Names a single sign-on in the database. */
export function hashState(hashSecret: string, state: string): Buffer {
  return createHmac('sha256', `${hashSecret}/sign-on-state`).update(state).digest()
}

function decrypt(hashSecret: string, sealed: string): SignOnTicket | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length <= ivBytes + tagBytes) return undefined
  const decipher = createDecipheriv(algorithm, deriveKey(hashSecret, purpose), bytes.subarray(0, ivBytes), {
    authTagLength: tagBytes,
  })
  decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
  let text: string
  try {
    text = Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString(
      'utf8',
    )
  } catch {
    return undefined // not made by this service, or changed
  }
  // Only this service can have made it; the release before says nothing of a lost target.
  const [state, nonce, verifier, target, expiresAtMs, isTargetLost = false] = JSON.parse(text) as [
    string,
    string,
    string,
    string,
    number,
    boolean | undefined,
  ]
  return { state, nonce, verifier, target, isTargetLost, expiresAt: new Date(expiresAtMs) }
}
