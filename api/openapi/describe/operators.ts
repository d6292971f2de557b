import { listInput } from '../../admin/list-query.ts'
import {
  endedSessions,
  invitedOperator,
  newSecondFactor,
  operator,
  ownListedSession,
  ownSession,
  session,
} from '../../admin/operator-shapes.ts'
import {
  createOperatorInput,
  operatorInput,
  reasonInput,
  switchOperatorInput,
} from '../../admin/operators.ts'
import { codeInput, ownSessionsInput, passwordInput } from '../../admin/session.ts'
import type { Description, Descriptions } from '../description.ts'
import { pageOf, success } from './bodies.ts'

const ofOperators = { tag: 'Operators' } as const satisfies Partial<Description>
const ofOwnSession = { ...ofOperators, isForSessions: true } as const
const changed = {
  200: { description: 'The operator.', schema: success(operator.type) },
} as const
const invited = {
  201: { description: 'The operator, with the invitation.', schema: success(invitedOperator.type) },
} as const
const ended = {
  200: { description: 'The number of sessions that were ended.', schema: success(endedSessions.type) },
} as const

export const operatorDescriptions = {
  'GET /admin/session': {
    operationId: 'getOwnSession',
    ...ofOwnSession,
    summary: 'Show who is signed in',
    description: 'Shows the person and their rights. Needs the cookie of a session; keys cannot call it.',
    answers: { 200: { description: 'The session.', schema: success(ownSession.type) } },
    errors: ['session_required'],
  },
  'PUT /admin/session/password': {
    operationId: 'putOwnPassword',
    ...ofOwnSession,
    summary: 'Change one’s own password',
    description: 'This ends the person’s other sessions.',
    body: passwordInput,
    answers: changed,
    errors: ['session_required', 'sign_in_refused', 'login_limited', 'transition_illegal'],
  },
  'PUT /admin/session/second-factor': {
    operationId: 'beginSecondFactor',
    ...ofOwnSession,
    summary: 'Set up a second factor',
    description:
      'Returns a secret for an authenticator app (TOTP: SHA-1, six digits, 30 seconds). It is used after a code has been confirmed.',
    answers: {
      200: {
        description: 'The secret.',
        schema: success(newSecondFactor.type),
        headers: ['Cache-Control'],
      },
    },
    errors: ['session_required', 'transition_illegal'],
  },
  'PUT /admin/session/second-factor/confirmation': {
    operationId: 'confirmSecondFactor',
    ...ofOwnSession,
    summary: 'Confirm the second factor',
    description:
      'Takes a code of the app. From then on the person needs one to sign in. This ends the person’s other sessions.',
    body: codeInput,
    answers: changed,
    errors: ['session_required'],
  },
  'GET /admin/session/sessions': {
    operationId: 'listOwnSessions',
    ...ofOwnSession,
    summary: 'List one’s own sessions',
    description: 'Shows where the person is signed in, the newest first. Includes sessions that have ended.',
    query: ownSessionsInput,
    answers: { 200: { description: 'The sessions.', schema: pageOf(ownListedSession.type) } },
    errors: ['session_required'],
  },
  'DELETE /admin/session/sessions': {
    operationId: 'endOtherSessions',
    ...ofOwnSession,
    summary: 'Sign out everywhere else',
    description: 'The person’s other sessions end immediately. That of the request stays.',
    answers: ended,
    errors: ['session_required'],
  },
  'DELETE /admin/session/sessions/:session_id': {
    operationId: 'endOwnSession',
    ...ofOwnSession,
    summary: 'End one of one’s own sessions',
    description: 'It ends immediately. Has no effect on a session that has ended.',
    answers: ended,
    errors: ['session_required', 'session_unknown'],
  },
  'GET /admin/operators': {
    operationId: 'listOperators',
    ...ofOperators,
    summary: 'List the operators',
    description: 'Includes disabled operators.',
    query: listInput,
    answers: { 200: { description: 'The operators.', schema: pageOf(operator.type) } },
    errors: [],
  },
  'POST /admin/operators': {
    operationId: 'createOperator',
    ...ofOperators,
    summary: 'Invite an operator',
    description:
      'Only this response contains the invitation, with which the person chooses a password within three days. A username is never given to a second person.',
    body: createOperatorInput,
    answers: invited,
    errors: ['operator_exists', 'casino_unknown', 'passwords_off'],
  },
  'GET /admin/operators/:operator_id': {
    operationId: 'getOperator',
    ...ofOperators,
    summary: 'Show an operator',
    description: 'Secrets are not shown.',
    answers: { 200: { description: 'The operator.', schema: success(operator.type) } },
    errors: ['operator_unknown'],
  },
  'PUT /admin/operators/:operator_id': {
    operationId: 'putOperator',
    ...ofOperators,
    summary: 'Change an operator',
    description:
      'Replaces name, role, casinos and whether a second factor is required. The change takes effect immediately. With `expected_revision` only if the operator has that revision.',
    body: operatorInput,
    answers: changed,
    errors: ['operator_unknown', 'casino_unknown', 'revision_changed', 'transition_illegal'],
  },
  'POST /admin/operators/:operator_id/disable': {
    operationId: 'disableOperator',
    ...ofOperators,
    summary: 'Disable an operator',
    description: 'All sessions end immediately.',
    body: switchOperatorInput,
    isBodyOptional: true,
    answers: changed,
    errors: ['operator_unknown', 'revision_changed'],
  },
  'POST /admin/operators/:operator_id/enable': {
    operationId: 'enableOperator',
    ...ofOperators,
    summary: 'Enable an operator',
    description: 'The password is the same as before.',
    body: switchOperatorInput,
    isBodyOptional: true,
    answers: changed,
    errors: ['operator_unknown', 'revision_changed'],
  },
  'POST /admin/operators/:operator_id/invite': {
    operationId: 'inviteOperator',
    ...ofOperators,
    summary: 'Invite an operator again',
    description: 'For a lost password or invitation. Earlier invitations are void.',
    body: reasonInput,
    isBodyOptional: true,
    answers: invited,
    errors: ['operator_unknown', 'transition_illegal', 'passwords_off'],
  },
  'POST /admin/operators/:operator_id/reset-second-factor': {
    operationId: 'resetSecondFactor',
    ...ofOperators,
    summary: 'Reset the second factor',
    description: 'For a lost telephone. All sessions end.',
    body: reasonInput,
    isBodyOptional: true,
    answers: changed,
    errors: ['operator_unknown'],
  },
  'GET /admin/operators/:operator_id/sessions': {
    operationId: 'listOperatorSessions',
    ...ofOperators,
    summary: 'List an operator’s sessions',
    description: 'Includes sessions that have ended.',
    query: listInput,
    answers: { 200: { description: 'The sessions.', schema: pageOf(session.type) } },
    errors: ['operator_unknown'],
  },
  'DELETE /admin/operators/:operator_id/sessions': {
    operationId: 'endOperatorSessions',
    ...ofOperators,
    summary: 'End an operator’s sessions',
    description: 'They end immediately, everywhere.',
    answers: ended,
    errors: ['operator_unknown'],
  },
  'DELETE /admin/operators/:operator_id/sessions/:session_id': {
    operationId: 'endOperatorSession',
    ...ofOperators,
    summary: 'End one session',
    description: 'Has no effect on a session that has ended.',
    answers: ended,
    errors: ['operator_unknown', 'session_unknown'],
  },
} as const satisfies Descriptions
