import { isNetworkWithin, parseNetworks } from './allowed-addresses.ts'

/** The limits of a key: its expiry and its addresses. */
export interface KeyBounds {
  /** Null if it never expires. */
  expiresAt: Date | null
  /** Empty for any address. */
  allowedAddresses: readonly string[]
}

/**
 * The limit of a new key that exceeds the limits of the key that creates or rotates it; null if none does. Scopes are
 * not compared: only a `manage` key can create keys, and it has every scope.
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
