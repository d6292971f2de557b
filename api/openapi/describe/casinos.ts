import { settingNames } from '../../../core/casino/setting-values.ts'
import { apiKey, newApiKey, revokedApiKey } from '../../admin/api-key-shapes.ts'
import { createInput, rotateInput } from '../../admin/api-keys.ts'
import { casino, casinoInput } from '../../admin/casinos.ts'
import { seedRotation } from '../../admin/fairness.ts'
import { savedSetting, setting, settingTest } from '../../admin/settings.ts'
import { settingInput } from '../../admin/setting-input.ts'
import { listInput } from '../../admin/list-query.ts'
import type { Descriptions } from '../description.ts'
import { list } from '../../../core/shape/json-schema.ts'
import { auditTrail } from './audit.ts'
import { pageOf, success } from './bodies.ts'

/** Whether `http` is allowed depends on the installation; the document describes the default. */
const settingInputs = settingNames.map((name) => ({
  title: `${name[0]?.toUpperCase() ?? ''}${name.slice(1)}Setting`,
  schema: settingInput({ allowPrivateAddresses: false }, name),
}))

export const serviceAdminDescriptions = {
  'GET /admin/casinos': {
    operationId: 'listCasinos',
    tag: 'Casinos',
    summary: 'List the casinos',
    description: 'Sandboxes among them. For the service’s own admin key only.',
    query: listInput,
    answers: { 200: { description: 'The casinos.', schema: pageOf(casino.type) } },
    errors: [],
  },
  'PUT /admin/casinos/:casino_id': {
    operationId: 'putCasino',
    tag: 'Casinos',
    summary: 'Create or rename a casino',
    description: 'The service’s own admin key creates casinos; a casino’s key can rename its own.',
    body: casinoInput,
    answers: { 200: { description: 'The casino.', schema: success(casino.type) } },
    errors: [],
  },
  'GET /admin/audit': {
    operationId: 'listServiceAudit',
    ...auditTrail,
    summary: 'Read the service’s audit trail',
    description: 'What concerns no casino. For the service’s own admin key only.',
  },
} as const satisfies Descriptions

export const casinoDescriptions = {
  'GET /audit': {
    operationId: 'listAudit',
    ...auditTrail,
    summary: 'Read the audit trail',
    description: 'Who did what with the casino’s things, with each entry’s place and hash in the chain.',
  },
  'GET ': {
    operationId: 'getCasino',
    tag: 'Casinos',
    summary: 'Show a casino',
    description: 'Its name, and whose sandbox it is.',
    answers: { 200: { description: 'The casino.', schema: success(casino.type) } },
    errors: [],
  },
  'POST /api-keys': {
    operationId: 'createApiKey',
    tag: 'Casinos',
    summary: 'Make an API key',
    description:
      'The answer is the only one that has the key itself. One that is made by a key ends no later than that key, is for no other addresses, and is revoked with it. A casino has at most 100 keys that work, those of its sandbox among them.',
    body: createInput,
    isBodyOptional: true,
    answers: { 201: { description: 'The key.', schema: success(newApiKey.type) } },
    errors: ['api_key_limit'],
  },
  'GET /api-keys': {
    operationId: 'listApiKeys',
    tag: 'Casinos',
    summary: 'List the API keys',
    description: 'Also those that have expired or are revoked.',
    query: listInput,
    answers: { 200: { description: 'The keys, without their secrets.', schema: pageOf(apiKey.type) } },
    errors: [],
  },
  'DELETE /api-keys/:key_id': {
    operationId: 'revokeApiKey',
    tag: 'Casinos',
    summary: 'Revoke an API key',
    description:
      'It stops working everywhere within seconds, and cannot be brought back. So do all keys that it made or rotated, and those that came of them.',
    answers: {
      200: {
        description: 'The key as it is now.',
        schema: success(revokedApiKey.type),
        example: { revoked_at: '2030-02-07T12:00:00.000Z' },
      },
    },
    errors: ['api_key_unknown'],
  },
  'POST /api-keys/:key_id/rotate': {
    operationId: 'rotateApiKey',
    tag: 'Casinos',
    summary: 'Replace an API key',
    description:
      'The new key has the same maker, name, mode and scopes. The old one lives on for the overlap. Rotated by a key, it ends no later than the old one.',
    body: rotateInput,
    isBodyOptional: true,
    answers: { 201: { description: 'The new key.', schema: success(newApiKey.type) } },
    errors: ['api_key_unknown', 'api_key_limit', 'api_key_wider', 'transition_illegal'],
  },
  'POST /fairness/rotate': {
    operationId: 'rotateSeed',
    tag: 'Fairness',
    summary: 'Go on with the next seed',
    description: 'The seed that was in use is revealed half a minute later.',
    answers: { 200: { description: 'Whether this call has rotated.', schema: success(seedRotation.type) } },
    errors: ['quota_exceeded'],
  },
  'GET /settings': {
    operationId: 'listSettings',
    tag: 'Casinos',
    summary: 'List the settings',
    description: 'Secrets are not shown. A setting that nobody has changed has its default value.',
    answers: { 200: { description: 'All settings.', schema: success(list(setting.type)) } },
    errors: [],
  },
  'GET /settings/:name': {
    operationId: 'getSetting',
    tag: 'Casinos',
    summary: 'Show a setting',
    description: 'Its secret is not shown.',
    answers: { 200: { description: 'The setting.', schema: success(setting.type) } },
    errors: ['setting_unknown'],
  },
  'PUT /settings/:name': {
    operationId: 'putSetting',
    tag: 'Casinos',
    summary: 'Change a setting',
    description:
      'As a whole, but for its secret, which stays unless told otherwise. The one before goes on for the overlap. A paused setting goes on.',
    body: settingInputs,
    answers: {
      200: {
        description: 'The setting; with a secret when one was made.',
        schema: success(savedSetting.type),
      },
    },
    errors: ['setting_unknown'],
    example: { kind: 'http', url: 'https://wallet.example.com/rewards', timeout_ms: 3000 },
  },
  'POST /settings/:name/test': {
    operationId: 'testSetting',
    tag: 'Casinos',
    summary: 'Try a setting',
    description:
      'Calls its partner once: that of the setting in the body, or without one of the saved setting.',
    body: settingInputs,
    isBodyOptional: true,
    answers: {
      200: {
        description: 'What became of the call.',
        schema: success(settingTest.type),
      },
    },
    errors: ['setting_unknown', 'setting_unreadable', 'overloaded'],
    example: { kind: 'http', url: 'https://wallet.example.com/rewards', timeout_ms: 3000 },
  },
  'POST /settings/:name/resume': {
    operationId: 'resumeSetting',
    tag: 'Casinos',
    summary: 'Resume a paused setting',
    description: 'Work that waited for it goes on.',
    answers: { 200: { description: 'The setting.', schema: success(setting.type) } },
    errors: ['setting_unknown'],
  },
} as const satisfies Descriptions
