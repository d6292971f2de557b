import type { FailedAttempts } from '../casino/failed-attempts.ts'
import type { EnvelopeCipher } from '../crypto/envelope.ts'
import { RewardsError } from '../errors.ts'
import type { Database } from '../platform/database.ts'
import { toOperator } from './operator.ts'
import type { OperatorRecord } from './operator.ts'
import { isPassword } from './password.ts'
import { useSecondFactor } from './second-factor.ts'
import { createSession, endSessions } from './sessions.ts'
import type { SignInWays } from './sign-in-ways.ts'

/** The credentials of a sign-in. */
export interface Credentials {
  username: string
  password: string
  /** From the authenticator app; undefined if none was entered. */
  code: string | undefined
}

/**
 * Signs an operator in, and returns the token for the browser. Throws `sign_in_refused`, which does not reveal the
 * reason, `second_factor_code_required` if the password is right and a code is needed, `login_limited` after many
 * wrong codes, or `passwords_off`.
 */
export async function signIn(
  deps: {
    database: Database
    cipher: EnvelopeCipher
    hashSecret: string
    ways: SignInWays
    /** Wrong codes, by operator. */
    codeAttempts: FailedAttempts
  },
  now: Date,
  { username, password, code }: Credentials,
  from: { address: string; userAgent: string },
): Promise<{ token: string; operator: OperatorRecord }> {
  if (!deps.ways.passwords) throw new RewardsError('passwords_off')
  // Such a username or an empty password cannot exist, and rejecting them early reveals nothing.
  if (!usernamePattern.test(username) || password === '') throw new RewardsError('sign_in_refused')
  const row = await deps.database.operator.findUnique({ where: { username } })
  const isRight = await isPassword(password, row?.passwordHash ?? null)
  if (row === null || !isRight) throw new RewardsError('sign_in_refused')
  const operator = toOperator(row)
  if (operator.state !== 'active') throw new RewardsError('sign_in_refused')
  if (operator.hasSecondFactor) {
    if (code === undefined) throw new RewardsError('second_factor_code_required')
    const retryAfterSeconds = deps.codeAttempts.waitSeconds(operator.id)
    if (retryAfterSeconds > 0) throw new RewardsError('login_limited', undefined, { retryAfterSeconds })
    const isCode = await useSecondFactor(deps, now, operator.id, code)
    if (!isCode) {
      deps.codeAttempts.recordFailure(operator.id)
      throw new RewardsError('sign_in_refused')
    }
  }
  const token = await createSession(deps, now, { operatorId: operator.id, ...from })
  await refuseIfChanged(deps.database, now, row, token)
  return { token, operator }
}

/**
 * Hashing takes a while. Sessions end when the password changes or the operator is disabled, and this one may have
 * begun after that, with data that were read before.
 */
async function refuseIfChanged(
  database: Database,
  now: Date,
  { id, passwordHash, secondFactorConfirmedAt }: Proof,
  token: string,
): Promise<void> {
  const where = { id, passwordHash, secondFactorConfirmedAt, disabledAt: null }
  if ((await database.operator.count({ where })) > 0) return
  await endSessions(database, now, { operatorId: id, sessionId: token.slice(0, token.indexOf('.')) })
  throw new RewardsError('sign_in_refused')
}

interface Proof {
  id: string
  passwordHash: string | null
  secondFactorConfirmedAt: Date | null
}

/**
 * Usernames consist of lower-case letters, digits and `._@+-`, so that no two look alike. Input is case-insensitive.
 */
export const usernamePattern = /^[a-z0-9][a-z0-9._@+-]{0,99}$/

export function normaliseUsername(text: string): string {
  return text.trim().toLowerCase()
}
