import { RewardsError } from '../errors.ts'

/** Throws `revision_changed` if the object is no longer as the caller saw it; without a revision everything goes. */
export function refuseChanged(
  expectedRevision: number | undefined,
  { revision, state }: { revision: number; state: string },
): void {
  if (expectedRevision === undefined || expectedRevision === revision) return
  throw new RewardsError(
    'revision_changed',
    `The object has changed since revision ${String(expectedRevision)}: it is now ${state.replaceAll('_', ' ')}, at revision ${String(revision)}`,
  )
}
