import type { CasinoSettings, FindSettings } from '../core/casino/settings.ts'
import { createHttpProvider } from '../core/partner/fulfilment-provider.ts'
import { partnerIdOf } from '../core/partner/partner-id.ts'
import type { SendRequest } from '../core/partner/http-client.ts'
import type { Clock } from '../core/platform/clock.ts'
import type { CasinoFulfilment, FulfilOrdersDeps } from '../core/prize-order/fulfil-orders.ts'

/** Finds how casinos want their orders dealt with, and the providers that they have in their settings. */
export function createFindFulfilment(deps: {
  findSettings: FindSettings
  sendRequest: SendRequest
  clock: Clock
}): FulfilOrdersDeps['findFulfilment'] {
  const { findSettings, sendRequest: send, clock } = deps
  const toFulfilment = (casinoId: string, settings: CasinoSettings): CasinoFulfilment => {
    const { value, secrets, isPaused, revision } = settings.get('fulfilment')
    const reminderAfterHours = settings.get('reminders').value.afterHours
    if (value.kind === 'manual') {
      return { provider: { kind: 'manual' }, reminderAfterHours, called: undefined }
    }
    const { url, timeoutMs } = value
    const pollMs = value.pollMinutes * 60_000
    return {
      provider: { kind: 'http', id: partnerIdOf(url), isPaused, timeoutMs, pollMs },
      reminderAfterHours,
      called: {
        provider: createHttpProvider({ send, clock }, { casinoId, url, secrets, timeoutMs }),
        ...{ url, timeoutMs, pollMs, revision },
      },
    }
  }
  return async (casinoIds) =>
    new Map(
      [...(await findSettings(casinoIds))].map(([casinoId, settings]) => [
        casinoId,
        once(() => toFulfilment(casinoId, settings)),
      ]),
    )
}

/** A batch asks for the settings of each of its orders. */
function once(find: () => CasinoFulfilment): () => CasinoFulfilment {
  let found: CasinoFulfilment | undefined
  return () => (found ??= find())
}
