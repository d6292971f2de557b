import type { Envelope, EnvelopeCipher } from '../crypto/envelope.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { randomBytes } from '../platform/random.ts'
import { commitmentOf } from './derive.ts'

/** The dependencies of all code that changes seeds. */
export interface SeedDeps {
  database: Database
  clock: Clock
  cipher: EnvelopeCipher
}

/** An encrypted seed, as stored until it is revealed. */
export interface SealedSeed extends Envelope {
  id: string
  commitment: string
}

/**
 * Why a seed cannot be opened. A missing key may be missing in this process only, and come back; a damaged seed, or one
 * that does not match its commitment, cannot be opened anywhere.
 */
export type SeedFault = 'key_missing' | 'damaged'

const seedBytes = 32

/** A new secret seed, with its commitment. */
export function sealNewSeed(cipher: EnvelopeCipher): { id: string; commitment: string; envelope: Envelope } {
  const id = newId('sed')
  const seed = randomBytes(seedBytes)
  return { id, commitment: commitmentOf(seed), envelope: cipher.seal(seed.toString('hex'), id) }
}

/**
 * The seed in hexadecimal; undefined if the configured keys cannot open it, or it does not match its commitment: it
 * must be neither used nor revealed.
 */
export function openSeed(
  cipher: EnvelopeCipher,
  { id, commitment, ...envelope }: SealedSeed,
): string | undefined {
  let seed: string
  try {
    seed = cipher.open(envelope, id)
  } catch {
    return undefined // the callers decide about the consequences
  }
  return commitmentOf(Buffer.from(seed, 'hex')) === commitment ? seed : undefined
}

/** The fault of a seed that `openSeed` cannot open. */
export function faultOf(cipher: EnvelopeCipher, { keyId }: SealedSeed): SeedFault {
  return cipher.hasKey(keyId) ? 'damaged' : 'key_missing'
}
