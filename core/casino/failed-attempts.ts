import { addressGroupOf } from './allowed-addresses.ts'

/** Counts attempts with wrong credentials, by the address that they come from or by another name. */
export interface FailedAttempts {
  recordFailure(address: string): void
  recordSuccess(address: string, credentialId: string): void
  /**
   * Seconds until a request from this address with this credential is checked; 0 for now. A credential that was valid
   * from there recently is always checked, so that a caller who shares an address with an attacker can continue.
   */
  waitSeconds(address: string, credentialId?: string): number
}

const minuteMs = 60_000
/** The memory's limit. Beyond it, the addresses that were quiet the longest are forgotten. */
const addressesMax = 10_000
const credentialsPerAddressMax = 100

interface Origin {
  failures: number
  countedSinceMs: number
  valid: Set<string>
}

/**
 * Allows at most `failuresMax` failures a minute (or `windowMs`) per address, in this process. Uses a monotonic clock: one that is set
 * back would lock addresses out for as long.
 */
export function createFailedAttempts({
  failuresMax,
  nowMs,
  windowMs = minuteMs,
  groupOf: findGroup = addressGroupOf,
}: {
  failuresMax: number
  nowMs: () => number
  windowMs?: number
  /** Which addresses are counted together. */
  groupOf?: (address: string) => string
}): FailedAttempts {
  const origins = new Map<string, Origin>()
  /** Parsing an address is the slowest part, and most requests come from the same few. */
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
      // Moves it to the end: the first entries are forgotten first.
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
