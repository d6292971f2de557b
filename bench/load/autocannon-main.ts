import autocannon from 'autocannon'
import { formatNumber, formatResult } from './load.ts'
import type { Load } from './load.ts'

/** The load that is given as JSON in the first argument. */
const load = JSON.parse(process.argv[2] ?? '') as Load
let number = load.first

const result = await autocannon({
  url: load.url,
  connections: load.connections,
  duration: load.seconds,
  timeout: 30,
  requests: [
    {
      method: 'POST',
      path: load.operation.path,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${load.apiKey}` },
      // Beyond its numbers it sends one that is refused, which makes the run invalid.
      setupRequest: (request) => ({
        ...request,
        body: load.operation.bodyTemplate.replaceAll(
          '{n}',
          number > load.last ? 'none' : formatNumber(number++),
        ),
      }),
    },
  ],
})
console.log(
  formatResult({
    acknowledged: result['2xx'],
    failed: result.non2xx + result.errors,
    seconds: result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
  }),
)
