import pg from 'pg'
import { readConfig } from '../../core/platform/config.ts'
import { createWorkerDeps } from '../../worker/deps.ts'
import { createLoops } from '../../worker/loops.ts'
import { startLines } from '../../worker/workers.ts'
import { analyzeFilled } from '../seed.ts'
import { medianMs } from './beside.ts'
import type { World } from './world.ts'

/** How long something takes with the usual number of rows, and with many. */
export interface Timed {
  what: string
  ms: number
}

const times = 5

/** Lists with each of their filters, as the console and scripts read them. */
const lists = [
  '/orders?limit=100',
  '/orders?limit=100&order=asc',
  '/orders?limit=100&state=pending_confirmation',
  '/orders?limit=100&state=exception',
  '/orders?limit=100&player_id=player_7',
  '/orders?limit=100&player_id=player_7&state=exception',
  '/orders?limit=100&created_from=2020-01-01T00:00:00Z&created_until=2020-01-02T00:00:00Z',
  '/cashbacks?limit=100',
  '/cashbacks?limit=100&state=manual_review',
  '/cashbacks?limit=100&created_from=2020-01-01T00:00:00Z&created_until=2020-01-02T00:00:00Z',
  '/players/player_7/prizes?limit=100',
  '/players/player_7/prizes?limit=100&state=won',
  '/players/player_7/grants?limit=100',
  '/players/player_7/balance',
  '/events?limit=100',
  '/audit?limit=100',
  '/boxes?limit=100',
  '/items?limit=100',
]

/** Open orders and resting work, beside the history that every benchmark has. */
export async function seedOpenOrders(databaseUrl: string, rows: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const each = `FROM generate_series(1, ${rows}) AS n`
    await client.query(`
      INSERT INTO prize (casino_id, id, player_id, item_id, item_name, kind, state, revision, created_at, updated_at)
      SELECT 'earlier', 'prz_open_' || n, 'player_' || n % 5000, 'item-1', 'Coffee maker 1', 'physical', 'ordered', 2,
             now(), now() ${each}`)
    await client.query(`
      INSERT INTO prize_order (id, casino_id, prize_id, player_id, state, revision, delivery_ciphertext, delivery_key,
                               delivery_key_id, announced_at, created_at, updated_at)
      SELECT 'ord_open_' || n, 'earlier', 'prz_open_' || n, 'player_' || n % 5000, 'pending_confirmation', 1,
             decode(repeat('00', 350), 'hex'), decode(repeat('00', 60), 'hex'), 'bench', now() - interval '5 days', now() - interval '5 days', now() ${each}`)
    await client.query(`
      INSERT INTO outbox (job_name, object_id, due_at, snoozed_until)
      SELECT 'fulfil-prize-order', 'ord_open_' || n, now() + interval '30 days', now() + interval '30 days' ${each}`)
    await analyzeFilled(client)
  } finally {
    await client.end()
  }
}

/** Lists and scrapes, over HTTP. */
export async function timeReads(world: World): Promise<Timed[]> {
  const timed: Timed[] = []
  for (const path of lists) timed.push({ what: `GET ${path}`, ms: await timeRead(world, path) })
  return [...timed, { what: 'GET /metrics', ms: await timeRead(world, '//metrics') }]
}

function timeRead(world: World, path: string): Promise<number> {
  return medianMs(times, async () => {
    const status = await world.send('GET', path)
    if (status !== 200) throw new Error(`GET ${path} was answered with ${status}`)
  })
}

/** One turn of each of a worker's loops that finds little to do. */
export async function timeLoops(env: NodeJS.ProcessEnv): Promise<Timed[]> {
  const { deps, close } = createWorkerDeps(readConfig(env))
  try {
    await deps.compareClocks.tryOnce()
    const timed: Timed[] = []
    for (const { name, runOnce } of createLoops(deps, startLines(deps), () => undefined)) {
      if (name === 'watch-liveness') continue // asks the queues alone
      timed.push({ what: `a turn of ${name}`, ms: await medianMs(times, runOnce) })
    }
    return timed
  } finally {
    await close()
  }
}
