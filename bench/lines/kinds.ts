import { setTimeout as delay } from 'node:timers/promises'
import { noisyCasino } from '../neighbours/world.ts'
import type { World } from '../neighbours/world.ts'

/** A kind of work that waits in lines. */
export interface LineKind {
  name: string
  /** The partner's answer to each call. */
  answer: string
  /** Makes the casino use the partner at this URL, and causes this many calls to it. */
  begin: (world: World, url: string, count: number) => Promise<void>
}

const requestsAtOnce = 32
/** Longer than the two seconds for which a process uses a setting that it has read. */
const settingKnownMs = 2_500

async function beginDeliveries(world: World, url: string, count: number): Promise<void> {
  await expectOk(world.send('PUT', '/webhook-endpoints/line', { url }))
  await world.database.query(
    `INSERT INTO event (casino_id, object_type, object_id, sequence, type, to_state, actor, created_at)
     SELECT $1, 'prize', 'prz_line_' || n, 1, 'prize.won', 'won', 'key:line', now()
       FROM generate_series(1, $2::int) AS n`,
    [noisyCasino, count],
  )
}

async function beginCredits(world: World, url: string, count: number): Promise<void> {
  await expectOk(world.send('PUT', '/settings/wallet', { kind: 'http', url, timeout_ms: 30_000 }))
  await delay(settingKnownMs)
  const { rows } = await world.database.query<{ id: string; player_id: string }>(
    `INSERT INTO prize (casino_id, id, player_id, item_id, item_name, kind, cashback_amount_minor, cashback_currency,
                        state, created_at, updated_at)
     SELECT $1, 'prz_' || lpad(to_hex(n), 32, '0'), 'player_' || n, 'item-1', 'Coffee maker 1', 'physical', 2500, 'EUR',
            'won', now(), now()
       FROM generate_series(1, $2::int) AS n
     RETURNING id, player_id`,
    [noisyCasino, count],
  )
  const waiting = rows.values()
  const request = async () => {
    for (const { id, player_id } of waiting)
      await expectOk(world.send('POST', '//play/prize/cashback', { player_id, prize_id: id }))
  }
  await Promise.all(Array.from({ length: requestsAtOnce }, request))
}

async function expectOk(sent: Promise<number>): Promise<void> {
  const status = await sent
  if (status < 200 || status > 299) throw new Error(`a request of the benchmark was answered with ${status}`)
}

export const lineKinds: readonly LineKind[] = [
  { name: 'webhook', answer: '', begin: beginDeliveries },
  { name: 'wallet', answer: '{"status":"credited"}', begin: beginCredits },
]
