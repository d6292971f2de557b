import { setTimeout as pause } from 'node:timers/promises'
import { delivery } from '../factory.ts'
import type { Factory, TestCasino } from '../factory.ts'
import { pick } from './random.ts'
import type { Stack } from './stack.ts'

export type Operation = '/box/open' | '/prize/order' | '/prize/cashback'

/** A request of the campaign, and what became of it. */
export interface CampaignRequest {
  casino: TestCasino
  operation: Operation
  body: Record<string, unknown>
  key: string | undefined
  /** The body of its 200; undefined when there was none, and nothing is known. */
  answer: string | undefined
}

export interface LoadResult {
  requests: CampaignRequest[]
  /** How often each status came; 0 stands for no answer. */
  statuses: Map<number, number>
  /** What must never happen, in words. */
  surprises: string[]
}

interface LoadOptions {
  stack: Stack
  factory: Factory
  casinos: readonly { casino: TestCasino; boxId: string }[]
  random: () => number
  isOver: () => boolean
  /** Whether there is no point in asking again: long after the last fault, or because something is broken. */
  isHopeless: () => boolean
  senders: number
}

const requestTimeoutMs = 15_000
/** While a fault lasts, every sender asks again after this. */
const retryMs = 50

/**
 * Sends openings, orders and cashbacks, half of them with an `Idempotency-Key`, to both APIs in turn. A keyed request is
 * repeated until it is answered with 200, and now and then afterwards; one without a key is sent once, and may or may not
 * have taken effect when no answer came.
 */
export async function sendLoad(options: LoadOptions): Promise<LoadResult> {
  const result: LoadResult = { requests: [], statuses: new Map(), surprises: [] }
  let count = 0
  const sendOne = async () => {
    const request = await makeRequest(options, ++count)
    result.requests.push(request)
    for (let attempt = 0; ; attempt++) {
      const answer = await send(options.stack, request, count + attempt, result)
      if (answer !== undefined) request.answer = answer
      if (answer !== undefined || request.key === undefined || options.isHopeless()) break
      await pause(retryMs)
    }
    const earlier = pick(options.random, result.requests)
    if (earlier.key === undefined || earlier.answer === undefined) return
    const again = await send(options.stack, earlier, count, result)
    if (again !== undefined && again !== earlier.answer)
      result.surprises.push(`${earlier.operation} with ${earlier.key} was answered in two ways`)
  }
  const sender = async () => {
    while (!options.isOver()) await sendOne()
  }
  await Promise.all(Array.from({ length: options.senders }, sender))
  return result
}

async function makeRequest(
  { factory, casinos, random, isHopeless }: LoadOptions,
  count: number,
): Promise<CampaignRequest> {
  const { casino, boxId } = pick(random, casinos)
  const operation = pick(random, ['/box/open', '/prize/order', '/prize/cashback'] as const)
  const key = random() < 0.5 ? `campaign-${count}` : undefined
  if (operation === '/box/open') {
    const body = { player_id: `opener-${Math.floor(random() * 20)}`, box_id: boxId }
    return { casino, operation, body, key, answer: undefined }
  }
  // Written straight into the database, which may be away at the moment.
  for (;;) {
    try {
      const { prizeId, playerId } = await factory.prize(casino.id)
      const ids = { player_id: playerId, prize_id: prizeId }
      const body = operation === '/prize/order' ? { ...ids, ...delivery } : ids
      return { casino, operation, body, key, answer: undefined }
    } catch (error) {
      if (isHopeless()) throw error
      await pause(retryMs)
    }
  }
}

/** The body of a 200; undefined when there was another answer or none. */
async function send(
  stack: Stack,
  { casino, operation, body, key }: CampaignRequest,
  api: number,
  { statuses, surprises }: LoadResult,
): Promise<string | undefined> {
  const url = stack.apiUrl(api)
  const reply = url === undefined ? undefined : await post(url + operation, casino.apiKey, key, body)
  const status = reply?.status ?? 0
  statuses.set(status, (statuses.get(status) ?? 0) + 1)
  if (![0, 200, 500, 503].includes(status)) surprises.push(`${operation}: ${status} ${reply?.text ?? ''}`)
  return status === 200 ? reply?.text : undefined
}

async function post(url: string, apiKey: string, key: string | undefined, body: object) {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${apiKey}`,
        'Content-Type': 'application/json',
        ...(key === undefined ? {} : { 'Idempotency-Key': key }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(requestTimeoutMs),
    })
    return { status: response.status, text: await response.text() }
  } catch {
    return undefined // killed, frozen or restarted meanwhile: nothing is known
  }
}
