import type { IncomingMessage, ServerResponse } from 'node:http'
import { putSetting } from '../../core/casino/change-settings.ts'
import { createEnvelopeCipher } from '../../core/crypto/envelope.ts'
import { newSigningSecret, verifySignature } from '../../core/partner/signature.ts'
import { systemClock } from '../../core/platform/clock.ts'
import type { Config } from '../../core/platform/config.ts'
import type { Database } from '../../core/platform/database.ts'
import { startSignedServer } from './partner-server.ts'

/**
 * The behaviour of a wallet in a call:
 * - `honest`: carries out each transaction once, credit or debit, and says so; afterwards says that it has. It declines a debit without a credit.
 * - `act-then-die`: acts, and breaks the connection. `act-then-hang`: acts, and never answers.
 * - `hang`: neither acts nor answers. `late`: acts, and answers when `answerLate` is called.
 * - `late-death`: does nothing, and breaks the connection when `answerLate` is called.
 * - `late-decline`: refuses as `decline` does, and says so when `answerLate` is called.
 * - `twice`: acts, and sends its answer two times.
 * - `decline`: refuses what it has not done before, and never does it afterwards.
 * - `wrong-amount`: has moved one more than it was asked for, and says so; `wrong-echo` says it of a first time.
 * - an object: answers just that, and does nothing.
 */
export type WalletBehaviour =
  | 'honest'
  | 'act-then-die'
  | 'act-then-hang'
  | 'hang'
  | 'late'
  | 'late-death'
  | 'late-decline'
  | 'twice'
  | 'decline'
  | 'wrong-amount'
  | 'wrong-echo'
  | { status: number; body: unknown; headers?: Record<string, string> }

export interface WalletCall {
  type: string
  transactionId: string
  cashbackId: string
  attempt: number
  body: Record<string, unknown>
  headers: IncomingMessage['headers']
  path: string
}

/** A casino's wallet behind a real server. It insists on what docs/integrate/wallets.md promises of each call. */
export interface FakeWallet {
  url: string
  secret: string
  calls: readonly WalletCall[]
  /** The problems of calls. Must stay empty. */
  complaints: readonly string[]
  /** How often each transaction was booked, whatever was answered. */
  bookings: ReadonlyMap<string, number>
  /** The highest number of simultaneous calls. */
  underWayMax(): number
  /** For each of the next calls one; the last one stays. */
  behave(...behaviours: WalletBehaviour[]): void
  /** The oldest first; all of them unless a number is given. */
  answerLate(count?: number): void
  stop(): Promise<void>
}

interface Booking {
  amount_minor: number | string
  currency: string
  times: number
}

export async function startFakeWallet(): Promise<FakeWallet> {
  const secret = newSigningSecret()
  const calls: WalletCall[] = []
  const complaints: string[] = []
  const booked = new Map<string, Booking>()
  const declined = new Set<string>()
  const held: (() => void)[] = []
  let behaviours: WalletBehaviour[] = ['honest']
  let underWay = 0
  let underWayMax = 0

  const book = (call: WalletCall, extra = 0): Booking => {
    const { amount_minor, currency } = call.body as unknown as Booking
    const known = booked.get(call.transactionId)
    if (known !== undefined) return known
    const booking = {
      amount_minor: extra === 0 ? amount_minor : Number(amount_minor) + extra,
      currency,
      times: 1,
    }
    booked.set(call.transactionId, booking)
    return booking
  }
  const actHonestly = (call: WalletCall): object => {
    const isDebit = call.type === 'cashback.debit'
    if (declined.has(call.transactionId))
      return { status: 'declined', code: isDebit ? 'insufficient_funds' : 'player_blocked' }
    const known = booked.get(call.transactionId)
    if (isDebit && !booked.has(call.cashbackId)) return { status: 'declined', code: 'credit_unknown' }
    const { amount_minor, currency } = book(call)
    const reference = `booking of ${call.transactionId}`
    return known === undefined
      ? { status: doneStatusOf(call), reference }
      : { status: 'already_processed', amount_minor, currency, reference }
  }
  const act = (behaviour: WalletBehaviour, call: WalletCall, response: ServerResponse) => {
    const send = (body: unknown, status = 200, headers: Record<string, string> = {}) => {
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
    }
    if (typeof behaviour === 'object') {
      send(behaviour.body, behaviour.status, behaviour.headers)
      return
    }
    switch (behaviour) {
      case 'honest':
        send(actHonestly(call))
        return
      case 'act-then-die':
        actHonestly(call)
        response.destroy()
        return
      case 'act-then-hang':
        actHonestly(call)
        return
      case 'hang':
        return
      case 'late':
        held.push(() => {
          send(actHonestly(call))
        })
        return
      case 'late-death':
        held.push(() => {
          response.destroy()
        })
        return
      case 'late-decline':
        if (!booked.has(call.transactionId)) declined.add(call.transactionId)
        held.push(() => {
          send(actHonestly(call))
        })
        return
      case 'twice': {
        const body = JSON.stringify(actHonestly(call))
        send(body + body)
        return
      }
      case 'decline':
        if (!booked.has(call.transactionId)) declined.add(call.transactionId)
        send(actHonestly(call))
        return
      case 'wrong-amount': {
        const { amount_minor, currency } = book(call, 1)
        send({ status: 'already_processed', amount_minor, currency })
        return
      }
      case 'wrong-echo': {
        const { amount_minor, currency } = book(call, 1)
        send({ status: doneStatusOf(call), amount_minor, currency })
        return
      }
    }
  }

  const server = await startSignedServer((request, response, text) => {
    const call = toCall(request, text)
    complaints.push(...findFaults(request, text, secret, call))
    calls.push(call)
    underWay += 1
    underWayMax = Math.max(underWayMax, underWay)
    response.once('close', () => (underWay -= 1))
    const behaviour = behaviours[0] ?? 'honest'
    if (behaviours.length > 1) behaviours = behaviours.slice(1)
    act(behaviour, call, response)
  })
  return {
    url: `${server.url}/credit`,
    secret,
    calls,
    complaints,
    underWayMax: () => underWayMax,
    get bookings() {
      return new Map([...booked].map(([id, { times }]) => [id, times]))
    },
    behave: (...next) => {
      behaviours = next
    },
    answerLate: (count = held.length) => {
      for (const answer of held.splice(0, count)) answer()
    },
    stop: () => server.stop(),
  }
}

