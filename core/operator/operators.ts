import { RewardsError } from '../errors.ts'
import { listQuery, toPage } from '../page.ts'
import type { ListRequest, Page } from '../page.ts'
import type { Database } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { newInvitation } from './invitations.ts'
import type { Invitation } from './invitations.ts'
import { comesBySingleSignOn, getOperator, scopeColumns, toOperator } from './operator.ts'
import type { OperatorRecord } from './operator.ts'
import { hashPassword } from './password.ts'
import type { CasinoScope, OperatorRole } from './rights.ts'
import { endSessions } from './sessions.ts'

interface Deps {
  database: Database
  hashSecret: string
}

/** The fields of an operator that an admin sets. */
export interface OperatorDefinition {
  name: string
  role: OperatorRole
  casinos: CasinoScope
  isSecondFactorRequired: boolean
}

/** The operator chooses a password with the invitation. Throws `operator_exists` or `casino_unknown`. */
export async function createOperator(
  { database, hashSecret }: Deps,
  now: Date,
  { username, createdBy, ...definition }: OperatorDefinition & { username: string; createdBy: string },
): Promise<{ record: OperatorRecord; invitation: Invitation }> {
  await refuseUnknownCasinos(database, definition.casinos)
  const id = newId('opr', now)
  const { invitation, columns } = newInvitation(hashSecret, now, id)
  const { casinos, ...described } = definition
  const [row] = await database.operator.createManyAndReturn({
    data: [
      {
        id,
        username,
        ...described,
        ...scopeColumns(casinos),
        ...columns,
        createdAt: now,
        createdBy,
        updatedAt: now,
      },
    ],
    skipDuplicates: true,
  })
  if (row === undefined) throw new RewardsError('operator_exists')
  return { record: toOperator(row), invitation }
}

/** Creates the first admin, with a password. Throws `operator_exists` if there is any operator, under any username. */
export async function createFirstOperator(
  database: Database,
  now: Date,
  { username, name, password }: { username: string; name: string; password: string },
): Promise<OperatorRecord> {
  const passwordHash = await hashPassword(password)
  if (await hasOperators(database)) throw new RewardsError('operator_exists')
  const [row] = await database.operator.createManyAndReturn({
    data: [
      {
        id: newId('opr', now),
        username,
        name,
        role: 'admin',
        hasAllCasinos: true,
        passwordHash,
        createdAt: now,
        createdBy: 'admin',
        updatedAt: now,
      },
    ],
    skipDuplicates: true,
  })
  if (row === undefined) throw new RewardsError('operator_exists')
  return toOperator(row)
}

/**
 * Changes apply from the operator's next request. Throws `operator_unknown`, `casino_unknown`, `revision_changed` if the
 * operator has another revision than the expected one, or `transition_illegal` for an operator whose role comes from single
 * sign-on: the next sign-on would undo the change.
 */
export async function changeOperator(
  database: Database,
  now: Date,
  { operatorId, expectedRevision }: { operatorId: string; expectedRevision: number | undefined },
  { casinos, ...described }: OperatorDefinition,
): Promise<OperatorRecord> {
  await refuseUnknownCasinos(database, casinos)
  const { identity } = await getOperator(database, operatorId)
  if (identity !== null) throw new RewardsError('transition_illegal', comesBySingleSignOn)
  const [row] = await database.operator.updateManyAndReturn({
    where: { id: operatorId, ...(expectedRevision === undefined ? {} : { revision: expectedRevision }) },
    data: { ...described, ...scopeColumns(casinos), revision: { increment: 1 }, updatedAt: now },
  })
  // Operators are never deleted, so it is there under another revision.
  if (row === undefined) throw new RewardsError('revision_changed')
  return toOperator(row)
}

/** An operator, as a caller has seen it; undefined for a change of any revision. */
export interface SeenOperator {
  operatorId: string
  expectedRevision?: number | undefined
}

