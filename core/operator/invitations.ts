import { createHmac } from 'node:crypto'
import { RewardsError } from '../errors.ts'
import type { Database } from '../platform/database.ts'
import { randomBytes } from '../platform/random.ts'
import { comesBySingleSignOn, getOperator, toOperator } from './operator.ts'
import type { OperatorRecord } from './operator.ts'
import { hashPassword } from './password.ts'
import { endSessions } from './sessions.ts'

interface Deps {
  database: Database
  hashSecret: string
}

/** An invitation to choose a password. Its text exists only in this response. */
export interface Invitation {
  text: string
  expiresAt: Date
}

const invitationLifetimeMs = 3 * 86_400_000
const invitationBytes = 32

/**
 * Replaces an earlier invitation. The password stays valid until the invitation is accepted. Throws `operator_unknown`,
 * or `transition_illegal` if the operator is disabled, or signs in at the identity provider.
 */
export async function inviteOperator(
  { database, hashSecret }: Deps,
  now: Date,
  operatorId: string,
): Promise<{ record: OperatorRecord; invitation: Invitation }> {
  const { invitation, columns } = newInvitation(hashSecret, now, operatorId)
  const { count } = await database.operator.updateMany({
    where: { id: operatorId, disabledAt: null, subject: null },
    data: { ...columns, updatedAt: now },
  })
  const record = await getOperator(database, operatorId)
  if (record.identity !== null) throw new RewardsError('transition_illegal', comesBySingleSignOn)
  if (count === 0) throw new RewardsError('transition_illegal', 'The operator is disabled: enable it first')
  return { record, invitation }
}

/**
 * Sets the password that the invited operator has chosen, and ends the sessions of the previous one. An invitation can
 * be used once. Throws `invitation_invalid`.
 */
export async function acceptInvitation(
  { database, hashSecret }: Deps,
  now: Date,
  { invitation, password }: { invitation: string; password: string },
): Promise<OperatorRecord> {
  const [, operatorId] = /^(opr_[0-9a-f]{32})\.[A-Za-z0-9_-]{43}$/.exec(invitation) ?? []
  if (operatorId === undefined) throw new RewardsError('invitation_invalid')
  const where = {
    id: operatorId,
    disabledAt: null,
    invitationHash: hashInvitation(hashSecret, invitation),
    invitationExpiresAt: { gt: now },
  }
  // Hashing costs time and memory, so the invitation is checked first.
  if ((await database.operator.count({ where })) === 0) throw new RewardsError('invitation_invalid')
  const passwordHash = await hashPassword(password)
  const [row] = await database.operator.updateManyAndReturn({
    where,
    data: { passwordHash, invitationHash: null, invitationExpiresAt: null, updatedAt: now },
  })
  if (row === undefined) throw new RewardsError('invitation_invalid')
  await endSessions(database, now, { operatorId })
  return toOperator(row)
}

/** An invitation, and its stored form. */
export function newInvitation(hashSecret: string, now: Date, operatorId: string) {
  const text = `${operatorId}.${randomBytes(invitationBytes).toString('base64url')}`
  const expiresAt = new Date(now.getTime() + invitationLifetimeMs)
  return {
    invitation: { text, expiresAt },
    columns: { invitationHash: hashInvitation(hashSecret, text), invitationExpiresAt: expiresAt },
  }
}

/** Invitations are random, so a fast keyed hash is enough. */
function hashInvitation(hashSecret: string, text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(createHmac('sha256', `${hashSecret}/invitation`).update(text).digest())
}
