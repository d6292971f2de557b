import { expect } from 'chai'
import type { OperatorRole } from '../../core/operator/rights.ts'
import { at, createOperator, textAt } from '../api/admin/operator.ts'
import type { TestOperator } from '../api/admin/operator.ts'
import { atEndOfSuite } from './at-end.ts'
import type { Reply } from './client.ts'
import { adminApiKey } from './config.ts'
import { eventually } from './eventually.ts'
import { delivery } from './factory.ts'
import type { TestCasino } from './factory.ts'
import { inParallel } from './in-parallel.ts'
import { cookieOf, makeOperator, postLogin, testPassword } from './ops.ts'
import { startService } from './service.ts'
import type { TestService } from './service.ts'

interface ActsWorld {
  service: TestService
  casino: TestCasino
  /** The management API with a key of the casino. */
  key: TestOperator
}

/** Starts a service with a worker for the suite, and hands it to each test with a new casino. */
export function setUpActs(use: (world: ActsWorld) => void): void {
  let service: TestService
  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    service.startWorker()
  })
  beforeEach(async () => {
    const casino = await service.factory.casino()
    use({ service, casino, key: createOperator(service.client, casino.apiKey) })
  })
}

/** An operator in a browser. */
export interface SignedIn extends TestOperator {
  id: string
  username: string
  cookie: { Cookie: string }
  /** The same person in another browser. */
  again(): Promise<SignedIn>
}

/** A new operator, who is signed in. Paths begin after `/admin/casinos`. */
export async function signIn(
  service: Pick<TestService, 'database' | 'client'>,
  role: OperatorRole,
  casinoIds?: readonly string[],
): Promise<SignedIn> {
  const made = await makeOperator(service, { role, ...(casinoIds === undefined ? {} : { casinoIds }) })
  return openSession(service, made)
}

async function openSession(
  service: Pick<TestService, 'database' | 'client'>,
  made: { id: string; username: string },
): Promise<SignedIn> {
  const cookie = cookieOf(
    await postLogin(service.client, { username: made.username, password: testPassword }),
  )
  const send = (method: string, path: string, body?: unknown) =>
    service.client.send(method, `/admin/casinos${path}`, {
      headers: { ...cookie, 'X-Reason': 'a test', 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  return {
    ...made,
    cookie,
    again: () => openSession(service, made),
    get: (path) => send('GET', path),
    put: (path, body) => send('PUT', path, body),
    post: (path, body = {}) => send('POST', path, body),
    delete: (path) => send('DELETE', path),
  }
}

/** So many orders of a casino, which wait for a confirmation; their ids. */
export async function placeOrders(
  service: Pick<TestService, 'factory' | 'client' | 'database'>,
  casino: TestCasino,
  count: number,
): Promise<string[]> {
  const prizes: string[] = []
  await inParallel(8, Array.from({ length: count }), async () => {
    const prize = await service.factory.prize(casino.id)
    const body = { player_id: prize.playerId, prize_id: prize.prizeId, ...delivery }
    const reply = await service.client.post('/prize/order', casino.apiKey, body)
    expect(reply.status, reply.text).to.equal(200)
    prizes.push(prize.prizeId)
  })
  const orders = await service.database.prizeOrder.findMany({ where: { casinoId: casino.id } })
  return orders.filter(({ prizeId }) => prizes.includes(prizeId)).map(({ id }) => id)
}

/** Gives so many prizes of a casino, each to a new player; their ids. */
export async function winPrizes(
  { factory }: Pick<TestService, 'factory'>,
  casino: TestCasino,
  count: number,
): Promise<string[]> {
  const made = await Promise.all(Array.from({ length: count }, () => factory.prize(casino.id)))
  return made.map(({ prizeId }) => prizeId)
}

/** Previews an action; the id of the act. */
export async function preview(
  operator: TestOperator,
  casino: TestCasino,
  action: string,
  objectIds: readonly string[],
  params: object = {},
): Promise<string> {
  const reply = await operator.post(`/${casino.id}/acts`, { action, params, object_ids: objectIds })
  expect(reply.status, reply.text).to.equal(201)
  return textAt(reply, 'data.act_id')
}

export function asAdmin(service: Pick<TestService, 'client'>): TestOperator {
  return createOperator(service.client, adminApiKey)
}

/** Waits until an act has ended. */
export function untilEnded(operator: TestOperator, casino: TestCasino, actId: string): Promise<unknown> {
  return eventually('the act has ended', async () => {
    return at(await operator.get(`/${casino.id}/acts/${actId}`), 'data.ended_at') !== null
  })
}

/** Its state, or the refusal's code. */
export function stateOf(reply: Reply): unknown {
  return reply.headers.get('X-Error-Code') ?? at(reply, 'data.state')
}

/** How many objects of an act there are in each state, and the refusals. */
export async function resultsOf(
  { database }: Pick<TestService, 'database'>,
  actId: string,
): Promise<Record<string, number>> {
  const rows = await database.actObject.findMany({ where: { actId } })
  const counts: Record<string, number> = {}
  for (const { state, code } of rows) {
    const name = code ?? state
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}
