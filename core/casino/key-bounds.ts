import { isNetworkWithin, parseNetworks } from './allowed-addresses.ts'

/** How far a key reaches: until when, and from where. */
export interface KeyBounds {
  /** Null for ever. */
  expiresAt: Date | null
  /** Empty for anywhere. */
  allowedAddresses: readonly string[]
}

/**
 * What of a key reaches further than the one that makes it, or that asks for its successor; null for nothing. Scopes are not
 * among it: only a `manage` key can ask, and it may do all that a key can.
 */
export function exceededBound(wanted: KeyBounds, of: KeyBounds): 'expires_at' | 'allowed_addresses' | null {
  if (of.expiresAt !== null && (wanted.expiresAt === null || wanted.expiresAt > of.expiresAt)) {
    return 'expires_at'
  }
  return areAddressesWithin(wanted.allowedAddresses, of.allowedAddresses) ? null : 'allowed_addresses'
}

function areAddressesWithin(wanted: readonly string[], allowed: readonly string[]): boolean {
  if (allowed.length === 0) return true
  const networks = parseNetworks(allowed)
  return (
    wanted.length > 0 &&
    parseNetworks(wanted).every((network) => networks.some((outer) => isNetworkWithin(network, outer)))
  )
}
