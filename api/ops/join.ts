import type { Context } from 'koa'
import { isSameSecret } from '../../core/casino/api-key.ts'
import { RewardsError } from '../../core/errors.ts'
import { acceptInvitation } from '../../core/operator/invitations.ts'
import { createFirstOperator, hasOperators } from '../../core/operator/operators.ts'
import { passwordLength } from '../../core/operator/password.ts'
import { signInWaysOf } from '../../core/operator/sign-in-ways.ts'
import { normaliseUsername, usernamePattern } from '../../core/operator/sign-in.ts'
import { outcomeOf } from '../audited.ts'
import type { ApiDeps } from '../deps.ts'
import { clientAddress } from '../middleware/client-address.ts'
import { createRecordOps } from './audit.ts'
import { readForm, renderForm } from './form.ts'
import type { FormField, FormProblem } from './form.ts'
import { renderPage, replyWithErrorPage } from './page.ts'
import { refuseCrossSite, redirect, retryAfter } from './sign-in.ts'

type Deps = Pick<
  ApiDeps,
  'config' | 'clock' | 'nowMs' | 'log' | 'database' | 'adminAttempts' | 'signInGuard' | 'recordAudit'
>

interface FormPage {
  show: (ctx: Context) => Promise<void> | void
  enter: (ctx: Context) => Promise<void>
}

const newPassword: FormField = {
  name: 'password',
  label: 'New password',
  type: 'password',
  autocomplete: 'new-password',
  hint: `At least ${passwordLength.min} characters; some words are easier to remember than signs.`,
  minlength: passwordLength.min,
  maxlength: passwordLength.max,
}

/** `/ops/invitation`: an invited person chooses a password. */
export function createInvitationPage(deps: Deps, opsPath: string): FormPage {
  const { database, clock, config } = deps
  const recordOps = createRecordOps(deps)
  const action = 'POST /ops/invitation'
  const render = (invitation: string, problem?: FormProblem) =>
    renderPage(
      opsPath,
      'Choose a password',
      renderForm({
        action: `${opsPath}/invitation`,
        button: 'Set password',
        fields: [
          {
            name: 'invitation',
            label: 'Invitation',
            autocomplete: 'off',
            value: invitation,
            hint: 'The text that you were sent; it begins with opr_.',
            maxlength: 100,
          },
          newPassword,
        ],
        problem,
      }),
    )
  return {
    show: (ctx) => {
      refuseWithoutPasswords(config)
      ctx.type = 'html'
      ctx.body = render('')
    },
    enter: async (ctx) => {
      refuseCrossSite(ctx)
      refuseWithoutPasswords(config)
      const form = await readForm(ctx, ['invitation', 'password'])
      const invitation = form.invitation.trim()
      const refuse = (problem: FormProblem, error: unknown, code = codeOf(error)) => {
        replyWithErrorPage(ctx, code, render(invitation.slice(0, 100), problem), retryAfter(error))
      }
      const problem = passwordProblem(form.password)
      if (problem !== undefined) {
        refuse(problem, undefined, 'parameters_invalid')
        return
      }
      try {
        const who = { username: invitation.slice(0, 36), address: clientAddress(ctx) }
        const operator = await deps.signInGuard.run(who, () =>
          acceptInvitation({ database, hashSecret: config.hashSecret }, clock.now(), {
            invitation,
            password: form.password,
          }),
        )
        await recordOps(ctx, { actor: `operator:${operator.username}`, action }, '303')
        redirect(ctx, `${opsPath}/login`)
      } catch (error) {
        const told = messages[codeOf(error)]
        if (told === undefined) throw error
        if (codeOf(error) === 'invitation_invalid')
          await recordOps(ctx, { actor: 'ops', action }, outcomeOf(error))
        refuse(told, error)
      }
    },
  }
}

