import Joi from 'joi'
import { outboundUrlLengthMax, parseKeptUrl } from '../../core/partner/outbound-url.ts'
import { isSigningSecret } from '../../core/partner/signature.ts'
import { isSettingName, settingKeys } from '../../core/casino/setting-values.ts'
import type { SettingName, StoredValue } from '../../core/casino/setting-values.ts'
import { RewardsError } from '../../core/errors.ts'
import type { EndpointRequest } from '../endpoint.ts'
import { parseInput } from '../parse-input.ts'
import type { ReadBody } from '../parse-input.ts'
import { expectedRevisionOrNone, inputError, pathId, wholeNumber } from '../inputs.ts'

/** Whether private addresses may be named, as `OUTBOUND_ALLOW_PRIVATE` says. */
interface UrlRules {
  allowPrivateAddresses: boolean
}

/** A URL that the service will call. The address behind its name is checked with each call. */
export function outboundUrl(rules: UrlRules): Joi.StringSchema {
  return Joi.string()
    .custom((value: string, helpers) => {
      const parsed = parseKeptUrl(value, rules)
      return 'url' in parsed ? value : helpers.error('string.uri', { problem: parsed.problem })
    })
    .messages({ 'string.uri': '{{#label}} {{#problem}}' })
    .meta({ jsonSchema: { type: 'string', format: 'uri', maxLength: outboundUrlLengthMax } })
}

/** A secret of Standard Webhooks. The error for a wrong one neither gives details nor repeats it. */
export const signingSecret = Joi.string()
  .empty(Joi.valid('', null))
  .custom((value: string, helpers) => (isSigningSecret(value) ? value : helpers.error('any.invalid')))
  .messages({ 'any.invalid': '{{#label}} must be whsec_ and the base64 of 24 to 64 bytes' })
  .meta({
    jsonSchema: {
      type: 'string',
      pattern:
        '^whsec_([A-Za-z0-9+/]{4}){8,20}(([A-Za-z0-9+/]{4})?[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})?$',
    },
  })

export interface SettingInput {
  value: StoredValue
  secret: string | undefined
  isSecretNew: boolean
  /** Undefined if the body does not mention it. */
  overlapMs: number | undefined
  /** Undefined for a change of any revision. */
  expectedRevision: number | undefined
}

/** The setting that the path names. Throws `setting_unknown`. */
export function settingNameOf(request: Pick<EndpointRequest<unknown>, 'params'>): SettingName {
  const name = pathId(request, 'name')
  if (!isSettingName(name)) throw new RewardsError('setting_unknown')
  return name
}

/** The requested setting. Throws an InputError that names every invalid parameter. */
export function parseSetting(rules: UrlRules, name: SettingName, body: ReadBody): SettingInput {
  const { secret, new_secret, overlap_seconds, expected_revision, ...value } = parseInput(
    settingInput(rules, name),
    body,
  )
  if (secret !== undefined && new_secret === true) {
    throw inputError('new_secret', 'invalid', 'new_secret must not be true when there is a secret')
  }
  const overlapMs = overlap_seconds === undefined ? undefined : overlap_seconds * 1000
  return { value, secret, isSecretNew: new_secret === true, overlapMs, expectedRevision: expected_revision }
}

/** As for the secrets of webhooks. */
const overlapSecondsMax = 30 * 86_400

/** The input of `PUT …/settings/{name}`. */
export function settingInput(
  rules: UrlRules,
  name: SettingName,
): Joi.ObjectSchema<StoredValue & SecretInput> {
  return Joi.object({
    ...settingKeys(name, outboundUrl(rules)),
    secret: signingSecret,
    new_secret: Joi.boolean().strict().empty(null).description('Makes a new secret.').example(false),
    overlap_seconds: wholeNumber(0, overlapSecondsMax)
      .empty(null)
      .description('For how long the old one lives on.')
      .example(86400),
    expected_revision: expectedRevisionOrNone,
  })
}

interface SecretInput {
  secret?: string
  new_secret?: boolean
  overlap_seconds?: number
  expected_revision?: number
}
