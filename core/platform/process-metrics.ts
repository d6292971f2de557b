import { setImmediate } from 'node:timers/promises'
import { collectDefaultMetrics, Registry } from 'prom-client'

/** Sums of metrics that are there by type too. Only a counter's name may end with `_total`, and they are gauges. */
const misnamed = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
]

/**
 * The timer that measures delays wakes an idle process: each 10 ms, which is the default, that is most of its CPU, and each
 * 50 ms still more than half of an idle API's. The measured delays contain this interval, and what blocks the process within the first one after a scrape is not seen.
 */
export const lagPrecisionMs = 200

/** One process has them once, whatever else it runs. */
let ofThisProcess: Registry | undefined

/** Adds the usual metrics of Node and its process. */
export function addProcessMetrics(registry: Registry): void {
  ofThisProcess ??= collect()
  for (const { name } of ofThisProcess.getMetricsAsArray()) {
    const metric = ofThisProcess.getSingleMetric(name)
    if (metric !== undefined && !misnamed.includes(name)) registry.registerMetric(metric)
  }
}

function collect(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: lagPrecisionMs })
  return registry
}

/**
 * The text of all metrics. A task that blocked the process is measured by a timer, and rendering resets what it
 * measured: a scrape that arrived during that task lets the timer run first. The event loop runs its timers between two immediates.
 */
export async function renderMetrics(registry: Pick<Registry, 'metrics'>): Promise<string> {
  await setImmediate()
  await setImmediate()
  return registry.metrics()
}
