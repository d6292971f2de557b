import { findStockDifferences } from '../../../core/box/check-stock.ts'
import type { Database } from '../../../core/platform/database.ts'
import type { FakeReceiver } from '../fake-receiver.ts'
import type { FakeWallet } from '../fake-wallet.ts'
import type { CampaignRequest, LoadResult, Operation } from './load.ts'

interface Evidence {
  database: Database
  load: LoadResult
  casinoIds: readonly string[]
  wallet: FakeWallet
  receiver: FakeReceiver
}

/** Everything that is not as it must be after a campaign, in words; empty when all is well. */
export async function findBrokenPromises(evidence: Evidence): Promise<string[]> {
  return [
    ...evidence.load.surprises,
    ...(await findLostOrDoubled(evidence)),
    ...(await findBrokenTables(evidence)),
    ...(await findBrokenMoney(evidence)),
    ...(await findBrokenWebhooks(evidence)),
  ]
}

/** Acknowledged records are there once; others are there at most once, and only if a request asked for them. */
async function findLostOrDoubled({ database, load }: Evidence): Promise<string[]> {
  const problems: string[] = []
  const [openings, orders, cashbacks] = await Promise.all([
    database.opening.findMany({ select: { id: true } }),
    database.prizeOrder.findMany({ select: { prizeId: true } }),
    database.cashback.findMany({ select: { prizeId: true } }),
  ])
  const requestsOf = (operation: Operation) =>
    load.requests.filter((request) => request.operation === operation)
  for (const [operation, rows] of [
    ['/prize/order', orders],
    ['/prize/cashback', cashbacks],
  ] as const) {
    const stored = countOf(rows.map(({ prizeId }) => prizeId))
    for (const request of requestsOf(operation)) {
      const count = stored.get(String(request.body['prize_id'])) ?? 0
      if (count > 1 || (count === 0 && request.answer !== undefined))
        problems.push(`${operation} of ${String(request.body['prize_id'])} is there ${count} times`)
    }
  }
  const opened = requestsOf('/box/open')
  const acknowledged = countOf(
    opened.flatMap(({ answer }) => (answer === undefined ? [] : [openingIdOf(answer)])),
  )
  const storedIds = new Set(openings.map(({ id }) => id))
  for (const [id, count] of acknowledged) {
    if (!storedIds.has(id)) problems.push(`opening ${id} was acknowledged and is not there`)
    if (count > 1) problems.push(`opening ${id} answered ${count} requests`)
  }
  if (openings.length > opened.length)
    problems.push(`${openings.length} openings of ${opened.length} requests`)
  const unsettled = load.requests.filter(
    ({ key, answer }: CampaignRequest) => key !== undefined && answer === undefined,
  )
  if (unsettled.length > 0) problems.push(`${unsettled.length} requests with a key were never answered`)
  return problems
}

/** Rules that one query each shows to be broken. */
async function findBrokenTables({ database, casinoIds }: Evidence): Promise<string[]> {
  const broken = await database.$queryRaw<{ problem: string }[]>`
    SELECT 'prize ' || prize_id || ' has an order and a cashback' AS problem
      FROM prize_order JOIN cashback USING (casino_id, prize_id)
     UNION ALL
    SELECT 'openings of ' || player_id || ' have gaps' FROM opening
     GROUP BY casino_id, player_id HAVING max(sequence) <> count(*)
     UNION ALL
    SELECT 'nonces of ' || player_id || ' have gaps' FROM opening
     GROUP BY casino_id, player_id, seed_id HAVING max(nonce) <> count(*)
     UNION ALL
    SELECT 'stock of ' || box_id || ' is below zero' FROM box_stock WHERE remaining < 0
     UNION ALL
    SELECT 'history of ' || object_id || ' has gaps' FROM event
     GROUP BY casino_id, object_type, object_id HAVING max(sequence) - min(sequence) + 1 <> count(*)
     UNION ALL
    SELECT 'order ' || id || ' was not announced' FROM prize_order WHERE announced_at IS NULL
     UNION ALL
    SELECT 'cashback ' || id || ' is ' || state FROM cashback WHERE state <> 'credited'
     UNION ALL
    SELECT 'a fingerprint of ' || octet_length(fingerprint) || ' bytes' FROM idempotency_record
     WHERE octet_length(fingerprint) <> 32`
  const stocks = await Promise.all(casinoIds.map((casinoId) => findStockDifferences(database, casinoId)))
  return [
    ...broken.map(({ problem }) => problem),
    ...stocks
      .flat()
      .map((difference) => `a stock differs from its openings: ${JSON.stringify(difference, toText)}`),
  ]
}

async function findBrokenMoney({ database, wallet }: Evidence): Promise<string[]> {
  const sums = await database.$queryRaw<{ problem: string }[]>`
    SELECT 'transaction ' || transaction_id || ' does not sum to zero' AS problem FROM ledger_entry
     GROUP BY transaction_id, currency HAVING sum(amount_minor) <> 0
     UNION ALL
    SELECT 'cashback ' || cashback.id || ' was credited ' || count(txn.id) || ' times'
      FROM cashback LEFT JOIN ledger_transaction AS txn
        ON txn.cashback_id = cashback.id AND txn.kind = 'cashback_credit'
     GROUP BY cashback.id HAVING count(txn.id) <> 1`
  const paid = await database.cashback.findMany({ where: { wallet: 'http' }, select: { id: true } })
  return [
    ...sums.map(({ problem }) => problem),
    ...wallet.complaints,
    ...[...wallet.bookings]
      .filter(([, times]) => times !== 1)
      .map(([id, times]) => `${id} was booked ${times} times`),
    ...paid
      .filter(({ id }) => !wallet.bookings.has(id))
      .map(({ id }) => `${id} was never booked by the wallet`),
  ]
}

/** Each event of an object arrived, and for the first time not before the one that precedes it. */
async function findBrokenWebhooks({ database, receiver, casinoIds }: Evidence): Promise<string[]> {
  const problems: string[] = []
  const events = await database.event.findMany({
    where: { casinoId: casinoIds[0] ?? '' },
    select: { id: true, objectType: true, objectId: true, sequence: true },
  })
  const deliveries = await database.webhookDelivery.groupBy({ by: ['state'], _count: true })
  for (const { state, _count: count } of deliveries)
    if (state !== 'delivered') problems.push(`${count} deliveries are ${state}`)
  const seen = new Map<string, number>()
  const first = new Set<string>()
  for (const { event } of receiver.received) {
    if (first.has(event.id)) continue
    first.add(event.id)
    const { type, id } = event.object
    const last = seen.get(`${type} ${id}`) ?? 0
    if (event.sequence <= last) problems.push(`${type} ${id}: ${event.sequence} arrived after ${last}`)
    seen.set(`${type} ${id}`, event.sequence)
  }
  if (first.size < events.length) problems.push(`${first.size} of ${events.length} events arrived`)
  return problems
}

function openingIdOf(answer: string): string {
  return (JSON.parse(answer) as { opening: { id: string } }).opening.id
}

function countOf(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

function toText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
