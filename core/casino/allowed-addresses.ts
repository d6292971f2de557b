import ipaddr from 'ipaddr.js'

/** A network as it is stored and shown: `10.0.0.0/8`, `2001:db8::/32`. */
export type Network = [ipaddr.IPv4 | ipaddr.IPv6, number]

/**
 * Reads an address or a network in CIDR form and writes it in the one form that it is kept in: with its length, without
 * the bits of a host. Undefined when it is neither. What is mapped from IPv4 into IPv6 has to be written as IPv4, for that
 * is what callers are compared as.
 */
export function normaliseNetwork(text: string): string | undefined {
  const [address = '', bits, ...rest] = text.split('/')
  if (rest.length > 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return undefined
  const isV4 = ipaddr.IPv4.isValidFourPartDecimal(address)
  if (!isV4 && (address.includes('%') || !ipaddr.IPv6.isValid(address))) return undefined
  const kind = isV4 ? ipaddr.IPv4 : ipaddr.IPv6
  const longest = isV4 ? 32 : 128
  const length = bits === undefined ? longest : Number(bits)
  if (length > longest) return undefined
  const parsed = kind.parse(address)
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress()) return undefined
  return `${kind.networkAddressFromCIDR(`${parsed.toString()}/${length}`).toString()}/${length}`
}

/** Reads networks as they are stored. What cannot be read matches nobody. */
export function parseNetworks(stored: readonly string[]): Network[] {
  return stored.flatMap((text) => (ipaddr.isValidCIDR(text) ? [ipaddr.parseCIDR(text)] : []))
}

/** Whether an address is in one of the networks. What is no address is in none. */
export function isInNetworks(networks: readonly Network[], address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  // `process` makes of an IPv4 address that is mapped into IPv6 (`::ffff:10.0.0.1`) what it stands for.
  const caller = ipaddr.process(address)
  return networks.some(([network, length]) => {
    // By kind, or the library would throw.
    if (caller instanceof ipaddr.IPv4) return network instanceof ipaddr.IPv4 && caller.match(network, length)
    return network instanceof ipaddr.IPv6 && caller.match(network, length)
  })
}

/** Whether all addresses of a network are in another one too. */
export function isNetworkWithin([inner, innerLength]: Network, [outer, outerLength]: Network): boolean {
  if (innerLength < outerLength) return false
  if (inner instanceof ipaddr.IPv4) return outer instanceof ipaddr.IPv4 && inner.match(outer, outerLength)
  return outer instanceof ipaddr.IPv6 && inner.match(outer, outerLength)
}

/** How many bits of an IPv6 address one customer of a provider has at least. */
const ipv6CustomerBits = 64

/** What stands for whoever is behind an address: the address itself, of IPv6 its network of 64 bits. */
export function addressGroupOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown'
  const caller = ipaddr.process(address)
  if (caller instanceof ipaddr.IPv4) return caller.toString()
  return ipaddr.IPv6.networkAddressFromCIDR(`${caller.toString()}/${ipv6CustomerBits}`).toString()
}
