import { setTimeout as pause } from 'node:timers/promises'
import { delivery } from '../factory.ts'
import type { TestCasino } from '../factory.ts'
import type { CampaignCasino } from './casinos.ts'
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
  /** The last body of each status but 200. */
  refusals: Map<number, string>
  /** The events that must never happen, in words. */
  surprises: string[]
}

interface LoadOptions {
  /** Where to send the next request. */
  stack: Pick<Stack, 'apiUrl'>
  casinos: readonly CampaignCasino[]
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
 * Sends openings, and orders and cashbacks of the prizes that were won, half of them with an `Idempotency-Key`, to both
 * APIs in turn. A keyed request is repeated until it is answered with 200, and now and then afterwards; one without a key
 * is sent once, and may or may not have taken effect when no answer came.
 */
export async function sendLoad(options: LoadOptions): Promise<LoadResult> {
  const { casinos, random } = options
  const result: LoadResult = { requests: [], statuses: new Map(), refusals: new Map(), surprises: [] }
  let count = 0
  const perform = async (casino: TestCasino, operation: Operation, body: Record<string, unknown>) => {
    const number = ++count
    const key = random() < 0.5 ? `campaign-${number}` : undefined
    const request: CampaignRequest = { casino, operation, body, key, answer: undefined }
    result.requests.push(request)
    await sendUntilAnswered(options, request, number, result)
    return request.answer
  }
  const play = async () => {
    const { casino, boxId } = pick(random, casinos)
    const ids = { player_id: `player-${Math.floor(random() * 20)}` }
    const opened = await perform(casino, '/box/open', { ...ids, box_id: boxId })
    const next = pick(random, ['/box/open', '/prize/order', '/prize/cashback'] as const)
    if (opened !== undefined && next !== '/box/open') {
      const prize = { ...ids, prize_id: prizeIdOf(opened) }
      await perform(casino, next, next === '/prize/order' ? { ...prize, ...delivery } : prize)
    }
    const earlier = pick(random, result.requests)
    if (earlier.key === undefined || earlier.answer === undefined) return
    const again = await send(options.stack, earlier, count, result)
    if (again !== undefined && again !== earlier.answer)
      result.surprises.push(`${earlier.operation} with ${earlier.key} was answered in two ways`)
  }
  const sender = async () => {
    while (!options.isOver()) await play()
  }
  await Promise.all(Array.from({ length: options.senders }, sender))
  return result
}

async function sendUntilAnswered(
  { stack, isHopeless }: LoadOptions,
  request: CampaignRequest,
  number: number,
  result: LoadResult,
): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const answer = await send(stack, request, number + attempt, result)
    if (answer !== undefined) request.answer = answer
    if (answer !== undefined || request.key === undefined || isHopeless()) return
    await pause(retryMs)
  }
}

function prizeIdOf(answer: string): string {
  return (JSON.parse(answer) as { prize: { id: string } }).prize.id
}

/** The body of a 200; undefined when there was another answer or none. */
async function send(
  stack: LoadOptions['stack'],
  { casino, operation, body, key }: CampaignRequest,
  api: number,
  { statuses, refusals, surprises }: LoadResult,
): Promise<string | undefined> {
  const url = stack.apiUrl(api)
  const reply = url === undefined ? undefined : await post(url + operation, casino.apiKey, key, body)
  const status = reply?.status ?? 0
  statuses.set(status, (statuses.get(status) ?? 0) + 1)
  if (status !== 200) refusals.set(status, reply?.text ?? 'no answer')
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
