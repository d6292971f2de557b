import { createHash } from 'node:crypto'
import { RewardsError } from '../errors.ts'
import type { Database } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import type { SingleSignOnConfig } from '../platform/single-sign-on.ts'
import { roleOfClaim } from './role-of-claim.ts'
import type { Identity } from './identity.ts'
import { scopeColumns, toOperator } from './operator.ts'
import type { OperatorRecord } from './operator.ts'
import type { CasinoScope, OperatorRole } from './rights.ts'
import { endSessions } from './sessions.ts'
import { usernamePattern } from './sign-in.ts'

/** The operator, and the changes that the sign-on made to it, for the audit trail. */
export interface Admitted {
  operator: OperatorRecord
  note: string | undefined
}

/**
 * Finds the operator by issuer and subject, or makes one, with the role and casinos that the claim gives. It never
 * takes over an operator with a password, also under the same username. Throws `single_sign_on_refused` for a person
 * whose claim gives no role, whose sessions end then, and for a disabled operator.
 */
export async function admitIdentity(
  database: Database,
  now: Date,
  { roles }: Pick<SingleSignOnConfig, 'roles'>,
  identity: Identity,
): Promise<Admitted> {
  const known = await findByIdentity(database, identity)
  const given = roleOfClaim(roles, identity.roleValues)
  if (given === undefined) {
    if (known !== undefined) await endSessions(database, now, { operatorId: known.id })
    throw new RewardsError('single_sign_on_refused', noRole)
  }
  if (known === undefined) return makeOperator(database, now, identity, given)
  return refreshOperator(database, now, { known, identity, given })
}

/** For the trail, when a person was refused. */
export async function findByIdentity(
  database: Database,
  { issuer, subject }: Pick<Identity, 'issuer' | 'subject'>,
): Promise<OperatorRecord | undefined> {
  const row = await database.operator.findUnique({ where: { issuer_subject: { issuer, subject } } })
  return row === null ? undefined : toOperator(row)
}

const noRole = 'Your account has no role here. Ask who manages accounts to give you one.'
const disabled = 'This operator is disabled. Ask an admin to enable it.'

interface Given {
  role: OperatorRole
  casinos: CasinoScope
}

async function refreshOperator(
  database: Database,
  now: Date,
  { known, identity, given }: { known: OperatorRecord; identity: Identity; given: Given },
): Promise<Admitted> {
  const name = identity.name ?? known.name
  const [row] = await database.operator.updateManyAndReturn({
    where: { id: known.id, disabledAt: null },
    data: { name, role: given.role, ...scopeColumns(given.casinos), updatedAt: now },
  })
  if (row === undefined) throw new RewardsError('single_sign_on_refused', disabled)
  const [before, after] = [describe(known), describe(given)]
  return { operator: toOperator(row), note: before === after ? undefined : `was ${before}, is ${after}` }
}

async function makeOperator(
  database: Database,
  now: Date,
  identity: Identity,
  given: Given,
): Promise<Admitted> {
  const { issuer, subject } = identity
  for (const username of usernamesFor(identity)) {
    const [row] = await database.operator.createManyAndReturn({
      data: [
        {
          id: newId('opr', now),
          username,
          name: identity.name ?? username,
          role: given.role,
          ...scopeColumns(given.casinos),
          issuer,
          subject,
          createdAt: now,
          createdBy: 'single-sign-on',
          updatedAt: now,
        },
      ],
      skipDuplicates: true,
    })
    if (row !== undefined) return { operator: toOperator(row), note: `made ${row.id}: ${describe(given)}` }
    // Another request of the same person was faster.
    const known = await findByIdentity(database, identity)
    if (known !== undefined) return refreshOperator(database, now, { known, identity, given })
  }
  throw new RewardsError('operator_exists')
}

/**
 * Usernames to try. One belongs to one person permanently, so a taken one gets a mark; the last comes from the subject,
 * which no other person has.
 */
function usernamesFor({ usernames, issuer, subject }: Identity): string[] {
  const [wished] = usernames.map(toUsername).filter((username) => usernamePattern.test(username))
  const digest = createHash('sha256').update(`${issuer}\n${subject}`).digest('hex').slice(0, 16)
  const own = `sso-${digest}`
  return wished === undefined ? [own] : [wished, `${wished}+sso`, own]
}

/** Shorter than the longest, to leave room for the mark. */
const wishedLengthMax = 90

function toUsername(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^a-z0-9._@+-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, wishedLengthMax)
}

const namedCasinosMax = 5

function describe({ role, casinos }: Given): string {
  if (casinos === 'all') return `${role} of all casinos`
  const named = casinos.slice(0, namedCasinosMax).join(', ')
  return `${role} of ${named}${casinos.length > namedCasinosMax ? ` and ${casinos.length - namedCasinosMax} more` : ''}`
}
