import { putSetting, resumeSetting } from '../../core/casino/change-settings.ts'
import type { SettingWish } from '../../core/casino/change-settings.ts'
import { probeSetting } from '../../core/casino/probe-setting.ts'
import { readStoredSettings } from '../../core/casino/read-settings.ts'
import { loadSettingsOf } from '../../core/casino/settings.ts'
import type { StoredSetting } from '../../core/casino/settings.ts'
import {
  adminOnlySettings,
  parseStoredValue,
  partnerOf,
  settingNames,
  unsetValue,
} from '../../core/casino/setting-values.ts'
import type { SettingName, SettingValues } from '../../core/casino/setting-values.ts'
import { RewardsError } from '../../core/errors.ts'
import type { ApiDeps } from '../deps.ts'
import type { Operator } from '../endpoint.ts'
import type { CasinoEndpoint, CasinoRequest } from './casino-endpoint.ts'
import { expectedRevision, inputError } from '../inputs.ts'
import { parseInput } from '../parse-input.ts'
import { requestOf } from '../../core/shape/request-shape.ts'
import { boolean, count, nullable, objectOf, oneOf, string, time } from '../../core/shape/json-schema.ts'
import { field, optionalField, shapeOf } from '../../core/shape/shape.ts'
import { success } from './render.ts'
import { parseSetting, settingNameOf } from './setting-input.ts'
import type { SettingInput } from './setting-input.ts'

type Deps = Pick<ApiDeps, 'database' | 'clock' | 'cipher' | 'config' | 'log' | 'sendRequest' | 'runProbe'>

interface Shown {
  name: SettingName
  /** Undefined if the casino has not set it. */
  stored: StoredSetting | undefined
}

/** The secret itself is never shown. */
export const setting = shapeOf<Shown>()('Setting', {
  name: field(oneOf(settingNames), ({ name }) => name, { description: 'The setting.', example: 'wallet' }),
  value: field(objectOf(true), ({ name, stored }) => ({ ...(stored?.value ?? unsetValue(name)) }), {
    description: 'The chosen values.',
    example: { kind: 'http', url: 'https://wallet.example.com/rewards', timeout_ms: 3000 },
  }),
  secret_set: field(boolean, ({ stored }) => stored !== undefined && stored.sealedSecret !== null, {
    description: 'Whether there is a secret.',
    example: true,
  }),
  previous_secret_expires_at: field(nullable(time), ({ stored }) => stored?.previousExpiresAt ?? null, {
    description: 'The time until which the previous secret stays valid, if there is one.',
    example: null,
  }),
  paused_at: field(nullable(time), ({ stored }) => stored?.pausedAt ?? null, {
    description: 'Since when it is paused.',
    example: null,
  }),
  paused_reason: field(nullable(string), ({ stored }) => stored?.pausedReason ?? null, {
    description: 'Why it is paused.',
    example: null,
  }),
  revision: field(count, ({ stored }) => stored?.revision ?? 0, {
    description: 'Increases with every change and pause; 0 if the setting was never changed.',
    example: 3,
  }),
  updated_at: field(nullable(time), ({ stored }) => stored?.updatedAt ?? null),
})

export const savedSetting = shapeOf<Shown & { newSecret: string | undefined }>()('SavedSetting', {
  ...setting.fields,
  secret: optionalField(string, ({ newSecret }) => newSecret),
})

export const settingTest = shapeOf<{ ok: boolean; detail: string }>()('SettingTest', {
  ok: field(boolean, ({ ok }) => ok, { description: 'Whether the partner took the call.', example: true }),
  detail: field(string, ({ detail }) => detail, {
    description: 'The result, as a sentence.',
    example: 'The partner answered 200',
  }),
})

/** `GET …/settings`: all settings, also those that the casino has not set. */
export function createListSettings({ database }: Deps): CasinoEndpoint {
  return async ({ casinoId }) => {
    const stored = await readStoredSettings(database, casinoId)
    return { body: success(settingNames.map((name) => setting.render({ name, stored: stored.get(name) }))) }
  }
}

