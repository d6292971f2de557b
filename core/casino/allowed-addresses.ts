import ipaddr from 'ipaddr.js'

/** A network as it is stored and shown: `10.0.0.0/8`, `2001:db8::/32`. */
export type Network = [ipaddr.IPv4 | ipaddr.IPv6, number]

/**
 * Parses an address or a CIDR network into its canonical form: with the prefix length, without host bits. Undefined if
 * it is neither. An IPv4-mapped IPv6 address must be written as IPv4, because callers' addresses are compared in that
 * form.
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

/** Parses stored networks. One that cannot be parsed matches no address. */
export function parseNetworks(stored: readonly string[]): Network[] {
  return stored.flatMap((text) => (ipaddr.isValidCIDR(text) ? [ipaddr.parseCIDR(text)] : []))
}

/** Whether an address is in one of the networks; false for anything that is not an address. */
export function isInNetworks(networks: readonly Network[], address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  // `process` turns an IPv4-mapped address (`::ffff:10.0.0.1`) into IPv4.
  const caller = ipaddr.process(address)
  return networks.some(([network, length]) => {
    // By kind, because the library throws on mixed kinds.
    if (caller instanceof ipaddr.IPv4) return network instanceof ipaddr.IPv4 && caller.match(network, length)
    return network instanceof ipaddr.IPv6 && caller.match(network, length)
  })
}

/** Whether a network is contained in another. */
export function isNetworkWithin([inner, innerLength]: Network, [outer, outerLength]: Network): boolean {
  if (innerLength < outerLength) return false
  if (inner instanceof ipaddr.IPv4) return outer instanceof ipaddr.IPv4 && inner.match(outer, outerLength)
  return outer instanceof ipaddr.IPv6 && inner.match(outer, outerLength)
}

/** The size of the smallest network that a provider gives to one IPv6 customer. */
const ipv6CustomerBits = 64

/** The group that an address is counted under: the address itself, or the /64 network of an IPv6 address. */
export function addressGroupOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown'
  const caller = ipaddr.process(address)
  if (caller instanceof ipaddr.IPv4) return caller.toString()
  return ipaddr.IPv6.networkAddressFromCIDR(`${caller.toString()}/${ipv6CustomerBits}`).toString()
}
