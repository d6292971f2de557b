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

/** Sends a form of the console, at a path below /ops; with a cookie, as the person who is signed in. */
export type SendForm = (path: string, fields: Record<string, string>, cookie?: string) => Promise<Response>

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

/** Tries the password. It counts as right unless the service says otherwise: a second factor may be asked for. */
async function isRight(sendForm: SendForm, password: string): Promise<boolean> {
  const { headers } = await signedIn(sendForm, { ...first, password }, () => Promise.resolve())
  return headers.get('X-Error-Code') !== 'sign_in_refused'
}

/** Signs in, acts with the cookie of the session, and signs out. Does nothing if the service refuses the sign-in. */
async function signedIn(
  sendForm: SendForm,
  { username, password }: { username: string; password: string },
  act: (cookie: string) => Promise<void>,
): Promise<Response> {
  const response = await sendForm('/login', { username, password })
  if (response.status !== 303) return response
  const cookie = response.headers
    .getSetCookie()
    .map((each) => each.split(';', 1)[0])
    .join('; ')
  try {
    await act(cookie)
  } finally {
    await sendForm('/logout', {}, cookie)
  }
  return response
}

/** How the first operator signs in; undefined if `makeFirstOperator` has made none. */
export async function findSignIn(passwordFile: string): Promise<SignIn | undefined> {
  const password = await findFileText(passwordFile)
  return password === undefined ? undefined : { username: first.username, passwordFile }
}

interface Colleague {
  manage: Ask
  sendForm: SendForm
  /** Asks with the cookie of a session. */
  asPerson: (cookie: string) => Ask
  passwordFile: string
}

/**
 * A colleague of the first operator proposes a bulk action that is worth more than one person may decide about: it waits
 * for a second person. A colleague who is there has proposed it already.
 */
export async function addProposal({ manage, sendForm, asPerson, passwordFile }: Colleague): Promise<void> {
  const operators = await manage('GET', '/admin/operators?limit=200')
  if (Object.values(operators).some((operator) => textIn(operator, 'username') === colleague.username)) return
  await manage('PUT', `${casino}/settings/approvals`, { limits: [{ amount_minor: 10_000, currency: 'EUR' }] })
  const { invitation } = await manage('POST', '/admin/operators', {
    ...colleague,
    role: 'finance',
    casino_ids: null,
  })
  const password = newPassword()
  await writePrivateFile(passwordFile, `${password}\n`)
  await mustRedirect('/invitation', sendForm, { invitation: String(invitation), password })
  const signIn = await signedIn(sendForm, { ...colleague, password }, (cookie) => propose(asPerson(cookie)))
  if (signIn.status !== 303) throw refused('/login', signIn)
}

/**
 * Proposes it again if nobody has decided in time, so that there is always something to approve until a person has done
 * so. Leaves it if a person has changed how the colleague signs in or what needs approval.
 */
export async function renewProposal({ manage, sendForm, asPerson, passwordFile }: Colleague): Promise<void> {
  const password = (await findFileText(passwordFile))?.trim()
  if (password === undefined) return
  const acts = Object.values(await manage('GET', `${casino}/acts?limit=200`))
  const newest = acts.find((act) => textIn(act, 'made_by') === `operator:${colleague.username}`)
  const hasExpired = new Date(String(textIn(newest, 'expires_at'))).getTime() <= Date.now()
  // One that waits is marked as expired by a worker, which may have just started.
  const wasDecided = !['pending_approval', 'expired'].includes(String(textIn(newest, 'state')))
  if (!hasExpired || wasDecided) return
  const signIn = await signedIn(sendForm, { ...colleague, password }, (cookie) => propose(asPerson(cookie)))
  // A person has changed it: further attempts would lock the colleague out.
  if (signIn.headers.get('X-Error-Code') === 'sign_in_refused') await rm(passwordFile)
}

async function propose(ask: Ask): Promise<void> {
  const { act_id, needs_approval } = await ask('POST', `${casino}/acts`, {
    action: 'player.give-prize',
    params: { item_id: 'headphones' },
    object_ids: ['player-2', 'player-3', 'player-4'],
  })
  if (needs_approval !== true) return
  await ask('POST', `${casino}/acts/${String(act_id)}/start`, { reason: 'Our most loyal players' })
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

function textIn(object: unknown, field: string): unknown {
  return typeof object === 'object' && object !== null ? Reflect.get(object, field) : undefined
}
