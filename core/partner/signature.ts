import { createHmac, timingSafeEqual } from 'node:crypto'
import { randomBytes } from '../platform/random.ts'

/** The signed message: its id stays the same when it is sent again. */
export interface SignedMessage {
  id: string
  sentAt: Date
  body: string
}

/**
 * The three headers of Standard Webhooks 1.0, with one signature per secret: during a rotation, a receiver that knows
 * either secret finds its signature. Throws without a secret.
 */
export function signedHeaders(secrets: readonly string[], message: SignedMessage): Record<string, string> {
  if (secrets.length === 0) throw new Error('nothing to sign with')
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(toSeconds(message.sentAt)),
    'webhook-signature': secrets.map((secret) => signatureOf(secret, message)).join(' '),
  }
}

export type Verification =
  | { kind: 'valid'; id: string }
  | {
      kind: 'invalid'
      problem: 'headers_missing' | 'timestamp_invalid' | 'timestamp_out_of_tolerance' | 'signature_wrong'
    }

/** An older message may be a replayed recording; a newer one comes from a wrong clock. */
const toleranceSeconds = 5 * 60
/** A secret, and the one that it replaces. */
const secretsMax = 2
/** Ten secrets in rotation are more than any casino has; each costs a comparison. */
const signaturesMax = 10

/**
 * Whether one of the secrets has recently signed this body. `headers` have lower-case names, as in Node. A repetition
 * within the tolerance is valid too: callers that act on a message must check its id.
 */
export function verifySignature(
  secrets: readonly string[],
  headers: Readonly<Partial<Record<string, string>>>,
  body: string,
  now: Date,
): Verification {
  const id = headers['webhook-id']
  const timestamp = headers['webhook-timestamp']
  const signatures = headers['webhook-signature']
  if (!id || !timestamp || !signatures) return invalid('headers_missing')
  if (!/^\d{1,12}$/.test(timestamp)) return invalid('timestamp_invalid')
  if (Math.abs(toSeconds(now) - Number(timestamp)) > toleranceSeconds)
    return invalid('timestamp_out_of_tolerance')
  const message = { id, sentAt: new Date(Number(timestamp) * 1000), body }
  const given = signatures.split(' ').slice(0, signaturesMax)
  // Always the maximum number of comparisons, so that the duration of a refusal does not reveal the number of secrets,
  // or whether there are any.
  const tried = [...secrets.map((secret) => ({ secret, isReal: true })), ...decoys.slice(secrets.length)]
  const matches = tried.filter(({ secret }) => isAmong(given, signatureOf(secret, message)))
  const isSigned = matches.some(({ isReal }) => isReal)
  return isSigned ? { kind: 'valid', id } : invalid('signature_wrong')
}

function invalid(problem: Extract<Verification, { kind: 'invalid' }>['problem']): Verification {
  return { kind: 'invalid', problem }
}

/** `v1,` and the HMAC-SHA256 of `id.timestamp.body`. */
function signatureOf(secret: string, { id, sentAt, body }: SignedMessage): string {
  const signature = createHmac('sha256', Buffer.from(secret.slice(secretPrefix.length), 'base64'))
    .update(`${id}.${toSeconds(sentAt)}.${body}`)
    .digest('base64')
  return `v1,${signature}`
}

/** Compares all of them, even after a match. */
function isAmong(given: readonly string[], expected: string): boolean {
  return given.filter((signature) => isEqual(signature, expected)).length > 0
}

function isEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

function toSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}

const secretPrefix = 'whsec_'
/** As many bits as the HMAC has; the specification allows 24 to 64 bytes. */
const newSecretBytes = 32
const secretBytesMin = 24
const secretBytesMax = 64

/** A new signing secret, in the form that Standard Webhooks libraries take. */
export function newSigningSecret(): string {
  return secretPrefix + randomBytes(newSecretBytes).toString('base64')
}

/** Sign nothing. */
const decoys = Array.from({ length: secretsMax }, () => ({ secret: newSigningSecret(), isReal: false }))

/** Whether a text is `whsec_` and the base64 of 24 to 64 bytes, padded. */
export function isSigningSecret(text: string): boolean {
  if (!text.startsWith(secretPrefix)) return false
  const base64 = text.slice(secretPrefix.length)
  const bytes = Buffer.from(base64, 'base64')
  return (
    bytes.length >= secretBytesMin && bytes.length <= secretBytesMax && bytes.toString('base64') === base64
  )
}
