import { Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import { readOldestSnapshotSeconds, readTableRows } from '../core/platform/vacuum-state.ts'
import type { Database } from '../core/platform/database.ts'
import { addNumberGauge } from './gauges.ts'
import type { Ask } from './shared-answers.ts'

/** Whether PostgreSQL keeps up with removing dead rows, and the transactions that may prevent it. */
export function addVacuumGauges(
  registry: Registry,
  database: Database,
  ask: <Value>(name: string, question: () => Promise<Value>) => Ask<Value>,
): void {
  const tableRows = ask('table_rows', () => readTableRows(database))
  new Gauge({
    name: 'rewards_database_rows',
    help: 'The database’s estimate of the rows of each table, by state: live, or dead and not yet removed by a vacuum.',
    labelNames: ['table', 'state'],
    registers: [registry],
    async collect() {
      const tables = (await tableRows()) ?? []
      this.reset()
      for (const { table, live, dead } of tables) {
        this.set({ table, state: 'live' }, live)
        this.set({ table, state: 'dead' }, dead)
      }
    },
  })
  addNumberGauge(
    registry,
    {
      name: 'rewards_database_oldest_snapshot_age_seconds',
      help: 'Age of the oldest open transaction that keeps dead rows from being removed. Transactions of other roles count only with pg_read_all_stats.',
    },
    ask('oldest_snapshot', () => readOldestSnapshotSeconds(database)),
    (seconds) => seconds,
  )
}
