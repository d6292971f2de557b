import type { Schemas } from './api.ts'
import type { Polling } from './use-query.ts'

/**
 * The page of an object follows it as long as something happens to it by itself: soon after an action, and more and more
 * seldom while it stays as it is. A reminder of tomorrow is nothing to wait for.
 */
export const whileItMoves = {
  pollMs: 1_000,
  pollMsMax: 30_000,
  isAtRest: ({ next }) =>
    next === null ||
    next.what === 'person' ||
    (next.at !== null && new Date(next.at).getTime() - Date.now() > soonMs),
} satisfies Polling<{ next: Schemas['NextStep'] | null }>

const soonMs = 10 * 60_000
