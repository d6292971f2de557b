import Joi from 'joi'
import { choice, giving, requestOf, required, withDefault } from '../../core/shape/request-shape.ts'
import type { ParsedBy } from '../../core/shape/request-shape.ts'
import {
  changeOperator,
  createOperator,
  disableOperator,
  enableOperator,
  listOperators,
  resetSecondFactor,
} from '../../core/operator/operators.ts'
import { inviteOperator } from '../../core/operator/invitations.ts'
import { getOperator } from '../../core/operator/operator.ts'
import type { OperatorRecord } from '../../core/operator/operator.ts'
import { operatorRoles } from '../../core/operator/rights.ts'
import type { CasinoScope, OperatorRole } from '../../core/operator/rights.ts'
import { endSessionOf, endSessions, listSessions } from '../../core/operator/sessions.ts'
import { signInWaysOf } from '../../core/operator/sign-in-ways.ts'
import { normaliseUsername } from '../../core/operator/sign-in.ts'
import { RewardsError } from '../../core/errors.ts'
import { boundedList } from '../../core/platform/bounded-list.ts'
import type { ApiDeps } from '../deps.ts'
import type { AdminEndpoint } from '../endpoint.ts'
import { expectedRevision, pathId, reason } from '../inputs.ts'
import { callerId, parseInput, text } from '../parse-input.ts'
import { actorOf } from '../route-state.ts'
import { listInput, parseListQuery, renderList } from './list-query.ts'
import { endedSessions, invitedOperator, operator, session } from './operator-shapes.ts'
import { success } from './render.ts'

type Deps = Pick<ApiDeps, 'database' | 'clock' | 'config'>

/** More casinos than one person looks after. */
const casinosMax = 100

const definition = {
  name: required(text(100)).example('Jane Miller'),
  role: required(choice<OperatorRole>(operatorRoles))
    .description('The rights of the person.')
    .example('support'),
  casino_ids: required(
    giving<string[] | null>(
      boundedList(callerId, { max: casinosMax, refine: (list) => list.unique() }).allow(null),
    ),
  )
    .description('The casinos that the operator works for, each with its sandbox; null for all casinos.')
    .example(['acme']),
  second_factor_required: withDefault(Joi.boolean().strict(), false).description(
    'Whether the operator can do nothing before setting up a second factor.',
  ),
  reason,
}

/** In any case: capitals mean the same. */
const username = Joi.string()
  .pattern(/^[A-Za-z0-9][A-Za-z0-9._@+-]{0,99}$/)
  .messages({
    'string.pattern.base':
      '{{#label}} must be 1 to 100 letters from a to z, digits or ._@+- and begin with a letter or digit',
  })

export const createOperatorInput = requestOf({
  username: required(username)
    .description('How the person signs in, and whom the audit trail names; it never changes.')
    .example('jane@acme.example'),
  ...definition,
})

export const operatorInput = requestOf({ ...definition, expected_revision: expectedRevision })
export const reasonInput = requestOf({ reason })
export const switchOperatorInput = requestOf({ reason, expected_revision: expectedRevision })

/** `POST /admin/operators`: the answer is the only one that has the invitation. */
export function createCreateOperator({ database, clock, config }: Deps): AdminEndpoint {
  return async ({ body, caller }) => {
    const input = parseInput(createOperatorInput, body)
    refuseWithoutPasswords(config)
    const created = await createOperator({ database, hashSecret: config.hashSecret }, clock.now(), {
      username: normaliseUsername(input.username),
      ...definitionOf(input),
      createdBy: actorOf(caller),
    })
    return {
      status: 201,
      body: success(invitedOperator.render({ ...created.record, invitation: created.invitation })),
      auditNote: `made ${created.record.id}`,
    }
  }
}

/** `GET /admin/operators` */
export function createListOperators({ database }: Deps): AdminEndpoint {
  return async ({ query }) => {
    const { page } = parseListQuery(listInput, query)
    return { body: renderList(await listOperators(database, page), operator.render, page) }
  }
}

