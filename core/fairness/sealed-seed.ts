import type { Envelope, EnvelopeCipher } from '../crypto/envelope.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { randomBytes } from '../platform/random.ts'
import { commitmentOf } from './derive.ts'

/** What everything that changes seeds works with. */
export interface SeedDeps {
  database: Database
  clock: Clock
  cipher: EnvelopeCipher
}

/** A seed as it is stored until it is revealed. */
export interface SealedSeed extends Envelope {
  id: string
  commitment: string
}

/**
 * Why a seed cannot be opened. A missing key may be missing in this process alone, and come back; what is damaged, or is
 * not what was committed to, opens nowhere.
 */
export type SeedFault = 'key_missing' | 'damaged'

const seedBytes = 32

/** A seed that nobody has seen, with its commitment. */
export function sealNewSeed(cipher: EnvelopeCipher): { id: string; commitment: string; envelope: Envelope } {
  const id = newId('sed')
  const seed = randomBytes(seedBytes)
  return { id, commitment: commitmentOf(seed), envelope: cipher.seal(seed.toString('hex'), id) }
}

/**
 * The seed in hexadecimal; undefined when none of the configured keys opens it, or when it is not the one that was
 * committed to: nothing may be drawn from that, and nothing may be revealed for it.
 */
export function openSeed(
  cipher: EnvelopeCipher,
  { id, commitment, ...envelope }: SealedSeed,
): string | undefined {
  let seed: string
  try {
    seed = cipher.open(envelope, id)
  } catch {
    return undefined // the callers say what that means for them
  }
  return commitmentOf(Buffer.from(seed, 'hex')) === commitment ? seed : undefined
}

/** Of a seed that `openSeed` does not open. */
export function faultOf(cipher: EnvelopeCipher, { keyId }: SealedSeed): SeedFault {
  return cipher.hasKey(keyId) ? 'damaged' : 'key_missing'
}
