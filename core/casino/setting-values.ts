import Joi from 'joi'
import type { QuotaName } from '../platform/quotas.ts'
import { keyOperations } from '../platform/rate-limits.ts'
import type { KeyOperation, RateLimit } from '../platform/rate-limits.ts'
import {
  afterHours,
  deliveryRetentionDays,
  kindOf,
  limitKeys,
  partnerKeys,
  pollMinutes,
  quotaKeys,
  warnDays,
} from './setting-keys.ts'

/** How one casino wants things done; each kind of wish is a setting with a name of its own. */
export interface SettingValues {
  /** Who credits cashbacks: our own ledger, or the casino's wallet behind an URL. */
  wallet: { kind: 'ledger' } | HttpPartner
  /** Who sends prizes: people, or a fulfilment provider behind an URL, asked for news every `pollMinutes`. */
  fulfilment: { kind: 'manual' } | (HttpPartner & { pollMinutes: number })
  /** When an order that waits for confirmation is brought up again: hours after it was announced, ascending. */
  reminders: { afterHours: readonly number[] }
  /** How long before its last day a prize is warned about; 0 for not at all. */
  expiry: { warnDays: number }
  /** How long after an order is finished its delivery details are kept. */
  privacy: { deliveryRetentionDays: number }
  /** How often the casino's keys may call together; what is not named is as the service's configuration says. */
  limits: Partial<Record<KeyOperation, RateLimit>>
  /** How much the casino may have; what is not named is as the service's configuration says. */
  quotas: Partial<Record<QuotaName, number>>
}

/** A system of the casino's that we call, with requests signed by a secret that both know. */
export interface HttpPartner {
  kind: 'http'
  url: string
  timeoutMs: number
}

export type SettingName = keyof SettingValues

export const settingNames = [
  'wallet',
  'fulfilment',
  'reminders',
  'expiry',
  'privacy',
  'limits',
  'quotas',
] as const satisfies SettingName[]

/** What the service decides about a casino, and not the casino itself. */
export const adminOnlySettings: ReadonlySet<SettingName> = new Set<SettingName>(['limits', 'quotas'])

export function isSettingName(text: string): text is SettingName {
  return settingNames.some((name) => name === text)
}

/** What is stored and what the API shows, with names as in JSON. */
interface StoredValues {
  wallet: { kind: 'ledger' } | StoredPartner
  fulfilment: { kind: 'manual' } | (StoredPartner & { poll_minutes: number })
  reminders: { after_hours: number[] }
  expiry: { warn_days: number }
  privacy: { delivery_retention_days: number }
  limits: Partial<Record<KeyOperation, StoredLimit>>
  quotas: Partial<Record<QuotaName, number>>
}

interface StoredLimit {
  per_second: number
  burst: number
}

interface StoredPartner {
  kind: 'http'
  url: string
  timeout_ms: number
}

export type StoredValue = StoredValues[SettingName]

interface Definition<Stored, Value> {
  /** `url` is what an URL must be: checked when it is saved, taken as it is when it is read. */
  keys: (url: Joi.StringSchema) => Joi.SchemaMap
  /** What holds for a casino that has said nothing. */
  unset: Stored
  toValue: (stored: Stored) => Value
}

const definitions: { [Name in SettingName]: Definition<StoredValues[Name], SettingValues[Name]> } = {
  wallet: {
    keys: (url) => ({ kind: kindOf('ledger', 'http'), ...partnerKeys(url) }),
    unset: { kind: 'ledger' },
    toValue: (stored) => (stored.kind === 'http' ? toPartner(stored) : stored),
  },
  fulfilment: {
    keys: (url) => ({
      kind: kindOf('manual', 'http'),
      ...partnerKeys(url),
      poll_minutes: pollMinutes,
    }),
    unset: { kind: 'manual' },
    toValue: (stored) =>
      stored.kind === 'http' ? { ...toPartner(stored), pollMinutes: stored.poll_minutes } : stored,
  },
  reminders: {
    keys: () => ({ after_hours: afterHours }),
    unset: { after_hours: [24, 72, 168] },
    toValue: ({ after_hours }) => ({ afterHours: after_hours }),
  },
  expiry: {
    keys: () => ({ warn_days: warnDays }),
    unset: { warn_days: 3 },
    toValue: ({ warn_days }) => ({ warnDays: warn_days }),
  },
  privacy: {
    keys: () => ({ delivery_retention_days: deliveryRetentionDays }),
    unset: { delivery_retention_days: 90 },
    toValue: ({ delivery_retention_days }) => ({ deliveryRetentionDays: delivery_retention_days }),
  },
  limits: {
    keys: () => limitKeys,
    unset: {},
    toValue: (stored) =>
      Object.fromEntries(
        keyOperations.flatMap((operation) => {
          const limit = stored[operation]
          return limit === undefined ? [] : [[operation, toRateLimit(limit)]]
        }),
      ),
  },
  quotas: {
    keys: () => quotaKeys,
    unset: {},
    toValue: (stored) => stored,
  },
}

function toRateLimit({ per_second, burst }: StoredLimit): RateLimit {
  return { perSecond: per_second, burst }
}

function toPartner({ kind, url, timeout_ms }: StoredPartner): HttpPartner {
  return { kind, url, timeoutMs: timeout_ms }
}

/** What a casino may wish, as the keys of a schema; `url` says what an URL must be. */
export function settingKeys(name: SettingName, url: Joi.StringSchema): Joi.SchemaMap {
  return definitions[name].keys(url)
}

export function unsetValue(name: SettingName): StoredValue {
  return definitions[name].unset
}

const storedSchemas = new Map(settingNames.map((name) => [name, Joi.object(settingKeys(name, Joi.string()))]))

/** What a stored value means; undefined when it is no such value (it was written by other code, or by hand). */
export function parseStoredValue<Name extends SettingName>(
  name: Name,
  stored: unknown,
): SettingValues[Name] | undefined {
  const result = storedSchemas.get(name)?.required().validate(stored, { stripUnknown: true })
  if (result === undefined || result.error) return undefined
  return definitions[name].toValue(result.value as StoredValues[Name]) // the schema is of this name
}

/** The system that is to be called; undefined when nothing is. */
export function partnerOf(value: SettingValues[SettingName]): HttpPartner | undefined {
  return 'kind' in value && value.kind === 'http' ? value : undefined
}
