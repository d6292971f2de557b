import { expect } from 'chai'
import type { Registry } from 'prom-client'
import { publicProblem } from '../../core/partner/public-problem.ts'
import { createRoutes } from '../../api/routes.ts'
import { reviewLabels } from '../../worker/review-labels.ts'
import { createWorkerMetrics } from '../../worker/metrics.ts'
import { atEndOfSuite } from '../support/at-end.ts'
import { startService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'
import { readDocument, readSection, readTable } from './markdown.ts'

/** All metrics except Node's own, which prom-client describes; but with the one of those that has an alert. */
const ours = async (registry: Registry) =>
  (await registry.getMetricsAsJSON()).filter(
    ({ name }) => name === 'nodejs_eventloop_lag_max_seconds' || !/^(process|nodejs)_/.test(name),
  )

const noPool = () => ({ busy: 0, idle: 0, max: 0, waiting: 0 })

/** The series of a registry, one per line, as Prometheus scrapes them. */
const readSeries = async (registry: Registry) =>
  (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))

describe('the metrics of docs/operate/watch.md', () => {
  let service: TestService
  let registries: { where: 'API' | 'worker'; registry: Registry }[]
  const alerts = readDocument('docs/operate/alerts.md')
  const rows = readTable(readDocument('docs/operate/watch.md'), '## Metrics')

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
    registries = [
      { where: 'API', registry: service.deps.metrics.registry },
      {
        where: 'worker',
        registry: createWorkerMetrics({
          clock: service.deps.databaseClock,
          databaseClock: service.deps.databaseClock,
          pools: { worker: noPool },
        }).registry,
      },
    ]
  })

  it('are those of the API and the worker, and no others', async () => {
    const expected = await Promise.all(
      registries.map(async ({ where, registry }) =>
        (await ours(registry)).map(({ name }) => `${name} ${where}`),
      ),
    )
    expect(rows.map(([name = '', where = '']) => `${name} ${where}`)).to.have.members(expected.flat())
    for (const [name, , meaning] of rows) expect(meaning, name).to.match(/\w{3}/)
  })

  it('begin at 0 when they count, and the table names every value of their labels', async () => {
    for (const { where, registry } of registries) {
      for (const metric of await ours(registry)) {
        if (String(metric.type) === 'gauge') continue
        const { values } = metric
        expect(values, metric.name).not.to.be.empty
        expect(new Set(values.map(({ value }) => value)), metric.name).to.deep.equal(new Set([0]))
        const meaning = rows.find(([name, at]) => name === metric.name && at === where)?.[2] ?? ''
        for (const { labels } of values) {
          for (const [label, value] of Object.entries(labels)) {
            if (label === 'le') continue
            expect(meaning, metric.name).to.contain(`\`${label}\``)
            if (['method', 'route', 'problem', 'loop'].includes(label)) continue // see below
            if (metric.name === 'rewards_http_requests_total') expect(['500', '503']).to.include(value)
            else expect(meaning, metric.name).to.contain(`\`${String(value)}\``)
          }
        }
      }
    }
  })

  it('begin at 0 for every route', async () => {
    const series = await readSeries(service.deps.metrics.registry)
    const routes = createRoutes(service.deps, () => false).map(({ method, path }) => [method, path] as const)
    const pages = [
      ['GET', '/ops/'],
      ['GET', '/ops/login'],
      ['POST', '/ops/login'],
      ['POST', '/ops/logout'],
      ['GET', '/ops/queues'],
    ] as const
    for (const [method, route] of [...routes, ...pages, ['other', 'unknown'] as const]) {
      expect(series)
        .to.include(`rewards_http_requests_total{method="${method}",route="${route}",status="500"} 0`)
        .and.to.include(`rewards_http_requests_total{method="${method}",route="${route}",status="503"} 0`)
        .and.to.include(`rewards_http_request_duration_seconds_count{method="${method}",route="${route}"} 0`)
    }
  })

  it('count every problem of docs/integrate/wallets.md under its own label', () => {
    const problems = readTable(readDocument('docs/integrate/wallets.md'), '## Problems')
      .filter(([, meaning = '']) => !/^Of a (declined|credited) cashback/.test(meaning))
      .flatMap(([codes = '']) => codes.split(/[`, ]+/).filter((code) => code !== ''))
    expect(problems).to.include('no_answer')
    const labels = reviewLabels.filter((label) => !/^(status_|other)/.test(label)).map(publicProblem)
    expect(problems).to.have.members([...new Set(labels), 'status_…'])
  })

  it('with the label loop have all of its values listed under Loops', async () => {
    const text = readSection(readDocument('docs/operate/watch.md'), '### Loops')
    const series = (await Promise.all(registries.map(({ registry }) => readSeries(registry)))).flat()
    for (const metric of ['rewards_loop_failures_total', 'rewards_objects_set_aside']) {
      const loops = series.flatMap((line) => new RegExp(`^${metric}\\{loop="(.+)"\\}`).exec(line)?.[1] ?? [])
      expect(loops, metric).to.include('relay-outbox')
      const [, paragraph = ''] = new RegExp(`\`${metric}\` has (.*)`).exec(text) ?? []
      const listed = [...paragraph.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name)
      expect(listed, metric).to.have.members(loops)
    }
  })

  it('have every series of the alerts from the start', async () => {
    const series = (await Promise.all(registries.map(({ registry }) => readSeries(registry)))).flat()
    const headings = alerts.split('\n').filter((line) => line.startsWith('## Alert'))
    const names = new Set<string>()
    for (const heading of headings) {
      const text = readSection(alerts, heading)
        .replaceAll(/^ *```[\s\S]*?```$/gm, '')
        .replaceAll(/\b(by|on) \([^)]*\)/g, '')
      for (const [, name = '', matchers = ''] of text.matchAll(
        /(?<![:\w])([a-z]+(?:_[a-z]+)+)(?!:)(\{[^}]*\})?[^`]*[<>=] ?\d+`/g,
      )) {
        names.add(name)
        const counts = /_(total|count)$/.test(name)
        const metric = name.replace(/_count$/, '')
        expect(
          rows.map(([row]) => row),
          heading,
        ).to.include(metric)
        if (!counts) continue
        const label = /^\{(.*)\}$/.exec(matchers)?.[1] ?? ''
        const zero = series.filter((line) => line.startsWith(`${name}{`) && line.includes(label))
        expect(zero, `${heading}: ${name}${matchers}`).not.to.be.empty
      }
    }
    expect(names)
      .to.include('rewards_cashbacks_reviewed_total')
      .and.to.include('rewards_job_duration_seconds_count')
    expect(names.size).to.be.greaterThan(10)
  })
})
