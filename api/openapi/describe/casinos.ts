import { settingNames } from '../../../core/casino/setting-values.ts'
import { apiKey, newApiKey, revokedApiKey } from '../../admin/api-key-shapes.ts'
import { createInput, rotateInput } from '../../admin/api-keys.ts'
import { casino, casinoInput, casinosInput } from '../../admin/casinos.ts'
import { seedRotation } from '../../admin/fairness.ts'
import { seed } from '../../shapes/seed.ts'
import { resumeInput, savedSetting, setting, settingTest } from '../../admin/settings.ts'
import { settingInput } from '../../admin/setting-input.ts'
import { listInput } from '../../admin/list-query.ts'
import type { Descriptions } from '../description.ts'
import { list } from '../../../core/shape/json-schema.ts'
import { auditEntryAnswer, auditTrail } from './audit.ts'
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
    description: 'Includes sandboxes. Only for the admin key of the service and operators.',
    query: casinosInput,
    answers: { 200: { description: 'The casinos.', schema: pageOf(casino.type) } },
    errors: [],
  },
  'PUT /admin/casinos/:casino_id': {
    operationId: 'putCasino',
    tag: 'Casinos',
    summary: 'Create or rename a casino',
    description:
      'The service’s own admin key creates casinos; a casino’s key can rename its own. With `expected_revision` it is renamed only if it has that revision.',
    body: casinoInput,
    answers: { 200: { description: 'The casino.', schema: success(casino.type) } },
    errors: ['revision_changed'],
  },
  'GET /admin/audit': {
    operationId: 'listServiceAudit',
    ...auditTrail,
    summary: 'Read the service’s audit trail',
    description:
      'Lists the entries that do not belong to a casino. Only for the admin key of the service and admins of all casinos.',
  },
  'GET /admin/audit/:entry_id': {
    operationId: 'getServiceAuditEntry',
    ...auditEntryAnswer,
    summary: 'Show an entry of the service’s audit trail',
    description:
      'With its neighbours in the chain. Only for the admin key of the service and admins of all casinos.',
  },
} as const satisfies Descriptions

export const casinoDescriptions = {
  'GET /audit': {
    operationId: 'listAudit',
    ...auditTrail,
    summary: 'Read the audit trail',
    description: 'Lists who did what in the casino. Each entry has its position and hash in the chain.',
  },
  'GET /audit/:entry_id': {
    operationId: 'getAuditEntry',
    ...auditEntryAnswer,
    summary: 'Show an entry of the audit trail',
    description: 'With its neighbours in the chain.',
  },
  'GET ': {
    operationId: 'getCasino',
    tag: 'Casinos',
    summary: 'Show a casino',
    description: 'Shows its name and, for a sandbox, its casino.',
    answers: { 200: { description: 'The casino.', schema: success(casino.type) } },
    errors: [],
  },
  'POST /api-keys': {
    operationId: 'createApiKey',
    tag: 'Casinos',
    summary: 'Create an API key',
    description:
      'Only this response contains the key itself. A key that is created with another key expires no later than that key, is limited to its addresses, and is revoked with it. A casino can have at most 100 valid keys, including those of its sandbox.',
    body: createInput,
    isBodyOptional: true,
    answers: { 201: { description: 'The key.', schema: success(newApiKey.type) } },
    errors: ['api_key_limit'],
  },
  'GET /api-keys': {
    operationId: 'listApiKeys',
    tag: 'Casinos',
    summary: 'List the API keys',
    description: 'Includes expired and revoked keys.',
    query: listInput,
    answers: { 200: { description: 'The keys, without their secrets.', schema: pageOf(apiKey.type) } },
    errors: [],
  },
  'DELETE /api-keys/:key_id': {
    operationId: 'revokeApiKey',
    tag: 'Casinos',
    summary: 'Revoke an API key',
    description:
      'The key stops working within seconds and cannot be restored. All keys that were created or rotated with it are revoked too.',
    answers: {
      200: {
        description: 'The revoked key.',
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
      'The new key has the same creator, name, mode and scopes. The old one stays valid for the overlap. If a key rotates itself, the new one expires no later than the old one.',
    body: rotateInput,
    isBodyOptional: true,
    answers: { 201: { description: 'The new key.', schema: success(newApiKey.type) } },
    errors: ['api_key_unknown', 'api_key_limit', 'api_key_wider', 'transition_illegal'],
  },
  'POST /fairness/rotate': {
    operationId: 'rotateSeed',
    tag: 'Fairness',
    summary: 'Continue with the next seed',
    description: 'The seed that was in use is revealed half a minute later.',
    answers: {
      200: { description: 'Whether this request has rotated the seed.', schema: success(seedRotation.type) },
    },
    errors: ['quota_exceeded'],
  },
  'GET /fairness/seeds/:seed_id': {
    operationId: 'getSeed',
    tag: 'Fairness',
    summary: 'Show a seed',
    description: 'Shows its commitment, and the seed itself once it is revealed.',
    answers: { 200: { description: 'The seed.', schema: success(seed.type) } },
    errors: ['seed_unknown'],
  },
  'GET /settings': {
    operationId: 'listSettings',
    tag: 'Casinos',
    summary: 'List the settings',
    description: 'Secrets are not shown. Settings that were never changed have their default values.',
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
      'Replaces the setting as a whole. Its secret stays unless a new one is given; the previous one is valid for the overlap. A paused setting is resumed. With `expected_revision` it is replaced only if it has that revision.',
    body: settingInputs,
    answers: {
      200: {
        description: 'The setting. It has the secret only if one was generated.',
        schema: success(savedSetting.type),
      },
    },
    errors: ['setting_unknown', 'revision_changed'],
    example: { kind: 'http', url: 'https://wallet.example.com/rewards', timeout_ms: 3000 },
  },
  'POST /settings/:name/test': {
    operationId: 'testSetting',
    tag: 'Casinos',
    summary: 'Test a setting',
    description: 'Calls the partner once: the one in the body, or without a body the one that is saved.',
    body: settingInputs,
    isBodyOptional: true,
    answers: {
      200: {
        description: 'The result of the call.',
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
    description: 'Work that waited for it continues.',
    body: resumeInput,
    isBodyOptional: true,
    answers: { 200: { description: 'The setting.', schema: success(setting.type) } },
    errors: ['setting_unknown', 'revision_changed'],
  },
} as const satisfies Descriptions
