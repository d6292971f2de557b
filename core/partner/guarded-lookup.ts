import { lookup } from 'node:dns/promises'
import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isPublicAddress } from './public-address.ts'

/** All addresses of a name. Rejects when it has none. */
export type LookUpName = (name: string) => Promise<readonly LookupAddress[]>

/** Why a name led to no address that may be called. */
export class LookupError extends Error {
  readonly reason: 'name_unknown' | 'address_forbidden'

  constructor(reason: LookupError['reason']) {
    super(reason)
    this.name = 'LookupError'
    this.reason = reason
  }
}

const lookUpWithSystem: LookUpName = (name) => lookup(name, { all: true })

/**
 * The look-up that connections are made with: the addresses it gives are the ones that are connected to. So a name
 * whose addresses change between a check and the call ("rebinding") gains nothing.
 *
 * The system's look-ups occupy one of Node's four threads each for as long as they take. Those for the same name share
 * one, so that a single slow name server does not make all others wait.
 */
export function createGuardedLookup(
  allowPrivateAddresses: boolean,
  lookUp: LookUpName = lookUpWithSystem,
): LookupFunction {
  const underWay = new Map<string, Promise<readonly LookupAddress[]>>()

  function lookUpOnce(name: string): Promise<readonly LookupAddress[]> {
    const known = underWay.get(name)
    if (known !== undefined) return known
    const asked = lookUp(name).finally(() => underWay.delete(name))
    underWay.set(name, asked)
    return asked
  }

  async function findAllowed(name: string): Promise<LookupAddress[]> {
    let addresses: readonly LookupAddress[]
    try {
      addresses = await lookUpOnce(name)
    } catch {
      throw new LookupError('name_unknown')
    }
    if (addresses.length === 0) throw new LookupError('name_unknown')
    const allowed = addresses.filter(({ address }) => allowPrivateAddresses || isPublicAddress(address))
    if (allowed.length === 0) throw new LookupError('address_forbidden')
    return allowed
  }

  return (name, options, callback) => {
    findAllowed(name).then(
      (addresses) => {
        const first = addresses[0]
        if (options.all === true || first === undefined) callback(null, addresses)
        else callback(null, first.address, first.family)
      },
      (error: unknown) => {
        callback(error instanceof Error ? error : new Error(String(error)), [])
      },
    )
  }
}
