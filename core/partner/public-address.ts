import ipaddr from 'ipaddr.js'

/** IPv6's global unicast range (RFC 4291 §2.4); everything outside is special, deprecated or unassigned. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
/** Addresses that a NAT64 gateway translates to the IPv4 address in their last 32 bits (RFC 6052). */
const translated = ipaddr.IPv6.parseCIDR('64:ff9b::/96')
/** Azure's agent for virtual machines: a public address that serves a host's own secrets. */
const metadataAddresses = ['168.63.129.16']

/** Whether a text is an IP address, in the spelling to which URL normalises all others. */
export function isAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)
}

/**
 * Whether an IP address is public: not of this machine, a private network, a cloud's metadata service or any other
 * special range, in any spelling. False for a text that is not an IP address.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  // `process` converts IPv4 addresses that are mapped into IPv6 (`::ffff:127.0.0.1`) to IPv4.
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) {
    return parsed.range() === 'unicast' && !metadataAddresses.includes(parsed.toString())
  }
  if (parsed.match(translated)) {
    return isPublicAddress(ipaddr.fromByteArray(parsed.toByteArray().slice(12)).toString())
  }
  return parsed.match(globalUnicast) && parsed.range() === 'unicast'
}
