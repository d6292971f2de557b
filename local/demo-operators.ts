import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { Ask } from './demo-life.ts'
import { findFileText, writePrivateFile } from './private-file.ts'

/** How a person signs in to the console of the demo. */
export interface SignIn {
  username: string
  /** The file that has the password. */
  passwordFile: string
}

const first = { username: 'maria', name: 'Maria Weber' }
const colleague = { username: 'jonas', name: 'Jonas Berg' }
const casino = '/admin/casinos/demo'

/** Sends a form of the console, at a path below /ops. */
type SendForm = (path: string, fields: Record<string, string>) => Promise<Response>

/**
 * Makes the first operator, as /ops/setup does for a person, so that somebody can sign in. The password is in a file,
 * which is written first: a start that is interrupted in between is repeated with it. Makes nobody where there are
 * operators already, or where they sign in elsewhere. The password of an interrupted start is removed if a person has
 * made the first operator since: nobody can sign in with it.
 */
export async function makeFirstOperator(
  sendForm: SendForm,
  { adminKey, passwordFile }: { adminKey: string; passwordFile: string },
): Promise<void> {
  const known = (await findFileText(passwordFile))?.trim()
  const password = known ?? newPassword()
  if (known === undefined) await writePrivateFile(passwordFile, `${password}\n`)
  const response = await sendForm('/setup', { key: adminKey, ...first, password })
  if (response.status === 303) return
  const code = response.headers.get('X-Error-Code') ?? ''
  if (code !== 'operator_exists' && code !== 'passwords_off') throw refused('/setup', response)
  const isOfNobody = known === undefined || (code === 'operator_exists' && !(await isRight(sendForm, known)))
  if (isOfNobody) await rm(passwordFile)
}

/** Signs in with the password. It counts as right unless the service says otherwise: a second factor may be asked for. */
async function isRight(sendForm: SendForm, password: string): Promise<boolean> {
  const { headers } = await sendForm('/login', { username: first.username, password })
  return headers.get('X-Error-Code') !== 'sign_in_refused'
}

/** How the first operator signs in; undefined if `makeFirstOperator` has made none. */
export async function findSignIn(passwordFile: string): Promise<SignIn | undefined> {
  const password = await findFileText(passwordFile)
  return password === undefined ? undefined : { username: first.username, passwordFile }
}

/**
 * A colleague of the first operator proposes a bulk action that is worth more than one person may decide about: it waits
 * for a second person. `asPerson` asks with the cookie of a session. A colleague who is there has proposed it already.
 */
export async function addProposal(
  manage: Ask,
  sendForm: SendForm,
  asPerson: (cookie: string) => Ask,
): Promise<void> {
  const operators = await manage('GET', '/admin/operators?limit=200')
  if (Object.values(operators).some((operator) => usernameOf(operator) === colleague.username)) return
  await manage('PUT', `${casino}/settings/approvals`, { limits: [{ amount_minor: 10_000, currency: 'EUR' }] })
  const { invitation } = await manage('POST', '/admin/operators', {
    ...colleague,
    role: 'finance',
    casino_ids: null,
  })
  const password = newPassword()
  await mustRedirect('/invitation', sendForm, { invitation: String(invitation), password })
  const { headers } = await mustRedirect('/login', sendForm, { username: colleague.username, password })
  const propose = asPerson(
    headers
      .getSetCookie()
      .map((cookie) => cookie.split(';', 1)[0])
      .join('; '),
  )
  const { act_id } = await propose('POST', `${casino}/acts`, {
    action: 'player.give-prize',
    params: { item_id: 'headphones' },
    object_ids: ['player-2', 'player-3', 'player-4'],
  })
  await propose('POST', `${casino}/acts/${String(act_id)}/start`, { reason: 'Our most loyal players' })
}

async function mustRedirect(
  path: string,
  sendForm: SendForm,
  fields: Record<string, string>,
): Promise<Response> {
  const response = await sendForm(path, fields)
  if (response.status !== 303) throw refused(path, response)
  return response
}

function refused(path: string, { status, headers }: Response): Error {
  const code = headers.get('X-Error-Code') ?? ''
  return new Error(`the demo casino could not be made: POST /ops${path} was answered ${status} ${code}`)
}

const newPassword = () => randomBytes(18).toString('base64url')

function usernameOf(operator: unknown): unknown {
  return typeof operator === 'object' && operator !== null ? Reflect.get(operator, 'username') : undefined
}