/** `GET …/settings/{name}` */
export function createGetSetting({ database }: Deps): CasinoEndpoint {
  return async (request) => {
    const name = settingNameOf(request)
    return { body: success(await readAndRender(database, request.casinoId, name)) }
  }
}

/**
 * `PUT …/settings/{name}`: replaces the setting as a whole, except its secret, which stays unless the body changes it.
 */
export function createPutSetting(deps: Deps): CasinoEndpoint {
  return async (request) => {
    const { casinoId, actor, requestId } = request
    const name = settingNameOf(request)
    if (adminOnlySettings.has(name)) refuseUnlessOfService(request.caller)
    const input = parseSetting(deps.config, name, request.body)
    const secret = wantedSecret(name, input)
    const { value, overlapMs, expectedRevision } = input
    const wish = { casinoId, name, value, secret, overlapMs, expectedRevision, actor, requestId }
    const { setting: stored, newSecret } = await putSetting(deps, wish)
    return { body: success(savedSetting.render({ name, stored, newSecret })) }
  }
}

/** Only the admin key and operators of all casinos may change settings that protect the service. */
function refuseUnlessOfService(caller: Operator): void {
  if (caller.kind === 'casino') throw new RewardsError('api_key_scope_missing')
  if (caller.kind === 'person' && caller.record.casinos !== 'all') throw new RewardsError('right_missing')
}

export const resumeInput = requestOf({ expected_revision: expectedRevision })

/** `POST …/settings/{name}/resume`: ends a pause, after the partner's problem was solved. */
export function createResumeSetting(deps: Deps): CasinoEndpoint {
  return async (request) => {
    const { casinoId, actor, requestId } = request
    const name = settingNameOf(request)
    const { expected_revision: expected } = parseInput(resumeInput, request.body)
    await resumeSetting(deps, { casinoId, name, actor, requestId, expectedRevision: expected })
    return { body: success(await readAndRender(deps.database, casinoId, name)) }
  }
}

/** `POST …/settings/{name}/test`: calls the partner of the setting in the body, or without one of the saved setting. */
export function createTestSetting(deps: Deps): CasinoEndpoint {
  return async (request) => {
    const name = settingNameOf(request)
    const { casinoId } = request
    const tested = await findTested(deps, request, name)
    const probe = () => probeSetting(deps, casinoId, name, tested)
    const { problem, ...result } = await deps.runProbe(casinoId, () => request.aside(probe))
    if (problem !== undefined) deps.log.info({ casinoId, setting: name, problem }, 'a probe was not answered')
    return { body: success(settingTest.render(result)) }
  }
}

interface Tested {
  value: SettingValues[SettingName]
  secrets: readonly string[]
}

async function findTested(deps: Deps, { casinoId, body }: CasinoRequest, name: SettingName): Promise<Tested> {
  const findSaved = async (): Promise<Tested> => (await loadSettingsOf(deps, casinoId)).get(name)
  const isDraft = body.kind === 'unreadable' || (body.kind === 'object' && Object.keys(body.value).length > 0)
  if (!isDraft) return findSaved()
  const { value: stored, secret } = parseSetting(deps.config, name, body)
  const value = parseStoredValue(name, stored)
  if (value === undefined) throw new Error('a valid setting cannot be read')
  if (partnerOf(value) === undefined || secret !== undefined)
    return { value, secrets: secret === undefined ? [] : [secret] }
  const { secrets } = await findSaved()
  if (secrets.length === 0) throw inputError('secret', 'required', 'secret is required: none is saved yet')
  return { value, secrets }
}

function wantedSecret(
  name: SettingName,
  { value, secret, isSecretNew }: Pick<SettingInput, 'value' | 'secret' | 'isSecretNew'>,
): SettingWish['secret'] {
  const parsed = parseStoredValue(name, value)
  if (parsed === undefined || partnerOf(parsed) === undefined) return 'none'
  if (secret !== undefined) return { given: secret }
  return isSecretNew ? 'new' : 'keep'
}

async function readAndRender(
  database: Deps['database'],
  casinoId: string,
  name: SettingName,
): Promise<object> {
  return setting.render({ name, stored: (await readStoredSettings(database, casinoId)).get(name) })
}
