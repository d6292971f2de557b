import { createFindOfCasinos } from '../casino/setting-readers.ts'
import type { FindOfCasinos } from '../casino/setting-readers.ts'
import type { FindSettings } from '../casino/settings.ts'
import { createHttpProvider } from '../partner/fulfilment-provider.ts'
import type { FulfilmentProvider } from '../partner/fulfilment-provider.ts'
import type { SendRequest } from '../partner/http-client.ts'
import { partnerIdOf } from '../partner/partner-id.ts'
import type { Clock } from '../platform/clock.ts'
import type { FulfilmentSettings } from './decide-work.ts'

/** A provider with a URL, by the setting that names it. */
export interface CasinoProvider {
  url: string
  timeoutMs: number
  pollMs: number
  /** The revision of the setting that a pause applies to. */
  revision: number
}

/** A casino's fulfilment settings. */
export interface FulfilmentOfCasino extends FulfilmentSettings {
  /** Present if the settings name an `http` provider. */
  called: CasinoProvider | undefined
}

/** The same, with the client of that provider. */
export interface CasinoFulfilment extends FulfilmentOfCasino {
  client: FulfilmentProvider | undefined
}

/** Finds casinos' fulfilment settings and the providers in them. */
export function createFindFulfilment(deps: {
  findSettings: FindSettings
  sendRequest: SendRequest
  clock: Clock
}): FindOfCasinos<CasinoFulfilment> {
  const { findSettings, sendRequest: send, clock } = deps
  return createFindOfCasinos(findSettings, (casinoId, settings) => {
    const { value, secrets, isPaused, revision } = settings.get('fulfilment')
    const reminderAfterHours = settings.get('reminders').value.afterHours
    if (value.kind === 'manual')
      return { provider: { kind: 'manual' }, reminderAfterHours, called: undefined, client: undefined }
    const { url, timeoutMs } = value
    const pollMs = value.pollMinutes * 60_000
    const client = createHttpProvider({ send, clock }, { casinoId, url, secrets, timeoutMs })
    return {
      provider: { kind: 'http', id: partnerIdOf(url), isPaused, timeoutMs, pollMs },
      reminderAfterHours,
      called: { url, timeoutMs, pollMs, revision },
      client,
    }
  })
}
