import { createFailedAttempts } from '../casino/failed-attempts.ts'
import type { FailedAttempts } from '../casino/failed-attempts.ts'
import { addressGroupOf } from '../casino/allowed-addresses.ts'
import { RewardsError } from '../errors.ts'
import type { ErrorCode } from '../errors.ts'
import { createFairSlots } from '../limit/fair-slots.ts'
import type { FairSlotsOptions } from '../limit/fair-slots.ts'

/** The username and address of a sign-in attempt. With single sign-on the username is not known yet. */
export interface Attempt {
  username?: string
  address: string
}

/** Limits attempts with passwords and codes: the number of failures, and the number checked at the same time. */
export interface SignInGuard {
  /**
   * Throws `login_limited` after too many failures, `overloaded` if too many attempts run at the same time, and the
   * errors of `prove`.
   */
  run<Result>(attempt: Attempt, prove: () => Promise<Result>): Promise<Result>
}

const refusals: readonly ErrorCode[] = [
  'sign_in_refused',
  'invitation_invalid',
  'single_sign_on_refused',
  'single_sign_on_stale',
  'identity_provider_failed',
]

/** Each hash takes 32 MiB, and a core for a tenth of a second. */
const hashSlots = { slots: 2, slotsPerGroup: 1, linePerGroup: 10, lineMax: 100, waitMs: 10_000 }

/** A call of the identity provider takes as long as the provider likes, and nothing of ours. */
export const callSlots: FairSlotsOptions = {
  slots: 16,
  slotsPerGroup: 4,
  linePerGroup: 20,
  lineMax: 200,
  waitMs: 10_000,
}

/** As in `usernamePattern`. */
const usernameLengthMax = 100

/**
 * At most `failuresMax` failures a minute per address group and per username, in this process. Failed guesses from
 * elsewhere do not lock an operator out of an address with an earlier successful sign-in; guesses from that address do,
 * because a password can be guessed.
 */
export function createSignInGuard({
  slots = hashSlots,
  ...options
}: {
  failuresMax: number
  nowMs: () => number
  slots?: FairSlotsOptions
}): SignInGuard {
  const ofAddress = createFailedAttempts(options)
  const ofUsername = createFailedAttempts({
    ...options,
    // Input longer than any username is cut to that length, which bounds the memory.
    groupOf: (username) => username.slice(0, usernameLengthMax),
  })
  const fairSlots = createFairSlots(slots)
  return {
    run: async ({ username, address }, prove) => {
      const group = addressGroupOf(address)
      const waitSeconds = Math.max(
        ofAddress.waitSeconds(address),
        username === undefined ? 0 : ofUsername.waitSeconds(username, group),
      )
      if (waitSeconds > 0)
        throw new RewardsError('login_limited', undefined, { retryAfterSeconds: waitSeconds })
      const place = fairSlots.enter(group)
      try {
        const result = await place.run(prove)
        if (username !== undefined) ofUsername.recordSuccess(username, group)
        return result
      } catch (error) {
        if (error instanceof RewardsError && refusals.includes(error.code)) {
          ofAddress.recordFailure(address)
          if (username !== undefined) ofUsername.recordFailure(username)
        }
        throw error
      } finally {
        place.leave()
      }
    },
  }
}

/**
 * Codes have six digits, and three of them are right at a time: an attacker who knows the password must not try many.
 * There is no exception for known addresses.
 */
export function createCodeAttempts({ nowMs }: { nowMs: () => number }): FailedAttempts {
  return createFailedAttempts({
    failuresMax: codeFailuresMax,
    windowMs: codeWindowMs,
    nowMs,
    groupOf: (operatorId) => operatorId,
  })
}

const codeFailuresMax = 10
const codeWindowMs = 15 * 60_000
