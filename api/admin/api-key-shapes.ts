import Joi from 'joi'
import { normaliseNetwork } from '../../core/casino/allowed-addresses.ts'
import { apiKeyModes, apiKeyScopes } from '../../core/casino/api-key.ts'
import type { ApiKeyRecord } from '../../core/casino/api-keys.ts'
import { boundedList } from '../../core/platform/bounded-list.ts'
import { choice } from '../../core/shape/request-shape.ts'
import { timestamp } from '../inputs.ts'
import { text } from '../parse-input.ts'
import { boolean, id, list, nullable, oneOf, string, time } from '../../core/shape/json-schema.ts'
import { field, shapeOf } from '../../core/shape/shape.ts'

/** Offices and data centres; a longer list is the job of a firewall. */
const allowedAddressesMax = 50

/** Empty for all addresses; left out, for those of the key that asks. */
const allowedAddresses = boundedList(
  Joi.string()
    .max(64)
    .custom((value: string, helpers) => normaliseNetwork(value) ?? helpers.error('any.invalid'))
    .messages({ 'any.invalid': '{{#label}} must be an IPv4 or IPv6 address or network (CIDR)' })
    .meta({ jsonSchema: { type: 'string', minLength: 2, maxLength: 64, examples: ['203.0.113.0/24'] } }),
  { min: 0, max: allowedAddressesMax, refine: (list) => list.unique() },
).empty(null)

/** `true` or `false`, not a word for it. */
const flag = Joi.boolean().strict().empty(null)

export const terms = shapeOf<ApiKeyRecord>()(undefined, {
  key_id: field(id, (key) => key.id, {
    description: 'The key’s id. It is not secret.',
    example: 'k3n8x2p5q7r9s1t4',
  }),
  name: field(nullable(string), (key) => key.name, {
    description: 'Its name.',
    example: 'production',
    input: text(200),
  }),
  mode: field(oneOf<string>(apiKeyModes), (key) => key.mode, {
    description: 'Whether the key is for the casino or for its sandbox.',
    example: 'live',
    input: choice(apiKeyModes).empty(null),
  }),
  scopes: field(list(oneOf<string>(apiKeyScopes)), (key) => key.scopes, {
    description: 'The scopes of the key.',
    example: ['play'],
    input: boundedList(choice(apiKeyScopes), {
      max: apiKeyScopes.length,
      refine: (list) => list.unique(),
    }).empty(null),
  }),
  require_idempotency_key: field(boolean, (key) => key.requiresIdempotencyKey, {
    description: 'Whether the three operations need an `Idempotency-Key` with this key.',
    example: false,
    input: flag,
  }),
  created_at: field(time, (key) => key.createdAt),
  expires_at: field(nullable(time), (key) => key.expiresAt, {
    description: 'The time until which it can be used.',
    example: null,
    input: timestamp,
  }),
  allowed_addresses: field(list(string), (key) => key.allowedAddresses, {
    description: 'Addresses and networks that the key may be used from; empty for all.',
    example: ['203.0.113.0/24'],
    input: allowedAddresses,
  }),
  created_by: field(nullable(string), (key) => key.createdBy, {
    description: 'Which key made the key, or `admin`; null when it is older than this field.',
    example: 'admin',
  }),
  rotated_from: field(nullable(string), (key) => key.rotatedFrom, {
    description: 'Which key it replaced.',
    example: 'k3n8x2p5q7r9s1t4',
  }),
  rotated_by: field(nullable(string), (key) => key.rotatedBy, {
    description: 'The actor that replaced that key: `admin`, or the id of a key.',
    example: 'admin',
  }),
})

const revokedAt = field(nullable(time), (key: ApiKeyRecord) => key.revokedAt, {
  description: 'When the key was revoked.',
})
const lastUsedAt = field(nullable(time), (key: ApiKeyRecord) => key.lastUsedAt, {
  description: 'About when the key was last used.',
})

export const apiKey = shapeOf<ApiKeyRecord>()('ApiKey', {
  ...terms.fields,
  revoked_at: field(revokedAt.type, revokedAt.read, { example: null }),
  last_used_at: lastUsedAt,
})

export const revokedApiKey = shapeOf<ApiKeyRecord & { alsoRevoked: readonly string[] }>()('RevokedApiKey', {
  ...terms.fields,
  revoked_at: revokedAt,
  last_used_at: lastUsedAt,
  also_revoked: field(list(string), ({ alsoRevoked }) => alsoRevoked, {
    description: 'The ids of the keys that were revoked with it, because it made or rotated them.',
    example: ['m5t7v9x1z3b4d6f8'],
  }),
})

/** The only answer that has the key itself. */
export const newApiKey = shapeOf<ApiKeyRecord & { apiKey: string }>()('NewApiKey', {
  ...terms.fields,
  api_key: field(string, (key) => key.apiKey, {
    description: 'The key itself, shown this once.',
    example: 'rk_live_k3n8x2p5q7r9s1t4_ThisIsAnExampleAndNoKeyOfAnybodyAbc123',
  }),
})
