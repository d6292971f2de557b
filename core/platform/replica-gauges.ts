import { Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import { addCounter } from './known-series.ts'
import type { Replica } from './replica.ts'

/** Adds the metrics of the replica; the gauges have no value without one. */
export function addReplicaMetrics(
  registry: Registry,
  replica: Pick<Replica, 'state' | 'countReads'> | undefined,
): void {
  new Gauge({
    name: 'rewards_replica_up',
    help: '1 if lists and reports are read from the replica, 0 if they are read from the primary instead.',
    registers: [registry],
    collect() {
      if (replica === undefined) this.remove()
      else this.set(replica.state().problem === undefined ? 1 : 0)
    },
  })
  new Gauge({
    name: 'rewards_replica_lag_seconds',
    help: 'For how long the replica has lacked something that the primary has; 0 if it has everything.',
    registers: [registry],
    collect() {
      if (replica === undefined) this.remove()
      else this.set(replica.state().lagSeconds)
    },
  })
  const reads = addCounter(registry, {
    name: 'rewards_replica_reads_total',
    help: 'Lists and reports that were read, by server (replica, primary).',
    labels: { server: ['replica', 'primary'] },
  })
  replica?.countReads((server) => {
    reads({ server }).inc()
  })
}
