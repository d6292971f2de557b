import { RewardsError } from '../errors.ts'

/** Openings of a box that a casino gives to a player. */
export interface GrantRequest {
  playerId: string
  boxId: string
  count: number
  /** The casino's id of the grant. A grant is given once under it. */
  grantId: string | undefined
  expiresAt: Date | null
}

export interface Grant {
  id: string
  playerId: string
  boxId: string
  count: number
  used: number
  expiresAt: Date | null
  createdAt: Date
}

/** The named boxes and grants that exist. */
export interface KnownGrants {
  boxIds: ReadonlySet<string>
  grants: ReadonlyMap<string, Grant>
}

/**
 * The grant of each request, and which of them are new. A request that repeats the id and contents of a grant, stored
 * or earlier in the list, gets that grant. `newId` is for a grant without an id. Throws `box_unknown`, or
 * `grant_conflict` if the contents differ.
 */
export function decideGrants(
  requests: readonly (GrantRequest & { newId: string })[],
  known: KnownGrants,
  now: Date,
): { grants: readonly Grant[]; added: readonly Grant[] } {
  const byId = new Map(known.grants)
  const added: Grant[] = []
  const grants = requests.map(({ grantId, newId, ...contents }) => {
    if (!known.boxIds.has(contents.boxId)) throw new RewardsError('box_unknown')
    const existing = grantId === undefined ? undefined : byId.get(grantId)
    if (existing !== undefined) {
      if (!isSameGrant(existing, contents)) throw new RewardsError('grant_conflict')
      return existing
    }
    const grant: Grant = { id: grantId ?? newId, ...contents, used: 0, createdAt: now }
    byId.set(grant.id, grant)
    added.push(grant)
    return grant
  })
  return { grants, added }
}

function isSameGrant(grant: Grant, contents: Omit<GrantRequest, 'grantId'>): boolean {
  return (
    grant.playerId === contents.playerId &&
    grant.boxId === contents.boxId &&
    grant.count === contents.count &&
    grant.expiresAt?.getTime() === contents.expiresAt?.getTime()
  )
}
