import Joi from 'joi'
import { boundedList } from './bounded-list.ts'

/** The roles that an identity provider can give; core/operator/rights.ts has their rights. */
const roles = ['viewer', 'support', 'finance', 'admin'] as const

/** The role and casinos of people whose claim has this value. */
export interface RoleOfValue {
  value: string
  role: (typeof roles)[number]
  casinos: 'all' | readonly string[]
}

/** How operators sign in at an identity provider (OpenID Connect). */
export interface SingleSignOnConfig {
  issuer: string
  clientId: string
  clientSecret: string
  /** Where the provider sends browsers back to. */
  redirectUri: string
  scope: string
  roleClaim: string
  /** In the order of preference. */
  roles: readonly RoleOfValue[]
  /** Operators cannot sign in with passwords. */
  isOnlyWay: boolean
}

/** Below the console's address. Registered at providers, so it never changes. */
export const callbackPath = '/ops/login/oidc/callback'

/** The parsed values of the variables. */
export interface ParsedSingleSignOn {
  OIDC_ISSUER: string | undefined
  OIDC_CLIENT_ID: string | undefined
  OIDC_CLIENT_SECRET: string | undefined
  OIDC_REDIRECT_BASE: string | undefined
  OIDC_ROLE_CLAIM: string | undefined
  OIDC_ROLES: string | undefined
  OIDC_SCOPE: string
  OIDC_ONLY: boolean
}

const address = Joi.string()
  .max(1_000)
  .custom((value: string, helpers) => (isSafeAddress(value) ? value : helpers.error('address.form')))
  .messages({
    'address.form':
      '{{#label}} must be an https:// address without user name, query and fragment (http:// only for this machine)',
  })

/** Variables without a default are given together or not at all (`findSingleSignOnProblems`). */
export const singleSignOnVariables = {
  OIDC_ISSUER: address,
  OIDC_CLIENT_ID: Joi.string().max(500),
  OIDC_CLIENT_SECRET: Joi.string().max(1_000),
  OIDC_REDIRECT_BASE: address,
  OIDC_ROLE_CLAIM: Joi.string().max(200),
  OIDC_ROLES: Joi.string()
    .custom((value: string, helpers) =>
      parseRoles(value) === undefined ? helpers.error('roles.form') : value,
    )
    .messages({
      'roles.form':
        '{{#label}} must be a JSON list of objects with value, role (viewer, support, finance or admin) and casino_ids (a list, or null for all casinos)',
    }),
  OIDC_SCOPE: Joi.string()
    .pattern(/^openid( [!#-[\]-~]+)*$/)
    .max(500)
    .default('openid profile email'),
  OIDC_ONLY: Joi.boolean().default(false),
} as const

const required = [
  'OIDC_ISSUER',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_REDIRECT_BASE',
  'OIDC_ROLE_CLAIM',
  'OIDC_ROLES',
] as const

/** All or none; and the address must be one that leads to the pages. Takes the variables that are valid otherwise. */
export function findSingleSignOnProblems(
  values: { OIDC_REDIRECT_BASE?: string | undefined; BASE_PATH?: string },
  given: ReadonlySet<string>,
): { name: string; message: string }[] {
  const named = Object.keys(singleSignOnVariables).filter((name) => given.has(name))
  if (named.length === 0) return []
  const missing = required.filter((name) => !given.has(name))
  const problems = missing.map((name) => ({
    name,
    message: `${name} is required with ${named.join(', ')}`,
  }))
  const { OIDC_REDIRECT_BASE: base, BASE_PATH: basePath } = values
  if (base !== undefined && basePath !== undefined && pathOf(base) !== basePath) {
    const message =
      'OIDC_REDIRECT_BASE must end where /ops begins: with the path BASE_PATH, and with no other'
    problems.push({ name: 'OIDC_REDIRECT_BASE', message })
  }
  return problems
}

/** Undefined where no identity provider is configured. */
export function toSingleSignOnConfig(parsed: ParsedSingleSignOn): SingleSignOnConfig | undefined {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_REDIRECT_BASE, OIDC_ROLE_CLAIM } = parsed
  const mapping = parseRoles(parsed.OIDC_ROLES ?? '')
  if (
    !OIDC_ISSUER ||
    !OIDC_CLIENT_ID ||
    !OIDC_CLIENT_SECRET ||
    !OIDC_REDIRECT_BASE ||
    !OIDC_ROLE_CLAIM ||
    !mapping
  )
    return undefined
  return {
    // With and without a slash after the host it is the same.
    issuer: new URL(OIDC_ISSUER).href,
    clientId: OIDC_CLIENT_ID,
    clientSecret: OIDC_CLIENT_SECRET,
    redirectUri: OIDC_REDIRECT_BASE.replace(/\/$/, '') + callbackPath,
    scope: parsed.OIDC_SCOPE,
    roleClaim: OIDC_ROLE_CLAIM,
    roles: mapping,
    isOnlyWay: parsed.OIDC_ONLY,
  }
}

/** Secrets travel to it: without TLS they stay on this machine. */
export function isSafeAddress(text: string): boolean {
  if (!URL.canParse(text) || /[\s\\]/.test(text)) return false
  const { protocol, hostname, username, password, search, hash } = new URL(text)
  if (username !== '' || password !== '' || search !== '' || hash !== '' || /[?#]$/.test(text)) return false
  return protocol === 'https:' || (protocol === 'http:' && loopbackHosts.has(hostname))
}

const loopbackHosts: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

function pathOf(base: string): string {
  return new URL(base).pathname.replace(/\/$/, '')
}

interface RoleInput {
  value: string
  role: RoleOfValue['role']
  casino_ids: string[] | null
}

const valuesMax = 200
const casinosMax = 100

/** A sandbox comes with its casino. */
const casinoIds = boundedList(
  Joi.string()
    .max(128)
    .pattern(/:test$/, { invert: true }),
  { max: casinosMax, refine: (list) => list.unique() },
)
const rolesInput = boundedList(
  Joi.object<RoleInput>({
    value: Joi.string().max(500).required(),
    role: Joi.string()
      .valid(...roles)
      .required(),
    casino_ids: casinoIds.allow(null).required(),
  }),
  { max: valuesMax },
)

function parseRoles(text: string): RoleOfValue[] | undefined {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!Array.isArray(parsed)) return undefined
  const result = rolesInput.validate(parsed, { convert: false })
  if (result.error !== undefined) return undefined
  return result.value.map((entry) => ({
    value: entry.value,
    role: entry.role,
    casinos: entry.casino_ids ?? 'all',
  }))
}
