import { addCasinoWithPartners, addLife } from './demo-life.ts'
import type { Answer, Ask } from './demo-life.ts'
import { addProposal, findSignIn, makeFirstOperator, renewProposal } from './demo-operators.ts'
import type { SendForm, SignIn } from './demo-operators.ts'
import { findFileText, writePrivateFile } from './private-file.ts'

/** The things that a person needs to try the service out. */
export interface Demo {
  apiKey: string
  playerId: string
  boxId: string
  /** Two prizes of the player that have not been used yet: one that can be ordered, one that can be cashed back. */
  orderPrizeId: string
  cashbackPrizeId: string
  /** Undefined where the demo has made no operator. */
  signIn: SignIn | undefined
}

const casino = '/admin/casinos/demo'
const playerId = 'player-1'
const boxId = 'welcome-box'
/** Granted on every start, so that the printed request works however often it was used before. */
const openingsPerStart = 10

const items = {
  mug: {
    name: 'Coffee mug',
    kind: 'physical',
    description: 'A mug with the casino on it',
    cashback: { amount_minor: 500, currency: 'EUR' },
    claim_days: 30,
  },
  headphones: {
    name: 'Headphones',
    kind: 'physical',
    cashback: { amount_minor: 4_900, currency: 'EUR' },
    claim_days: 30,
  },
  'cash-10': { name: '10 euros', kind: 'cash', cashback: { amount_minor: 1_000, currency: 'EUR' } },
  'free-spins': { name: '20 free spins', kind: 'bonus', cashback: { amount_minor: 200, currency: 'EUR' } },
  nothing: { name: 'Better luck next time', kind: 'none' },
}

const boxes = {
  [boxId]: {
    name: 'Welcome box',
    access: 'granted',
    entries: [
      { item_id: 'headphones', weight: 1, stock: 100 },
      { item_id: 'mug', weight: 9 },
      { item_id: 'cash-10', weight: 20 },
      { item_id: 'free-spins', weight: 70 },
    ],
    fallback_item_id: 'free-spins',
  },
  'daily-box': {
    name: 'Daily box',
    access: 'limited',
    limit: { count: 3, period: 'day' },
    entries: [
      { item_id: 'mug', weight: 1 },
      { item_id: 'free-spins', weight: 29 },
      { item_id: 'nothing', weight: 70 },
    ],
  },
}

/**
 * Makes a casino to try things out with, over the management API as a casino's own scripts would. Changes that a person
 * has made since the first start stay: on the later ones, openings, two fresh prizes and a proposal in place of an expired
 * one are added. A new casino gets an operator who can sign in, its history from `addLife`, for which no step needs to
 * wait, and a second casino beside it.
 */
export async function prepareDemo(options: {
  baseUrl: string
  adminKey: string
  /** Where the casino's key is kept, so that every start prints the same one. */
  keyFile: string
  /** Where the password of the first operator is kept. */
  passwordFile: string
  /** Where that of the operator is kept who makes the proposals. */
  colleaguePasswordFile: string
  /** Whether the service may call wallets on this machine. */
  mayCallItself: boolean
}): Promise<{ demo: Demo; addLife: () => Promise<void> }> {
  const { baseUrl, adminKey, keyFile, passwordFile } = options
  const call = createCaller(baseUrl, bearer(adminKey))
  const sendForm = createFormSender(baseUrl)
  const knownKey = (await findFileText(keyFile))?.trim()
  let apiKey = knownKey
  const isNew = apiKey === undefined || !(await isAccepted(baseUrl, apiKey))
  if (apiKey === undefined || isNew) {
    await makeFirstOperator(sendForm, { adminKey, passwordFile })
    await call('PUT', casino, { name: 'Demo casino' })
    for (const [id, item] of Object.entries(items)) await call('PUT', `${casino}/items/${id}`, item)
    for (const [id, box] of Object.entries(boxes)) await call('PUT', `${casino}/boxes/${id}`, box)
    apiKey = readText(await call('POST', `${casino}/api-keys`, { name: 'npm start' }), 'api_key')
    await writePrivateFile(keyFile, `${apiKey}\n`)
  }
  await call('POST', `${casino}/grants`, {
    grants: [{ player_id: playerId, box_id: boxId, count: openingsPerStart }],
  })
  const givePrize = async (itemId: keyof typeof items) =>
    readText(await call('POST', `${casino}/prizes`, { player_id: playerId, item_id: itemId }), 'prize_id')
  const demo = {
    apiKey,
    playerId,
    boxId,
    orderPrizeId: await givePrize('mug'),
    cashbackPrizeId: await givePrize('cash-10'),
    signIn: await findSignIn(passwordFile),
  }
  const play = createCaller(baseUrl, bearer(apiKey))
  const colleague = {
    manage: call,
    sendForm,
    asPerson: (cookie: string) => createCaller(baseUrl, { Cookie: cookie }),
    passwordFile: options.colleaguePasswordFile,
  }
  const addAll = async () => {
    await addLife(call, play)
    if (demo.signIn !== undefined) await addProposal(colleague)
    if (!options.mayCallItself) return
    await addCasinoWithPartners(call, (key) => createCaller(baseUrl, bearer(key)), {
      // The API refuses every POST there: to a wallet's caller an answer that says nothing.
      walletUrl: `${baseUrl}/healthz`,
      // To a provider's caller a 404 says that the address is wrong.
      providerUrl: `${baseUrl}/no-such-provider`,
    })
  }
  return { demo, addLife: () => (isNew ? addAll() : renewProposal(colleague)) }
}

const callTimeoutMs = 10_000

/** A key that is refused (it was revoked, or the data were deleted) is answered 401 before anything else is looked at. */
async function isAccepted(baseUrl: string, apiKey: string): Promise<boolean> {
  const response = await send(`${baseUrl}/box/open`, 'POST', bearer(apiKey), {})
  return response.status !== 401
}

type Credential = Readonly<Record<string, string>>

const bearer = (key: string): Credential => ({ Authorization: `Bearer ${key}` })

function createCaller(baseUrl: string, credential: Credential): Ask {
  return async (method, path, body) => {
    const response = await send(`${baseUrl}${path}`, method, credential, body)
    const answer = (await response.json()) as { data?: Answer; message?: string }
    if (response.ok) return answer.data ?? {}
    throw new Error(
      `the demo casino could not be made: ${method} ${path} was answered ${response.status} ${answer.message ?? ''}`,
    )
  }
}

function send(url: string, method: string, credential: Credential, body?: object): Promise<Response> {
  return fetch(url, {
    method,
    headers: { ...credential, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(callTimeoutMs),
  })
}

function createFormSender(baseUrl: string): SendForm {
  return (path, fields, cookie) =>
    fetch(`${baseUrl}/ops${path}`, {
      method: 'POST',
      headers: cookie === undefined ? {} : { Cookie: cookie },
      body: new URLSearchParams(fields),
      redirect: 'manual',
      signal: AbortSignal.timeout(callTimeoutMs),
    })
}

function readText(data: Answer, field: string): string {
  const value = data[field]
  if (typeof value !== 'string')
    throw new Error(`the demo casino could not be made: no ${field} in the answer`)
  return value
}
