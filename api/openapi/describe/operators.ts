import { listInput } from '../../admin/list-query.ts'
import {
  endedSessions,
  invitedOperator,
  newSecondFactor,
  operator,
  ownSession,
  session,
} from '../../admin/operator-shapes.ts'
import { createOperatorInput, operatorInput, reasonInput } from '../../admin/operators.ts'
import { codeInput, passwordInput } from '../../admin/session.ts'
import type { Description, Descriptions } from '../description.ts'
import { pageOf, success } from './bodies.ts'

const ofOperators = { tag: 'Operators' } as const satisfies Partial<Description>
const ofOwnSession = { ...ofOperators, isForSessions: true } as const
const changed = {
  200: { description: 'The operator as it is now.', schema: success(operator.type) },
} as const
const invited = {
  201: { description: 'The operator, with the invitation.', schema: success(invitedOperator.type) },
} as const
const ended = {
  200: { description: 'How many sessions it has ended.', schema: success(endedSessions.type) },
} as const

export const operatorDescriptions = {
  'GET /admin/session': {
    operationId: 'getOwnSession',
    ...ofOwnSession,
    summary: 'Show who is signed in',
    description: 'With what the person may do. For the cookie of a session, not for keys.',
    answers: { 200: { description: 'The session.', schema: success(ownSession.type) } },
    errors: ['session_required'],
  },
  'PUT /admin/session/password': {
    operationId: 'putOwnPassword',
    ...ofOwnSession,
    summary: 'Change one’s own password',
    description: 'It ends the person’s other sessions.',
    body: passwordInput,
    answers: changed,
    errors: ['session_required', 'sign_in_refused', 'login_limited', 'transition_illegal'],
  },
  'PUT /admin/session/second-factor': {
    operationId: 'beginSecondFactor',
    ...ofOwnSession,
    summary: 'Begin with a second factor',
    description:
      'A secret for an authenticator app (TOTP: SHA-1, six digits, 30 seconds). It counts once a code of it was confirmed.',
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
      'With a code of the app. From then on the person signs in with one. It ends the person’s other sessions.',
    body: codeInput,
    answers: changed,
    errors: ['session_required'],
  },
  'GET /admin/operators': {
    operationId: 'listOperators',
    ...ofOperators,
    summary: 'List the operators',
    description: 'Also those that are disabled.',
    query: listInput,
    answers: { 200: { description: 'The operators.', schema: pageOf(operator.type) } },
    errors: [],
  },
  'POST /admin/operators': {
    operationId: 'createOperator',
    ...ofOperators,
    summary: 'Invite an operator',
    description:
      'The answer is the only one that has the invitation, with which the person chooses a password within three days. A username belongs to one person for ever.',
    body: createOperatorInput,
    answers: invited,
    errors: ['operator_exists', 'casino_unknown', 'passwords_off'],
  },
  'GET /admin/operators/:operator_id': {
    operationId: 'getOperator',
    ...ofOperators,
    summary: 'Show an operator',
    description: 'Without secrets.',
    answers: { 200: { description: 'The operator.', schema: success(operator.type) } },
    errors: ['operator_unknown'],
  },
  'PUT /admin/operators/:operator_id': {
    operationId: 'putOperator',
    ...ofOperators,
    summary: 'Change an operator',
    description: 'Name, role, casinos and whether a second factor is needed, all of them. It counts at once.',
    body: operatorInput,
    answers: changed,
    errors: ['operator_unknown', 'casino_unknown', 'transition_illegal'],
  },
  'POST /admin/operators/:operator_id/disable': {
    operationId: 'disableOperator',
    ...ofOperators,
    summary: 'Disable an operator',
    description: 'All sessions end at once.',
    body: reasonInput,
    isBodyOptional: true,
    answers: changed,
    errors: ['operator_unknown'],
  },
  'POST /admin/operators/:operator_id/enable': {
    operationId: 'enableOperator',
    ...ofOperators,
    summary: 'Enable an operator',
    description: 'The password is the one from before.',
    body: reasonInput,
    isBodyOptional: true,
    answers: changed,
    errors: ['operator_unknown'],
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
    description: 'Also those that have ended.',
    query: listInput,
    answers: { 200: { description: 'The sessions.', schema: pageOf(session.type) } },
    errors: ['operator_unknown'],
  },
  'DELETE /admin/operators/:operator_id/sessions': {
    operationId: 'endOperatorSessions',
    ...ofOperators,
    summary: 'End an operator’s sessions',
    description: 'At once, everywhere.',
    answers: ended,
    errors: ['operator_unknown'],
  },
  'DELETE /admin/operators/:operator_id/sessions/:session_id': {
    operationId: 'endOperatorSession',
    ...ofOperators,
    summary: 'End one session',
    description: 'Ending one that has ended changes nothing.',
    answers: ended,
    errors: ['operator_unknown', 'session_unknown'],
  },
} as const satisfies Descriptions
