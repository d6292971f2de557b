import { collectDefaultMetrics } from 'prom-client'
import type { Registry } from 'prom-client'

/** Sums of metrics that are there by type too. Only a counter's name may end with `_total`, and they are gauges. */
const misnamed = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
]

/** The usual metrics of Node and its process. */
export function addProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry })
  for (const name of misnamed) registry.removeSingleMetric(name)
}
