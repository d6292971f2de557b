/** The identity of a person, as an identity provider states it. */
export interface Identity {
  issuer: string
  /** The provider's own name of the person, which never changes and is never reused. */
  subject: string
  name: string | undefined
  /** In the order of preference; none of them proves the person's identity. */
  usernames: readonly string[]
  /** The values of the claim that decides the person's role. */
  roleValues: readonly string[]
}

const subjectLengthMax = 255
const nameLengthMax = 100

/** Reads an ID token's claims; undefined for a subject that cannot be one. `roleClaim` is the claim's name. */
export function readIdentity(
  claims: Readonly<Record<string, unknown>>,
  issuer: string,
  roleClaim: string,
): Identity | undefined {
  const { sub } = claims
  if (typeof sub !== 'string' || sub === '' || sub.length > subjectLengthMax || unstorable.test(sub))
    return undefined
  const email = claims['email_verified'] === true ? textOf(claims['email']) : undefined
  const usernames = [textOf(claims['preferred_username']), email].filter((text) => text !== undefined)
  return {
    issuer,
    subject: sub,
    name: textOf(claims['name'])?.slice(0, nameLengthMax),
    usernames,
    roleValues: [Object.hasOwn(claims, roleClaim) ? claims[roleClaim] : []]
      .flat()
      .filter((value): value is string => typeof value === 'string'),
  }
}

/** Control characters, and halves of characters that no UTF-8 exists for. */
const unstorable = /[\p{Cc}\p{Cs}]/u

function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = value.replaceAll(/[\p{Cc}\p{Cs}]/gu, ' ').trim()
  return text === '' ? undefined : text
}