function doneStatusOf({ type }: WalletCall): string {
  return type === 'cashback.debit' ? 'debited' : 'credited'
}

function toCall(request: IncomingMessage, text: string): WalletCall {
  const body = JSON.parse(text) as Record<string, unknown>
  return {
    type: String(body['type']),
    transactionId: String(body['transaction_id']),
    cashbackId: String(body['cashback_id']),
    attempt: Number(body['attempt']),
    body,
    headers: request.headers,
    path: request.url ?? '',
  }
}

const moneyFields = 'type,transaction_id,cashback_id,prize_id,player_id,amount_minor,currency'
const fieldsOf: Readonly<Record<string, string>> = {
  'cashback.credit': `${moneyFields},attempt`,
  'cashback.debit': `${moneyFields},credit_transaction_id,attempt`,
}
/** `debit_1_cbk_…` takes back what `cbk_…` has credited. */
const debitIdPattern = /^debit_[1-9]\d*_/

function findFaults(request: IncomingMessage, text: string, secret: string, call: WalletCall): string[] {
  const { headers, method } = request
  const signedAt = new Date(Number(headers['webhook-timestamp']) * 1000)
  const signed = verifySignature([secret], headers as Record<string, string>, text, signedAt)
  return [
    ...(method === 'POST' ? [] : [`method ${String(method)}`]),
    ...(signed.kind === 'valid' ? [] : [`signature: ${signed.problem}`]),
    ...(headers['idempotency-key'] === call.transactionId ? [] : ['Idempotency-Key']),
    ...(headers['webhook-id'] === call.transactionId ? [] : ['webhook-id']),
    ...(headers['content-type'] === 'application/json' ? [] : ['Content-Type']),
    ...(Object.keys(call.body).join() === fieldsOf[call.type]
      ? []
      : [`fields ${Object.keys(call.body).join()}`]),
    ...(call.transactionId.replace(call.type === 'cashback.debit' ? debitIdPattern : '', '') ===
    call.cashbackId
      ? []
      : [`transaction_id ${call.transactionId}`]),
    ...(call.type === 'cashback.credit' || call.body['credit_transaction_id'] === call.cashbackId
      ? []
      : ['credit_transaction_id']),
  ]
}

/** Makes it the wallet of a casino. */
export async function useWallet(
  database: Database,
  config: Pick<Config, 'encryptionKeys'>,
  casinoId: string,
  wallet: { url: string; secret: string },
  timeoutMs = 5_000,
): Promise<void> {
  const cipher = createEnvelopeCipher(config.encryptionKeys)
  const value = { kind: 'http' as const, url: wallet.url, timeout_ms: timeoutMs }
  const by = { actor: 'test', requestId: 'test' }
  const wish = { casinoId, name: 'wallet' as const, value, secret: { given: wallet.secret }, ...by }
  await putSetting({ database, cipher, clock: systemClock }, wish)
}
