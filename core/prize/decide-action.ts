import { RewardsError } from '../errors.ts'

/** The consequence of an action's plan, for the operator who chooses it. */
export interface Effect {
  /** One sentence. */
  consequence: string
  /** No later action can take it back. */
  cannotUndo: boolean
}

/** An action that operators can take on an object, and whether its present state allows it. */
export interface Action<Name extends string> extends Effect {
  name: Name
  /** The refusal that the action would meet now; null if it is allowed. */
  refusal: RewardsError | null
}

/**
 * Tries a decision on the object as it is, so that an offered action is one that would be carried out. Where it is not allowed,
 * the action has its usual effect.
 */
export function decideAction<Name extends string>(
  name: Name,
  usual: Effect,
  decide: () => Effect,
): Action<Name> {
  try {
    return { name, refusal: null, ...decide() }
  } catch (error) {
    if (!(error instanceof RewardsError)) throw error
    return { name, refusal: error, ...usual }
  }
}

/** The steps that follow by themselves, unless an operator acts before. */
export const nextSteps = [
  'announcement',
  'reminder',
  'submission',
  'cancellation',
  'poll',
  'credit',
  'debit',
  'retry',
  'expiry',
  'person',
] as const

/** The next step and its time, null if it comes as soon as it can or waits for a person. */
export interface NextStep {
  what: (typeof nextSteps)[number]
  at: Date | null
}
