import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { expect } from 'chai'
import { Registry } from 'prom-client'
import { addProcessMetrics, lagPrecisionMs, renderMetrics } from '../../../core/platform/process-metrics.ts'
import { eventually } from '../../support/eventually.ts'

describe('the metrics of a process', () => {
  it('have the task that blocked it while the scrape arrived', async () => {
    const registry = new Registry()
    addProcessMetrics(registry)
    await renderMetrics(registry) // begins to count, with the first sample after it
    const samples = monitorEventLoopDelay({ resolution: lagPrecisionMs })
    samples.enable()
    await eventually('a sample was taken', () => samples.count > 0)
    samples.disable()
    // A task of a timer: the next things that happen are connections, and the timer that measures comes after them.
    await setTimeout(1)
    const end = performance.now() + 3 * lagPrecisionMs
    while (performance.now() < end);
    const longest = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(await renderMetrics(registry))?.[1]
    expect(Number(longest)).to.be.within((2.5 * lagPrecisionMs) / 1_000, 60)
  })
})
