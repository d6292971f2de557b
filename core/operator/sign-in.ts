import type { EnvelopeCipher } from '../crypto/envelope.ts'
import { RewardsError } from '../errors.ts'
import type { Database } from '../platform/database.ts'
import { toOperator } from './operator.ts'
import type { OperatorRecord } from './operator.ts'
import { isPassword } from './password.ts'
import { useSecondFactor } from './second-factor.ts'
import { createSession } from './sessions.ts'

/** What somebody shows to be let in. */
export interface Credentials {
  username: string
  password: string
  /** Of the authenticator app; undefined when nobody typed one. */
  code: string | undefined
}

/**
 * Lets an operator in, and returns the token that the browser keeps. Throws `sign_in_refused`, which does not say what was
 * wrong, or `second_factor_code_required` when the password is right and a code is needed.
 */
export async function signIn(
  deps: { database: Database; cipher: EnvelopeCipher; hashSecret: string },
  now: Date,
  { username, password, code }: Credentials,
  from: { address: string; userAgent: string },
): Promise<{ token: string; operator: OperatorRecord }> {
  // Nobody has such a username or an empty password, which everybody may know.
  if (!usernamePattern.test(username) || password === '') throw new RewardsError('sign_in_refused')
  const row = await deps.database.operator.findUnique({ where: { username } })
  const isRight = await isPassword(password, row?.passwordHash ?? null)
  if (row === null || !isRight) throw new RewardsError('sign_in_refused')
  const operator = toOperator(row)
  if (operator.state !== 'active') throw new RewardsError('sign_in_refused')
  if (operator.hasSecondFactor) {
    if (code === undefined) throw new RewardsError('second_factor_code_required')
    const isCode = await useSecondFactor(deps, now, operator.id, code)
    if (!isCode) throw new RewardsError('sign_in_refused')
  }
  return { token: await createSession(deps, now, { operatorId: operator.id, ...from }), operator }
}

/** Usernames are written in small letters, digits and `._@+-`, so that no two look alike; they are read in any case. */
export const usernamePattern = /^[a-z0-9][a-z0-9._@+-]{0,99}$/

export function normaliseUsername(text: string): string {
  return text.trim().toLowerCase()
}