/** `/ops/setup`: the holder of the admin key makes the first operator, who invites the others. */
export function createSetupPage(deps: Deps, opsPath: string): FormPage {
  const { database, clock, config, adminAttempts } = deps
  const recordOps = createRecordOps(deps)
  const action = 'POST /ops/setup'
  const render = (typed: { username: string; name: string }, problem?: FormProblem) =>
    renderPage(
      opsPath,
      'Make the first operator',
      renderForm({
        action: `${opsPath}/setup`,
        button: 'Make the operator',
        fields: [
          { name: 'key', label: 'Admin key', type: 'password', autocomplete: 'off', maxlength: 256 },
          { name: 'name', label: 'Your name', autocomplete: 'name', value: typed.name, maxlength: 100 },
          {
            name: 'username',
            label: 'Username',
            autocomplete: 'username',
            value: typed.username,
            hint: 'Letters from a to z, digits and ._@+-, such as your email address.',
            maxlength: 100,
          },
          newPassword,
        ],
        problem,
      }),
    )
  return {
    show: async (ctx) => {
      refuseWithoutPasswords(config)
      ctx.type = 'html'
      ctx.body = (await hasOperators(database)) ? renderDone(opsPath) : render({ username: '', name: '' })
    },
    enter: async (ctx) => {
      refuseCrossSite(ctx)
      refuseWithoutPasswords(config)
      const form = await readForm(ctx, ['key', 'name', 'username', 'password'])
      const typed = { username: form.username.slice(0, 100), name: form.name.slice(0, 100) }
      const refuse = (
        code: Parameters<typeof replyWithErrorPage>[1],
        problem: FormProblem,
        waitSeconds = 0,
      ) => {
        const headers: Record<string, string> =
          waitSeconds === 0 ? {} : { 'Retry-After': String(waitSeconds) }
        replyWithErrorPage(ctx, code, render(typed, problem), headers)
      }
      const address = clientAddress(ctx)
      const isKey = isSameSecret(form.key, config.adminApiKey, config.hashSecret)
      const waitSeconds = adminAttempts.waitSeconds(address)
      if (waitSeconds > 0) {
        refuse('login_limited', { message: 'Too many failed attempts. Try again in a minute.' }, waitSeconds)
        return
      }
      if (!isKey) {
        adminAttempts.recordFailure(address)
        deps.log.warn({ requestId: String(ctx.state['requestId']) }, 'setup refused: wrong admin key')
        await recordOps(ctx, { actor: 'ops', action }, '401 api_key_invalid')
        refuse('api_key_invalid', { field: 'key', message: 'This is not the admin key.' })
        return
      }
      const username = normaliseUsername(form.username)
      const name = form.name.trim()
      const problem =
        (name === '' ? { field: 'name', message: 'Enter your name.' } : undefined) ??
        (usernamePattern.test(username)
          ? undefined
          : { field: 'username', message: 'Use letters from a to z, digits and ._@+- only.' }) ??
        passwordProblem(form.password)
      if (problem !== undefined) {
        refuse('parameters_invalid', problem)
        return
      }
      if (await hasOperators(database)) {
        replyWithErrorPage(ctx, 'operator_exists', renderDone(opsPath))
        return
      }
      await recordOps(ctx, { actor: 'admin', action }, 'requested')
      const who = { username, name, password: form.password }
      const { id } = await deps.signInGuard.run({ username, address }, () =>
        createFirstOperator(database, clock.now(), who),
      )
      await recordOps(ctx, { actor: 'admin', action }, `303 made ${id}`)
      redirect(ctx, `${opsPath}/login`)
    },
  }
}

/** Both pages are for choosing a password. */
function refuseWithoutPasswords(config: Deps['config']): void {
  if (!signInWaysOf(config).passwords) throw new RewardsError('passwords_off')
}

function renderDone(opsPath: string): string {
  return renderPage(
    opsPath,
    'There are operators already',
    `<p>An admin among them can invite you. Scripts make operators with the admin key: <code>POST /admin/operators</code>.</p>
<p><a href="${opsPath}/login">Sign in</a></p>`,
  )
}

function passwordProblem(password: string): FormProblem | undefined {
  const { length } = password
  if (length < passwordLength.min)
    return { field: 'password', message: `Use at least ${passwordLength.min} characters.` }
  if (length > passwordLength.max)
    return { field: 'password', message: `Use at most ${passwordLength.max} characters.` }
  return undefined
}

type Code = RewardsError['code']

function codeOf(error: unknown): Code {
  return error instanceof RewardsError ? error.code : 'internal'
}

const messages: Partial<Record<Code, FormProblem>> = {
  invitation_invalid: {
    field: 'invitation',
    message: 'This invitation is wrong, was used or has expired. Ask for another one.',
  },
  login_limited: { message: 'Too many failed attempts. Try again in a minute.' },
}
