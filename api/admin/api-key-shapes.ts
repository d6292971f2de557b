import { apiKeyModes, apiKeyScopes } from '../../core/casino/api-key.ts'
import type { ApiKeyRecord } from '../../core/casino/api-keys.ts'
import { boolean, id, list, nullable, oneOf, string, time } from '../../core/shape/json-schema.ts'
import { field, shapeOf } from '../../core/shape/shape.ts'

const terms = shapeOf<ApiKeyRecord>()(undefined, {
  key_id: field(id, (key) => key.id),
  name: field(nullable(string), (key) => key.name, { example: 'production' }),
  mode: field(oneOf<string>(apiKeyModes), (key) => key.mode),
  scopes: field(list(oneOf<string>(apiKeyScopes)), (key) => key.scopes),
  require_idempotency_key: field(boolean, (key) => key.requiresIdempotencyKey),
  created_at: field(time, (key) => key.createdAt),
  expires_at: field(nullable(time), (key) => key.expiresAt, { example: null }),
  allowed_addresses: field(list(string), (key) => key.allowedAddresses),
  created_by: field(nullable(string), (key) => key.createdBy, {
    description: 'Which key made the key, or `admin`; null when it is older than this field.',
    example: 'admin',
  }),
  rotated_from: field(nullable(string), (key) => key.rotatedFrom, {
    description: 'Which key it replaced.',
    example: 'k3n8x2p5q7r9s1t4',
  }),
  rotated_by: field(nullable(string), (key) => key.rotatedBy, {
    description: 'Who replaced that key: `admin`, or the id of a key.',
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