/** `GET /admin/operators/{operator_id}` */
export function createGetOperator({ database }: Deps): AdminEndpoint {
  return async (request) => reply(await getOperator(database, pathId(request, 'operator_id')))
}

/** `PUT /admin/operators/{operator_id}`: name, role, casinos and need of a second factor, all of them. */
export function createPutOperator({ database, clock }: Deps): AdminEndpoint {
  return async (request) => {
    const operatorId = pathId(request, 'operator_id')
    const input = parseInput(operatorInput, request.body)
    const wish = { operatorId, expectedRevision: input.expected_revision }
    return reply(await changeOperator(database, clock.now(), wish, definitionOf(input)))
  }
}

/** `POST /admin/operators/{operator_id}/disable` and `enable`; repeating either is not a mistake. */
export function createSwitchOperator({ database, clock }: Deps, to: 'disable' | 'enable'): AdminEndpoint {
  const change = to === 'disable' ? disableOperator : enableOperator
  return async (request) => {
    const { expected_revision: expected } = parseInput(switchOperatorInput, request.body)
    const seen = { operatorId: pathId(request, 'operator_id'), expectedRevision: expected }
    return reply(await change(database, clock.now(), seen))
  }
}

/**
 * `POST /admin/operators/{operator_id}/invite`: a new invitation, for an operator who has lost the password or the
 * first invitation.
 */
export function createInviteOperator({ database, clock, config }: Deps): AdminEndpoint {
  return async (request) => {
    const operatorId = pathId(request, 'operator_id')
    parseInput(reasonInput, request.body)
    refuseWithoutPasswords(config)
    const deps = { database, hashSecret: config.hashSecret }
    const { record, invitation } = await inviteOperator(deps, clock.now(), operatorId)
    return { status: 201, body: success(invitedOperator.render({ ...record, invitation })) }
  }
}

/** `POST /admin/operators/{operator_id}/reset-second-factor` */
export function createResetSecondFactor({ database, clock }: Deps): AdminEndpoint {
  return async (request) => {
    parseInput(reasonInput, request.body)
    return reply(await resetSecondFactor(database, clock.now(), pathId(request, 'operator_id')))
  }
}

/** `GET /admin/operators/{operator_id}/sessions`, also those that have ended. */
export function createListSessions({ database }: Deps): AdminEndpoint {
  return async (request) => {
    const { page } = parseListQuery(listInput, request.query)
    const { id } = await getOperator(database, pathId(request, 'operator_id'))
    return { body: renderList(await listSessions(database, id, page), session.render, page) }
  }
}

/** `DELETE /admin/operators/{operator_id}/sessions`, and `…/{session_id}` for one of them. */
export function createEndSessions({ database, clock }: Deps): AdminEndpoint {
  return async (request) => {
    const { id: operatorId } = await getOperator(database, pathId(request, 'operator_id'))
    const ended = await endSessions(database, clock.now(), { operatorId })
    return { body: success(endedSessions.render({ ended })) }
  }
}

/** Ending a session that has ended changes nothing. */
export function createEndSession({ database, clock }: Deps): AdminEndpoint {
  return async (request) => {
    const operatorId = pathId(request, 'operator_id')
    const sessionId = pathId(request, 'session_id')
    const ended = await endSessionOf(database, clock.now(), { operatorId, sessionId })
    return { body: success(endedSessions.render({ ended })) }
  }
}

/** An invitation leads to a password. */
function refuseWithoutPasswords(config: Deps['config']): void {
  if (!signInWaysOf(config).passwords) throw new RewardsError('passwords_off')
}

function reply(record: OperatorRecord): { body: object } {
  return { body: success(operator.render(record)) }
}

function definitionOf(input: ParsedBy<typeof operatorInput>): {
  name: string
  role: OperatorRole
  casinos: CasinoScope
  isSecondFactorRequired: boolean
} {
  return {
    name: input.name,
    role: input.role,
    casinos: input.casino_ids ?? 'all',
    isSecondFactorRequired: input.second_factor_required,
  }
}
