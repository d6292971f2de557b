import { addressGroupOf } from './allowed-addresses.ts'

/** Counts attempts with wrong credentials, by the address that they come from or by another name. */
export interface FailedAttempts {
  recordFailure(address: string): void
  recordSuccess(address: string, credentialId: string): void
  /**
   * Seconds until what comes from the address with this credential is looked at; 0 when it is now. What has been valid
   * from there lately always is: whoever shares an address with somebody who guesses goes on working.
   */
  waitSeconds(address: string, credentialId?: string): number
}

const windowMs = 60_000
/** Bounds of the memory. Somebody with more addresses than this makes us forget those that were quiet the longest. */
const addressesMax = 10_000
const credentialsPerAddressMax = 100

interface Origin {
  failures: number
  countedSinceMs: number
  valid: Set<string>
}

/**
 * At most `failuresMax` failures a minute for each address, in this process. Measured by a clock that nobody sets: one
 * that is put back would lock addresses out for as long.
 */
export function createFailedAttempts({
  failuresMax,
  nowMs,
  groupOf: findGroup = addressGroupOf,
}: {
  failuresMax: number
  nowMs: () => number
  /** Which addresses are counted together. */
  groupOf?: (address: string) => string
}): FailedAttempts {
  const origins = new Map<string, Origin>()
  /** Parsing an address takes longer than all the rest, and most requests come from the same few. */
  const groups = new Map<string, string>()

  function groupOf(address: string): string {
    let group = groups.get(address)
    if (group === undefined) {
      group = findGroup(address)
      if (groups.size >= addressesMax) groups.clear()
      groups.set(address, group)
    }
    return group
  }

  function originOf(group: string): Origin {
    const known = origins.get(group)
    if (known !== undefined) return known
    const [longestKnown] = origins.keys()
    if (origins.size >= addressesMax && longestKnown !== undefined) origins.delete(longestKnown)
    const origin: Origin = { failures: 0, countedSinceMs: nowMs(), valid: new Set() }
    origins.set(group, origin)
    return origin
  }

  return {
    recordFailure: (address) => {
      const group = groupOf(address)
      const origin = originOf(group)
      if (nowMs() >= origin.countedSinceMs + windowMs) {
        origin.countedSinceMs = nowMs()
        origin.failures = 0
      }
      origin.failures += 1
      // To the end, where those are that are forgotten last.
      origins.delete(group)
      origins.set(group, origin)
    },
    recordSuccess: (address, credentialId) => {
      const { valid } = originOf(groupOf(address))
      if (valid.size >= credentialsPerAddressMax && !valid.has(credentialId)) valid.clear()
      valid.add(credentialId)
    },
    waitSeconds: (address, credentialId) => {
      const origin = origins.get(groupOf(address))
      if (origin === undefined || origin.failures < failuresMax) return 0
      if (credentialId !== undefined && origin.valid.has(credentialId)) return 0
      return Math.max(0, Math.ceil((origin.countedSinceMs + windowMs - nowMs()) / 1000))
    },
  }
}
