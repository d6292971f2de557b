import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isPublicAddress } from './public-address.ts'

/**
 * The look-up of a connection: it returns the addresses that were resolved and are allowed, without another query. So a
 * name whose addresses change between the check and the connection ("rebinding") gains nothing. Otherwise it fails with
 * the reason why the name has no allowed address.
 */
export function guardedLookup(
  found: readonly LookupAddress[],
  allowPrivateAddresses: boolean,
): LookupFunction | 'name_unknown' | 'address_forbidden' {
  const allowed = found.filter(({ address }) => allowPrivateAddresses || isPublicAddress(address))
  const [first] = allowed
  if (first === undefined) return found.length === 0 ? 'name_unknown' : 'address_forbidden'
  return (_name, options, callback) => {
    if (options.all === true) callback(null, [...allowed])
    else callback(null, first.address, first.family)
  }
}
