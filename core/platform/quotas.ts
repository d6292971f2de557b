/**
 * The maximum that a casino may have of each kind at one time, or create in a day. Sandboxes have the same again of
 * their own.
 */
export const quotaNames = [
  'items',
  'boxes',
  'entries',
  'entries_per_day',
  'players',
  'webhook_endpoints',
  'seeds_per_day',
] as const
export type QuotaName = (typeof quotaNames)[number]

export type Quotas = Readonly<Record<QuotaName, number>>

/**
 * Several times the needs of a large casino: the limits are for scripts out of control. docs/operate/limits.md has the
 * same.
 */
export const defaultQuotas: Quotas = {
  items: 20_000,
  boxes: 5_000,
  entries: 100_000,
  entries_per_day: 200_000,
  players: 5_000_000,
  webhook_endpoints: 20,
  seeds_per_day: 200,
}

/** The bounds of quotas, here and in the casinos' settings. */
export const quotaMax = 1_000_000_000

/**
 * Parses `items=5000,players=100000`. Kinds that it does not name are taken from `otherwise`. Undefined if the form is
 * invalid.
 */
export function parseQuotas(text: string, otherwise: Quotas): Quotas | undefined {
  const quotas = { ...otherwise }
  const named = new Set<string>()
  for (const part of text.split(',')) {
    const [, name, number] = /^([a-z_]+)=(\d{1,10})$/.exec(part) ?? []
    const quota = quotaNames.find((candidate) => candidate === name)
    if (quota === undefined || named.has(quota) || Number(number) > quotaMax) return undefined
    named.add(quota)
    quotas[quota] = Number(number)
  }
  return quotas
}

/** The form that `parseQuotas` reads. */
export function formatQuotas(quotas: Quotas): string {
  return quotaNames.map((name) => `${name}=${quotas[name]}`).join(',')
}
