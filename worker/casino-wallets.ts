import type { BeginCreditsDeps, CasinoWallet } from '../core/cashback/begin-credits.ts'
import type { CasinoSettings, FindSettings } from '../core/casino/settings.ts'
import type { SendRequest } from '../core/partner/http-client.ts'
import { partnerIdOf } from '../core/partner/partner-id.ts'
import { createHttpWallet } from '../core/partner/wallet.ts'
import type { Clock } from '../core/platform/clock.ts'

/** Finds the wallets that casinos have in their settings. */
export function createFindWallets(deps: {
  findSettings: FindSettings
  sendRequest: SendRequest
  clock: Clock
}): BeginCreditsDeps['findWallets'] {
  const { findSettings, sendRequest: send, clock } = deps
  const toWallet = (casinoId: string, settings: CasinoSettings): CasinoWallet => {
    const { value, secrets, isPaused, revision } = settings.get('wallet')
    if (value.kind === 'ledger') return value
    const { url, timeoutMs } = value
    const wallet = createHttpWallet({ send, clock }, { casinoId, url, secrets, timeoutMs })
    return { kind: 'http', id: partnerIdOf(url), url, wallet, timeoutMs, isPaused, revision }
  }
  // Each batch asks for the wallet of each of its cashbacks, and reading a setting costs as much as some of them do.
  const wallets = new WeakMap<CasinoSettings, CasinoWallet>()
  const walletOf = (casinoId: string, settings: CasinoSettings) => {
    const wallet = wallets.get(settings) ?? toWallet(casinoId, settings)
    wallets.set(settings, wallet)
    return wallet
  }
  return async (casinoIds) =>
    new Map(
      [...(await findSettings(casinoIds))].map(([casinoId, settings]) => [
        casinoId,
        () => walletOf(casinoId, settings),
      ]),
    )
}
