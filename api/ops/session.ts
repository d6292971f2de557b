import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../core/platform/clock.ts'
import type { Config } from '../../core/platform/config.ts'

/** A working day; then the key is asked for again. */
export const sessionLifetimeMs = 8 * 60 * 60_000

/** A session as its cookie carries it: `<expiry in milliseconds>.<signature>`. */
export interface Sessions {
  create(): string
  /** False for anything that is expired, was changed or is no session. */
  isValid(token: string): boolean
}

/**
 * Sessions that are kept nowhere: every API process recognises what any of them has created. Their key is made from the
 * admin key, so that changing it ends all of them; there is no other way to end one before its time.
 */
export function createSessions({
  config,
  clock,
}: {
  config: Pick<Config, 'hashSecret' | 'adminApiKey'>
  clock: Clock
}): Sessions {
  const key = createHmac('sha256', `${config.hashSecret}/ops-session`).update(config.adminApiKey).digest()
  const sign = (expiry: string) => createHmac('sha256', key).update(expiry).digest()
  return {
    create: () => {
      const expiry = String(clock.now().getTime() + sessionLifetimeMs)
      return `${expiry}.${sign(expiry).toString('base64url')}`
    },
    isValid: (token) => {
      const [, expiry, signature] = /^(\d{1,15})\.([A-Za-z0-9_-]{43})$/.exec(token) ?? []
      if (expiry === undefined || signature === undefined) return false
      const isGenuine = timingSafeEqual(Buffer.from(signature, 'base64url'), sign(expiry))
      return isGenuine && Number(expiry) > clock.now().getTime()
    },
  }
}
