import type { IncomingMessage, ServerResponse } from 'node:http'
import { putSetting } from '../../core/casino/change-settings.ts'
import { createEnvelopeCipher } from '../../core/crypto/envelope.ts'
import { newSigningSecret, verifySignature } from '../../core/partner/signature.ts'
import { systemClock } from '../../core/platform/clock.ts'
import type { Config } from '../../core/platform/config.ts'
import type { Database } from '../../core/platform/database.ts'
import { startHttpServer } from './partner-server.ts'

/**
 * What a wallet does with a call:
 * - `honest`: credits each transaction once, and says so; afterwards says that it has.
 * - `act-then-die`: credits, and breaks the connection. `act-then-hang`: credits, and never answers.
 * - `hang`: neither credits nor answers. `late`: credits, and answers when `answerLate` is called.
 * - `twice`: credits, and sends its answer two times.
 * - `decline`: refuses for good what it has not credited before, and never credits it afterwards.
 * - `wrong-amount`: has credited one more than it was asked for, and says so; `wrong-echo` says it of a first credit.
 * - an object: answers just that, and credits nothing.
 */
export type WalletBehaviour =
  | 'honest'
  | 'act-then-die'
  | 'act-then-hang'
  | 'hang'
  | 'late'
  | 'twice'
  | 'decline'
  | 'wrong-amount'
  | 'wrong-echo'
  | { status: number; body: unknown; headers?: Record<string, string> }

export interface WalletCall {
  transactionId: string
  attempt: number
  body: Record<string, unknown>
  headers: IncomingMessage['headers']
  path: string
}

/** A casino's wallet behind a real server. It insists on what docs/wallets.md promises of each call. */
export interface FakeWallet {
  url: string
  secret: string
  calls: readonly WalletCall[]
  /** What was wrong with calls. Must stay empty. */
  complaints: readonly string[]
  /** How often each transaction was booked, whatever was answered. */
  bookings: ReadonlyMap<string, number>
  /** For each of the next calls one; the last one stays. */
  behave(...behaviours: WalletBehaviour[]): void
  answerLate(): void
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
  const creditHonestly = (call: WalletCall): object => {
    if (declined.has(call.transactionId)) return { status: 'declined', code: 'player_blocked' }
    const known = booked.get(call.transactionId)
    const { amount_minor, currency } = book(call)
    const reference = `booking of ${call.transactionId}`
    return known === undefined
      ? { status: 'credited', reference }
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
        send(creditHonestly(call))
        return
      case 'act-then-die':
        creditHonestly(call)
        response.destroy()
        return
      case 'act-then-hang':
        creditHonestly(call)
        return
      case 'hang':
        return
      case 'late':
        held.push(() => {
          send(creditHonestly(call))
        })
        return
      case 'twice': {
        const body = JSON.stringify(creditHonestly(call))
        send(body + body)
        return
      }
      case 'decline':
        if (!booked.has(call.transactionId)) declined.add(call.transactionId)
        send(creditHonestly(call))
        return
      case 'wrong-amount': {
        const { amount_minor, currency } = book(call, 1)
        send({ status: 'already_processed', amount_minor, currency })
        return
      }
      case 'wrong-echo': {
        const { amount_minor, currency } = book(call, 1)
        send({ status: 'credited', amount_minor, currency })
        return
      }
    }
  }

  const server = await startHttpServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      const call = toCall(request, text)
      complaints.push(...findFaults(request, text, secret, call))
      calls.push(call)
      const behaviour = behaviours[0] ?? 'honest'
      if (behaviours.length > 1) behaviours = behaviours.slice(1)
      act(behaviour, call, response)
    })
  })
  return {
    url: `${server.url}/credit`,
    secret,
    calls,
    complaints,
    get bookings() {
      return new Map([...booked].map(([id, { times }]) => [id, times]))
    },
    behave: (...next) => {
      behaviours = next
    },
    answerLate: () => {
      for (const answer of held.splice(0)) answer()
    },
    stop: () => server.stop(),
  }
}

function toCall(request: IncomingMessage, text: string): WalletCall {
  const body = JSON.parse(text) as Record<string, unknown>
  return {
    transactionId: String(body['transaction_id']),
    attempt: Number(body['attempt']),
    body,
    headers: request.headers,
    path: request.url ?? '',
  }
}

const fields = [
  'type',
  'transaction_id',
  'cashback_id',
  'prize_id',
  'player_id',
  'amount_minor',
  'currency',
  'attempt',
]

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
    ...(Object.keys(call.body).join() === fields.join() ? [] : [`fields ${Object.keys(call.body).join()}`]),
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
