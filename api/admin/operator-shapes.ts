import type { Invitation } from '../../core/operator/invitations.ts'
import type { OperatorRecord } from '../../core/operator/operator.ts'
import { operatorRoles, rightsOf } from '../../core/operator/rights.ts'
import type { NewSecondFactor } from '../../core/operator/second-factor.ts'
import type { SessionRecord, SignedIn } from '../../core/operator/sessions.ts'
import {
  boolean,
  count,
  id,
  list,
  matching,
  nullable,
  oneOf,
  string,
  time,
} from '../../core/shape/json-schema.ts'
import { field, shapeOf } from '../../core/shape/shape.ts'

const operatorFields = {
  operator_id: field(
    matching(/^opr_[0-9a-f]{32}$/, 'opr_01b977d7aa0076a1b2c3d4e5f6071811'),
    (operator: OperatorRecord) => operator.id,
  ),
  username: field(string, (operator: OperatorRecord) => operator.username, {
    description: 'The name with which the person signs in, and which the audit trail shows.',
    example: 'jane@acme.example',
  }),
  name: field(string, (operator: OperatorRecord) => operator.name, { example: 'Jane Miller' }),
  role: field(oneOf<string>(operatorRoles), (operator: OperatorRecord) => operator.role, {
    description: 'The person’s role.',
    example: 'support',
  }),
  casino_ids: field(
    nullable(list(id)),
    (operator: OperatorRecord) => (operator.casinos === 'all' ? null : operator.casinos),
    { description: 'The casinos that the operator works for; null for all.', example: ['acme'] },
  ),
  state: field(
    oneOf<string>(['invited', 'active', 'disabled']),
    (operator: OperatorRecord) => operator.state,
    { description: '`invited` until the person has chosen a password.', example: 'active' },
  ),
  issuer: field(nullable(string), (operator: OperatorRecord) => operator.identity?.issuer ?? null, {
    description: 'The identity provider at which the person signs in; null for a person with a password.',
    example: null,
  }),
  subject: field(nullable(string), (operator: OperatorRecord) => operator.identity?.subject ?? null, {
    description: 'The person’s id there.',
    example: null,
  }),
  second_factor_required: field(boolean, (operator: OperatorRecord) => operator.isSecondFactorRequired, {
    description: 'Whether the operator can do nothing before setting up a second factor.',
  }),
  second_factor_set: field(boolean, (operator: OperatorRecord) => operator.hasSecondFactor, {
    description: 'Whether the operator signs in with a code.',
  }),
  revision: field(count, (operator: OperatorRecord) => operator.revision, {
    description:
      'Increases whenever an admin changes the name, role, casinos or need of a second factor, or disables or enables the operator.',
  }),
  created_at: field(time, (operator: OperatorRecord) => operator.createdAt),
  created_by: field(string, (operator: OperatorRecord) => operator.createdBy, {
    description:
      'The actor that created the operator: `admin` for the admin key, or `operator:` and a username.',
    example: 'admin',
  }),
  updated_at: field(time, (operator: OperatorRecord) => operator.updatedAt),
}

export const operator = shapeOf<OperatorRecord>()('Operator', operatorFields)

/** The only answer that has the invitation itself. */
export const invitedOperator = shapeOf<OperatorRecord & { invitation: Invitation }>()('InvitedOperator', {
  ...operatorFields,
  invitation: field(string, ({ invitation }) => invitation.text, {
    description:
      'The code that the person enters at `/ops/invitation` to choose a password; shown only once.',
    example: 'opr_01b977d7aa0076a1b2c3d4e5f6071811.AnExampleThatLetsNobodyInAAAAAAAAAAAAAAAAAAA',
  }),
  invitation_expires_at: field(time, ({ invitation }) => invitation.expiresAt, {
    description: 'The time until which the invitation is valid.',
  }),
})

export const session = shapeOf<SessionRecord>()('OperatorSession', {
  session_id: field(
    matching(/^ses_[0-9a-f]{32}$/, 'ses_01b977d7aa0076a1b2c3d4e5f6071812'),
    (session) => session.id,
  ),
  created_at: field(time, (session) => session.createdAt),
  last_seen_at: field(time, (session) => session.seenAt, {
    description: 'When the session was last used, a minute late at most.',
  }),
  expires_at: field(time, (session) => session.expiresAt, { example: '2030-01-31T20:00:00.000Z' }),
  ended_at: field(nullable(time), (session) => session.endedAt, {
    description: 'When somebody ended the session; null when nobody has.',
    example: null,
  }),
  address: field(string, (session) => session.address, {
    description: 'The address that the person signed in from.',
    example: '203.0.113.7',
  }),
  user_agent: field(string, (session) => session.userAgent, {
    description: 'The browser, as it names itself.',
    example: 'Mozilla/5.0',
  }),
})

/** One of the caller's own sessions. */
export const ownListedSession = shapeOf<SessionRecord & { isCurrent: boolean }>()('OwnListedSession', {
  ...session.fields,
  is_current: field(boolean, ({ isCurrent }) => isCurrent, {
    description: 'Whether it is the session of this request.',
    example: true,
  }),
})

export const endedSessions = shapeOf<{ ended: number }>()('EndedSessions', {
  ended: field(count, ({ ended }) => ended, {
    description: 'The number of sessions that were ended.',
    example: 1,
  }),
})

/** The session, the person it belongs to, and the person's rights. */
export const ownSession = shapeOf<SignedIn>()('OwnSession', {
  session_id: field(
    matching(/^ses_[0-9a-f]{32}$/, 'ses_01b977d7aa0076a1b2c3d4e5f6071812'),
    ({ sessionId }) => sessionId,
  ),
  operator: field(operator.type, (signedIn) => operator.render(signedIn.operator), {
    description: 'The operator who is signed in.',
  }),
  rights: field(list(string), (signedIn) => rightsOf(signedIn.operator.role), {
    description: 'The rights of the role: `view`, `support`, `finance`, `admin`.',
    example: ['view', 'support'],
  }),
})

/** For an authenticator app. */
export const newSecondFactor = shapeOf<NewSecondFactor>()('NewSecondFactor', {
  secret: field(string, ({ secret }) => secret, {
    description: 'To be typed into an authenticator app; shown this once.',
    example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  }),
  uri: field(string, ({ uri }) => uri, {
    description: 'The same as an address, for a QR code.',
    example: 'otpauth://totp/Casino%20rewards:jane?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  }),
})
