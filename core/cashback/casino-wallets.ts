import { createFindOfCasinos } from '../casino/setting-readers.ts'
import type { FindOfCasinos } from '../casino/setting-readers.ts'
import type { FindSettings } from '../casino/settings.ts'
import type { SendRequest } from '../partner/http-client.ts'
import { partnerIdOf } from '../partner/partner-id.ts'
import { createHttpWallet } from '../partner/wallet.ts'
import type { Wallet } from '../partner/wallet.ts'
import type { Clock } from '../platform/clock.ts'

/** How a casino's players are paid, and the client of a wallet behind a URL. */
export interface CasinoWallet {
  via: WalletSetting
  wallet: Wallet | undefined
}

export type WalletSetting = { kind: 'ledger' } | OutsideWallet

export interface OutsideWallet {
  kind: 'http'
  /** Identifies the wallet, even if other settings of it change. */
  id: string
  url: string
  timeoutMs: number
  /** True if nothing may be sent to it. */
  isPaused: boolean
  /** Identifies this version of the configuration. */
  revision: number
}

/** Finds the wallets in casinos' settings. */
export function createFindWallets(deps: {
  findSettings: FindSettings
  sendRequest: SendRequest
  clock: Clock
}): FindOfCasinos<CasinoWallet> {
  const { findSettings, sendRequest: send, clock } = deps
  return createFindOfCasinos(findSettings, (casinoId, settings) => {
    const { value, secrets, isPaused, revision } = settings.get('wallet')
    if (value.kind === 'ledger') return { via: value, wallet: undefined }
    const { url, timeoutMs } = value
    const wallet = createHttpWallet({ send, clock }, { casinoId, url, secrets, timeoutMs })
    return { via: { kind: 'http', id: partnerIdOf(url), url, timeoutMs, isPaused, revision }, wallet }
  })
}
