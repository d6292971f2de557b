import Joi from 'joi'
import { RewardsError } from '../../core/errors.ts'
import { isPassword, passwordLength } from '../../core/operator/password.ts'
import { comesBySingleSignOn, getOperator } from '../../core/operator/operator.ts'
import { changePassword } from '../../core/operator/operators.ts'
import { beginSecondFactor, confirmSecondFactor } from '../../core/operator/second-factor.ts'
import { requestOf, required } from '../../core/shape/request-shape.ts'
import { endSessionOf, endSessions, listSessions } from '../../core/operator/sessions.ts'
import type { ApiDeps } from '../deps.ts'
import type { AdminEndpoint, Operator, Person } from '../endpoint.ts'
import { inputError, pathId } from '../inputs.ts'
import { parseInput } from '../parse-input.ts'
import { listParameters, parseListQuery, renderList } from './list-query.ts'
import { endedSessions, newSecondFactor, operator, ownListedSession, ownSession } from './operator-shapes.ts'
import { success } from './render.ts'

type Deps = Pick<ApiDeps, 'database' | 'clock' | 'cipher' | 'signInGuard'>

const password = Joi.string().max(passwordLength.max)

export const passwordInput = requestOf({
  password: required(password).description('The present one.').example('correct horse battery'),
  new_password: required(password.min(passwordLength.min))
    .description('The one from now on.')
    .example('staple correct horse'),
})

export const codeInput = requestOf({
  code: required(Joi.string())
    .pattern(/^\d{6}$/)
    .messages({ 'string.pattern.base': '{{#label}} must be the six digits from your authenticator app' })
    .example('123456'),
})

/** `GET /admin/session`: the signed-in operator and the operator's rights. */
export function createGetOwnSession(): AdminEndpoint {
  return (request) => {
    const { sessionId, record } = personOf(request.caller)
    return Promise.resolve({ body: success(ownSession.render({ sessionId, operator: record })) })
  }
}

/** `PUT /admin/session/password` ends the person's other sessions. */
export function createPutPassword({ database, clock, signInGuard }: Deps): AdminEndpoint {
  return async ({ caller, body, address }) => {
    const { record, sessionId, username } = personOf(caller)
    const input = parseInput(passwordInput, body)
    if (record.identity !== null) throw new RewardsError('transition_illegal', comesBySingleSignOn)
    await signInGuard.run({ username, address }, async () => {
      const { passwordHash } = await database.operator.findUniqueOrThrow({
        where: { id: record.id },
        select: { passwordHash: true },
      })
      if (!(await isPassword(input.password, passwordHash))) throw new RewardsError('sign_in_refused')
      const wish = { operatorId: record.id, password: input.new_password, sessionId }
      await changePassword(database, clock.now(), wish)
    })
    return { body: success(operator.render(await getOperator(database, record.id))) }
  }
}

/** `PUT /admin/session/second-factor`: a new secret, which counts once a code of it is confirmed. */
export function createBeginSecondFactor({ database, cipher, clock }: Deps): AdminEndpoint {
  return async ({ caller }) => {
    const { record } = personOf(caller)
    const begun = await beginSecondFactor({ database, cipher }, clock.now(), record)
    return {
      body: success(newSecondFactor.render(begun)),
      headers: { 'Cache-Control': 'no-store' },
    }
  }
}

/** `PUT /admin/session/second-factor/confirmation` ends the person's other sessions. */
export function createConfirmSecondFactor({ database, cipher, clock }: Deps): AdminEndpoint {
  return async ({ caller, body }) => {
    const { record, sessionId } = personOf(caller)
    const { code } = parseInput(codeInput, body)
    const isConfirmed = await confirmSecondFactor({ database, cipher }, clock.now(), record.id, code)
    if (!isConfirmed)
      throw inputError('code', 'invalid', 'code is not the current one from your authenticator app')
    // They began without a code.
    await endSessions(database, clock.now(), { operatorId: record.id, exceptId: sessionId })
    return { body: success(operator.render(await getOperator(database, record.id))) }
  }
}

export const ownSessionsInput = requestOf(listParameters('desc'))

/** `GET /admin/session/sessions`, also those that have ended. */
export function createListOwnSessions({ database }: Deps): AdminEndpoint {
  return async ({ caller, query }) => {
    const { record, sessionId } = personOf(caller)
    const { page } = parseListQuery(ownSessionsInput, query, 'desc')
    const sessions = await listSessions(database, record.id, page)
    const render = (session: (typeof sessions.rows)[number]) =>
      ownListedSession.render({ ...session, isCurrent: session.id === sessionId })
    return { body: renderList(sessions, render, page) }
  }
}

/** `DELETE /admin/session/sessions`: all but the session of the request. */
export function createEndOtherSessions({ database, clock }: Deps): AdminEndpoint {
  return async ({ caller }) => {
    const { record, sessionId } = personOf(caller)
    const ended = await endSessions(database, clock.now(), { operatorId: record.id, exceptId: sessionId })
    return { body: success(endedSessions.render({ ended })) }
  }
}

/** `DELETE /admin/session/sessions/{session_id}`: one of the person's own, also that of the request. */
export function createEndOwnSession({ database, clock }: Deps): AdminEndpoint {
  return async (request) => {
    const { record } = personOf(request.caller)
    const wish = { operatorId: record.id, sessionId: pathId(request, 'session_id') }
    return {
      body: success(endedSessions.render({ ended: await endSessionOf(database, clock.now(), wish) })),
    }
  }
}

/** Routes of the right `own` are not for keys (`authenticateOperator`). */
function personOf(caller: Operator): Person {
  if (caller.kind !== 'person') throw new RewardsError('session_required')
  return caller
}
