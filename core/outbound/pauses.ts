import type { CallOutcome } from './attempt.ts'
import type { CallLine } from './slots.ts'

/** Which partner a call was for, as far as a pause is concerned. */
interface Called {
  line: CallLine
  /** Of the setting that names the partner: what the pause is about. */
  revision: number
}

/** Partners that do not accept us as such: nothing is sent to them until somebody has looked. */
export interface Pauses {
  /** Pauses the setting if that is what the outcome says. */
  pauseIfRefused: (called: Called, outcome: CallOutcome) => Promise<void>
  /**
   * Whether this process has paused this configuration. Settings are as they were a moment ago, so a pause is heard of late;
   * meanwhile each work that waits would be refused in its turn. Saving or resuming makes another revision of it.
   */
  has: (casinoId: string, revision: number) => boolean
}

/** `pause` says so itself. */
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
