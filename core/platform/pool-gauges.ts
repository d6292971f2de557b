import { Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import type { PoolUse } from './pool.ts'

/** The pools of a process, by their purpose. */
export type PoolsInUse = Readonly<Record<string, () => PoolUse>>

/** A pool that is always full, with statements that wait, is too small, or its database is slow. */
export function addPoolGauges(registry: Registry, pools: PoolsInUse): void {
  new Gauge({
    name: 'rewards_pool_connections',
    help: 'Connections to the database, by pool and state (busy, idle).',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [pool, inUse] of Object.entries(pools)) {
        const { busy, idle } = inUse()
        this.set({ pool, state: 'busy' }, busy)
        this.set({ pool, state: 'idle' }, idle)
      }
    },
  })
  addGauge(registry, pools, {
    name: 'rewards_pool_connections_limit',
    help: 'How many connections a pool may open, by pool.',
    valueOf: ({ max }) => max,
  })
  addGauge(registry, pools, {
    name: 'rewards_pool_waiting_statements',
    help: 'Statements and transactions that wait for a connection of their pool, by pool.',
    valueOf: ({ waiting }) => waiting,
  })
}

function addGauge(
  registry: Registry,
  pools: PoolsInUse,
  { name, help, valueOf }: { name: string; help: string; valueOf: (use: PoolUse) => number },
): void {
  new Gauge({
    name,
    help,
    labelNames: ['pool'],
    registers: [registry],
    collect() {
      for (const [pool, inUse] of Object.entries(pools)) this.set({ pool }, valueOf(inUse()))
    },
  })
}
