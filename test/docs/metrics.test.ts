import { expect } from 'chai'
import type { Registry } from 'prom-client'
import { createWorkerMetrics } from '../../worker/metrics.ts'
import { startService } from '../support/service.ts'
import { readDocument, readTable } from './markdown.ts'

/** Those of Node itself are prom-client's, and described there. */
const ours = (registry: Registry) =>
  registry
    .getMetricsAsArray()
    .map(({ name }) => name)
    .filter((name) => !/^(process|nodejs)_/.test(name))

describe('the metrics of docs/operations.md', () => {
  it('are those that the API and the worker have, and no other', async () => {
    const service = await startService()
    try {
      const expected = [
        ...ours(service.deps.metrics.registry).map((name) => `${name} API`),
        ...ours(createWorkerMetrics(service.deps.databaseClock).registry).map((name) => `${name} worker`),
      ]
      const rows = readTable(readDocument('docs/operations.md'), '## Metrics')
      expect(rows.map(([name = '', where = '']) => `${name} ${where}`)).to.have.members(expected)
      for (const [name, , meaning] of rows) expect(meaning, name).to.match(/\w{3}/)
    } finally {
      await service.stop()
    }
  })
})
