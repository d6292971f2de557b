import { ping } from '../partner/probe.ts'
import type { ProbeDeps, ProbeResult, SettingProbe } from '../partner/probe.ts'
import { partnerOf } from './setting-values.ts'
import type { SettingName } from './setting-values.ts'
import type { Setting } from './settings.ts'

/** How each partner is tried out. */
const probes: Partial<Record<SettingName, SettingProbe>> = { wallet: ping, fulfilment: ping }

/** Somebody waits for the result, so a partner has less time than it may have otherwise. */
const timeoutMaxMs = 10_000

/** Calls the partner of a setting, saved or not, once. A setting without a partner is always fine. */
export async function probeSetting(
  deps: ProbeDeps,
  casinoId: string,
  name: SettingName,
  { value, secrets }: Pick<Setting<SettingName>, 'value' | 'secrets'>,
): Promise<ProbeResult> {
  const partner = partnerOf(value)
  const probe = probes[name]
  if (partner === undefined || probe === undefined) return { ok: true, detail: 'There is nobody to call' }
  const timeoutMs = Math.min(partner.timeoutMs, timeoutMaxMs)
  return probe(deps, { casinoId, url: partner.url, timeoutMs, secrets })
}
