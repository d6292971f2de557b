import { Secret, TOTP } from 'otpauth'
import type { EnvelopeCipher } from '../crypto/envelope.ts'
import { RewardsError } from '../errors.ts'
import type { Database } from '../platform/database.ts'
import { comesBySingleSignOn } from './operator.ts'
import type { OperatorRecord } from './operator.ts'

interface Deps {
  database: Database
  cipher: EnvelopeCipher
}

/** The parameters that all authenticator apps support (RFC 6238). */
const codes = { algorithm: 'SHA1', digits: 6, period: 30 } as const
const secretBytes = 20
/** Phone clocks may be off by half a minute. */
const window = 1

/** A secret for an authenticator app: as text to type, and as a URI for a QR code. */
export interface NewSecondFactor {
  secret: string
  uri: string
}

/**
 * Creates a secret, which applies once `confirmSecondFactor` has accepted a code of it. Throws `transition_illegal` if
 * the operator has a second factor (an admin must reset it first), or signs in with single sign-on.
 */
export async function beginSecondFactor(
  { database, cipher }: Deps,
  now: Date,
  { id, username, identity }: Pick<OperatorRecord, 'id' | 'username' | 'identity'>,
): Promise<NewSecondFactor> {
  if (identity !== null) throw new RewardsError('transition_illegal', comesBySingleSignOn)
  const secret = new Secret({ size: secretBytes })
  const { ciphertext, wrappedKey, keyId } = cipher.seal(secret.base32, boundToOperator(id))
  const { count } = await database.operator.updateMany({
    where: { id, secondFactorConfirmedAt: null },
    data: {
      sealedSecret: Uint8Array.from(ciphertext),
      sealedKey: Uint8Array.from(wrappedKey),
      sealedKeyId: keyId,
      lastCodeStep: null,
      updatedAt: now,
    },
  })
  if (count === 0)
    throw new RewardsError(
      'transition_illegal',
      'The second factor is already set up: have an admin reset it first',
    )
  const totp = new TOTP({ ...codes, issuer: 'Casino rewards', label: username, secret })
  return { secret: secret.base32, uri: totp.toString() }
}

/** Whether the code was right. If so, signing in requires one from then on. */
export async function confirmSecondFactor(
  deps: Deps,
  now: Date,
  operatorId: string,
  code: string,
): Promise<boolean> {
  return useCode(deps, now, operatorId, code, { isConfirmed: false })
}

/** Whether the code is right and has not been used before. */
export async function useSecondFactor(
  deps: Deps,
  now: Date,
  operatorId: string,
  code: string,
): Promise<boolean> {
  return useCode(deps, now, operatorId, code, { isConfirmed: true })
}

async function useCode(
  { database, cipher }: Deps,
  now: Date,
  operatorId: string,
  code: string,
  { isConfirmed }: { isConfirmed: boolean },
): Promise<boolean> {
  const row = await database.operator.findUnique({ where: { id: operatorId } })
  const { sealedSecret, sealedKey, sealedKeyId } = row ?? {}
  if (!sealedSecret || !sealedKey || !sealedKeyId) return false
  const envelope = { ciphertext: sealedSecret, wrappedKey: sealedKey, keyId: sealedKeyId }
  const secret = Secret.fromBase32(cipher.open(envelope, boundToOperator(operatorId)))
  const totp = new TOTP({ ...codes, secret })
  const delta = totp.validate({ token: code, timestamp: now.getTime(), window })
  if (delta === null) return false
  const step = BigInt(Math.floor(now.getTime() / 1_000 / codes.period) + delta)
  // One statement, so that only one of two requests with the same code succeeds.
  const { count } = await database.operator.updateMany({
    where: {
      id: operatorId,
      sealedSecret,
      secondFactorConfirmedAt: isConfirmed ? { not: null } : null,
      OR: [{ lastCodeStep: null }, { lastCodeStep: { lt: step } }],
    },
    data: { lastCodeStep: step, ...(isConfirmed ? {} : { secondFactorConfirmedAt: now, updatedAt: now }) },
  })
  return count > 0
}

/** Binds the secret to its row. */
export function boundToOperator(operatorId: string): string {
  return `operator/${operatorId}`
}
