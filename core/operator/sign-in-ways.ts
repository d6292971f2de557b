import type { Config } from '../platform/config.ts'
import type { OperatorRecord } from './operator.ts'

/** How operators can sign in. Switching off a way also signs out the operators who use it. */
export interface SignInWays {
  passwords: boolean
  /** The identity provider, if there is one. */
  issuer: string | undefined
}

export function signInWaysOf({ singleSignOn }: Pick<Config, 'singleSignOn'>): SignInWays {
  return { passwords: singleSignOn?.isOnlyWay !== true, issuer: singleSignOn?.issuer }
}

export function hasOpenWay({ passwords, issuer }: SignInWays, { identity }: OperatorRecord): boolean {
  return identity === null ? passwords : identity.issuer === issuer
}
