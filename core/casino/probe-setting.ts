import { ping } from '../partner/probe.ts'
import type { ProbeDeps, ProbeResult, SettingProbe } from '../partner/probe.ts'
import { partnerOf } from './setting-values.ts'
import type { SettingName } from './setting-values.ts'
import type { Setting } from './settings.ts'

/** How each kind of partner is tested. */
const probes: Partial<Record<SettingName, SettingProbe>> = { wallet: ping, fulfilment: ping }

/** An operator waits for the result, so the time-out is shorter than usual. */
const timeoutMaxMs = 10_000

/** Calls the partner of a setting once, saved or not. A setting without a partner always succeeds. */
export async function probeSetting(
  deps: ProbeDeps,
  casinoId: string,
  name: SettingName,
  { value, secrets }: Pick<Setting<SettingName>, 'value' | 'secrets'>,
): Promise<ProbeResult> {
  const partner = partnerOf(value)
  const probe = probes[name]
  if (partner === undefined || probe === undefined)
    return { ok: true, detail: 'The setting has no partner to call' }
  const timeoutMs = Math.min(partner.timeoutMs, timeoutMaxMs)
  return probe(deps, { casinoId, url: partner.url, timeoutMs, secrets })
}
