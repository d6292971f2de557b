import Joi from 'joi'
import type { Money } from '../money.ts'
import type { QuotaName } from '../platform/quotas.ts'
import { keyOperations } from '../platform/rate-limits.ts'
import type { KeyOperation, RateLimit } from '../platform/rate-limits.ts'
import {
  afterHours,
  approvalLimits,
  deliveryRetentionDays,
  kindOf,
  limitKeys,
  partnerKeys,
  pollMinutes,
  quotaKeys,
  warnDays,
} from './setting-keys.ts'

/** The settings of a casino, by name. */
export interface SettingValues {
  /** The wallet that credits cashbacks: our own ledger, or the casino's behind a URL. */
  wallet: { kind: 'ledger' } | HttpPartner
  /** The provider that ships prizes: operators, or a fulfilment provider behind a URL, polled every `pollMinutes`. */
  fulfilment: { kind: 'manual' } | (HttpPartner & { pollMinutes: number })
  /** The reminders for unconfirmed orders: hours after the announcement, ascending. */
  reminders: { afterHours: readonly number[] }
  /** How long before its last day a prize's player is warned; 0 for never. */
  expiry: { warnDays: number }
  /** How long the delivery details of a finished order are kept. */
  privacy: { deliveryRetentionDays: number }
  /** The amounts above which a person's decision needs another person, by currency. */
  approvals: { limits: readonly Money[] }
  /** The rate limits of all the casino's keys together; the service's configuration has the defaults. */
  limits: Partial<Record<KeyOperation, RateLimit>>
  /** The casino's quotas; the service's configuration has the defaults. */
  quotas: Partial<Record<QuotaName, number>>
}

/** A system of the casino that the service calls, with requests signed by a shared secret. */
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
  'approvals',
  'limits',
  'quotas',
] as const satisfies SettingName[]

/** Settings that the service's admin decides, not the casino. */
export const adminOnlySettings: ReadonlySet<SettingName> = new Set<SettingName>(['limits', 'quotas'])

export function isSettingName(text: string): text is SettingName {
  return settingNames.some((name) => name === text)
}

/** The stored form, which the API shows, with names as in JSON. */
interface StoredValues {
  wallet: { kind: 'ledger' } | StoredPartner
  fulfilment: { kind: 'manual' } | (StoredPartner & { poll_minutes: number })
  reminders: { after_hours: number[] }
  expiry: { warn_days: number }
  privacy: { delivery_retention_days: number }
  approvals: { limits: { amount_minor: number; currency: string }[] }
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
  /** `url` is the schema of a URL: checked on saving, accepted as it is on reading. */
  keys: (url: Joi.StringSchema) => Joi.SchemaMap
  /** The default for casinos without this setting. */
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
  approvals: {
    keys: () => ({ limits: approvalLimits }),
    unset: { limits: [] },
    toValue: ({ limits }) => ({
      limits: limits.map(({ amount_minor, currency }) => ({ amountMinor: BigInt(amount_minor), currency })),
    }),
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

/** The schema of a setting's values; `url` is the schema of a URL. */
export function settingKeys(name: SettingName, url: Joi.StringSchema): Joi.SchemaMap {
  return definitions[name].keys(url)
}

export function unsetValue(name: SettingName): StoredValue {
  return definitions[name].unset
}

const storedSchemas = new Map(settingNames.map((name) => [name, Joi.object(settingKeys(name, Joi.string()))]))

/** Parses a stored value; undefined if it is invalid (written by other code, or by hand). */
export function parseStoredValue<Name extends SettingName>(
  name: Name,
  stored: unknown,
): SettingValues[Name] | undefined {
  const result = storedSchemas.get(name)?.required().validate(stored, { stripUnknown: true })
  if (result === undefined || result.error) return undefined
  return definitions[name].toValue(result.value as StoredValues[Name]) // the schema is of this name
}

/** The partner to call; undefined if there is none. */
export function partnerOf(value: SettingValues[SettingName]): HttpPartner | undefined {
  return 'kind' in value && value.kind === 'http' ? value : undefined
}