/**
 * Ends the operator's sessions too; idempotent. Throws `operator_unknown`, or `revision_changed` if the operator has
 * another revision than the expected one.
 */
export async function disableOperator(
  database: Database,
  now: Date,
  seen: SeenOperator,
): Promise<OperatorRecord> {
  const { operatorId } = seen
  await refuseChanged(database, seen)
  const { count } = await database.operator.updateMany({
    where: { id: operatorId, disabledAt: null, ...revisionOf(seen) },
    data: {
      disabledAt: now,
      invitationHash: null,
      invitationExpiresAt: null,
      revision: { increment: 1 },
      updatedAt: now,
    },
  })
  // Changed since it was looked at: only what was seen is disabled.
  if (count === 0) await refuseChanged(database, seen)
  await endSessions(database, now, { operatorId })
  return getOperator(database, operatorId)
}

/**
 * The operator signs in again: sessions that began while it was being disabled end. Throws `operator_unknown`, or
 * `revision_changed` if the operator has another revision than the expected one.
 */
export async function enableOperator(
  database: Database,
  now: Date,
  seen: SeenOperator,
): Promise<OperatorRecord> {
  const { operatorId } = seen
  await refuseChanged(database, seen)
  const disabled = { id: operatorId, disabledAt: { not: null } }
  if ((await database.operator.count({ where: disabled })) > 0)
    await endSessions(database, now, { operatorId })
  const { count } = await database.operator.updateMany({
    where: { ...disabled, ...revisionOf(seen) },
    data: { disabledAt: null, revision: { increment: 1 }, updatedAt: now },
  })
  if (count === 0) await refuseChanged(database, seen)
  return getOperator(database, operatorId)
}

function revisionOf({ expectedRevision }: SeenOperator): { revision?: number } {
  return expectedRevision === undefined ? {} : { revision: expectedRevision }
}

async function refuseChanged(
  database: Database,
  { operatorId, expectedRevision }: SeenOperator,
): Promise<void> {
  if (expectedRevision === undefined) return
  const { revision } = await getOperator(database, operatorId)
  if (revision !== expectedRevision) throw new RewardsError('revision_changed')
}

/**
 * Removes the second factor and ends the operator's sessions; the operator must set up another. Throws
 * `operator_unknown`.
 */
export async function resetSecondFactor(
  database: Database,
  now: Date,
  operatorId: string,
): Promise<OperatorRecord> {
  await endSessions(database, now, { operatorId })
  const [row] = await database.operator.updateManyAndReturn({
    where: { id: operatorId },
    data: {
      sealedSecret: null,
      sealedKey: null,
      sealedKeyId: null,
      secondFactorConfirmedAt: null,
      lastCodeStep: null,
      updatedAt: now,
    },
  })
  if (row === undefined) throw new RewardsError('operator_unknown')
  return toOperator(row)
}

/** Ends the operator's other sessions. */
export async function changePassword(
  database: Database,
  now: Date,
  { operatorId, password, sessionId }: { operatorId: string; password: string; sessionId: string },
): Promise<void> {
  const passwordHash = await hashPassword(password)
  await database.operator.updateMany({
    where: { id: operatorId },
    data: { passwordHash, updatedAt: now },
  })
  await endSessions(database, now, { operatorId, exceptId: sessionId })
}

/** Including disabled ones. */
export async function listOperators(database: Database, page: ListRequest): Promise<Page<OperatorRecord>> {
  const rows = await database.operator.findMany(listQuery(page, 'opr'))
  return toPage(rows.map(toOperator), page)
}

export async function hasOperators(database: Database): Promise<boolean> {
  return (await database.operator.findFirst({ select: { id: true } })) !== null
}

async function refuseUnknownCasinos(database: Database, casinos: CasinoScope): Promise<void> {
  if (casinos === 'all') return
  const known = await database.casino.count({ where: { id: { in: [...casinos] }, sandboxOf: null } })
  if (known < casinos.length) throw new RewardsError('casino_unknown')
}
