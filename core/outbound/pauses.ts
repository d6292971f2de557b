import type { CallOutcome } from './attempt.ts'
import type { CallLine } from './call-line.ts'

/** The partner that a call was for, and the casino. */
interface Called {
  line: CallLine
  /** The revision of the setting that names the partner: the pause applies to it. */
  revision: number
}

/** Pauses partners that reject our credentials or address: nothing is sent until an operator resumes the setting. */
export interface Pauses {
  /** Pauses the setting if the outcome requires it. */
  pauseIfRefused: (called: Called, outcome: CallOutcome) => Promise<void>
  /**
   * Whether this process has paused this configuration. Settings are cached, so a pause is seen late; meanwhile each
   * waiting work would be refused in turn. Saving or resuming creates another revision.
   */
  has: (casinoId: string, revision: number) => boolean
}

/** `pause` logs it itself. */
export function createPauses(
  pause: (casinoId: string, setting: { revision: number }, reason: string) => Promise<unknown>,
): Pauses {
  const refusedRevisions = new Map<string, number>()
  return {
    pauseIfRefused: async ({ line: { casinoId }, revision }, { kind, problem }) => {
      if (kind !== 'misconfigured') return
      await pause(casinoId, { revision }, problem ?? kind)
      refusedRevisions.set(casinoId, revision)
    },
    has: (casinoId, revision) => refusedRevisions.get(casinoId) === revision,
  }
}
