import { createFailedAttempts } from '../casino/failed-attempts.ts'
import { addressGroupOf } from '../casino/allowed-addresses.ts'
import { RewardsError } from '../errors.ts'
import type { ErrorCode } from '../errors.ts'
import { createFairSlots } from '../limit/fair-slots.ts'

/** The username and address of a sign-in attempt. */
export interface Attempt {
  username: string
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

const refusals: readonly ErrorCode[] = ['sign_in_refused', 'invitation_invalid']

/** Each hash takes 32 MiB, and a core for a tenth of a second. */
const slots = { slots: 2, slotsPerGroup: 1, linePerGroup: 10, lineMax: 100, waitMs: 10_000 }

/**
 * At most `failuresMax` failures a minute per address group and per username, in this process. Failed guesses from
 * elsewhere do not lock an operator out of an address with an earlier successful sign-in; guesses from that address do,
 * because a password can be guessed.
 */
export function createSignInGuard(options: { failuresMax: number; nowMs: () => number }): SignInGuard {
  const ofAddress = createFailedAttempts(options)
  const ofUsername = createFailedAttempts({ ...options, groupOf: (username) => username })
  const fairSlots = createFairSlots(slots)
  return {
    run: async ({ username, address }, prove) => {
      const group = addressGroupOf(address)
      const waitSeconds = Math.max(ofAddress.waitSeconds(address), ofUsername.waitSeconds(username, group))
      if (waitSeconds > 0)
        throw new RewardsError('login_limited', undefined, { retryAfterSeconds: waitSeconds })
      const place = fairSlots.enter(group)
      try {
        const result = await place.run(prove)
        ofUsername.recordSuccess(username, group)
        return result
      } catch (error) {
        if (error instanceof RewardsError && refusals.includes(error.code)) {
          ofAddress.recordFailure(address)
          ofUsername.recordFailure(username)
        }
        throw error
      } finally {
        place.leave()
      }
    },
  }
}
