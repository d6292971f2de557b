import type { TransitionTable } from '../state-machine.ts'

export type ActState =
  'previewed' | 'pending_approval' | 'running' | 'stopping' | 'done' | 'stopped' | 'declined' | 'expired'

/** Nothing happens to an object before `running`. While `stopping`, objects that were taken up are settled. */
export const actTransitions: TransitionTable<ActState> = {
  previewed: ['running', 'pending_approval', 'stopped', 'expired'],
  pending_approval: ['running', 'declined', 'stopped', 'expired'],
  running: ['done', 'stopping'],
  stopping: ['stopped'],
  done: [],
  stopped: [],
  declined: [],
  expired: [],
}

/** The state of an object in an act: it waits for the action, or has its result. */
export const actObjectStates = ['waiting', 'done', 'refused', 'skipped'] as const
export type ActObjectState = (typeof actObjectStates)[number]
