import { Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import type { Clock } from '../core/platform/clock.ts'
import { addCounter } from '../core/platform/known-series.ts'
import { loopNames } from './loop-names.ts'
import type { LoopName } from './loop-names.ts'

/** How a turn of a loop has ended. */
export type ObserveTurn = (loop: LoopName, end: 'done' | 'failed') => void

/** The alert compares both: a loop fails if it has failures, and meanwhile no success. */
export function addLoopMetrics(registry: Registry, clock: Clock): ObserveTurn {
  const failures = addCounter(registry, {
    name: 'rewards_loop_failures_total',
    help: 'Turns of a background loop that ended with an error, by loop.',
    labels: { loop: loopNames },
  })
  const lastSuccess = new Gauge({
    name: 'rewards_loop_last_success_timestamp_seconds',
    help: 'Unix time of the last turn of a background loop that ended without an error, by loop. Absent until then.',
    labelNames: ['loop'],
    registers: [registry],
  })
  return (loop, end) => {
    if (end === 'failed') failures({ loop }).inc()
    else lastSuccess.set({ loop }, clock.now().getTime() / 1_000)
  }
}
