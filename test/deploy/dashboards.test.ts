import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { parse } from 'yaml'
import { newSigningSecret } from '../../core/partner/signature.ts'
import { dashboards, fileOf, renderDashboard } from '../../tools/dashboards/render.ts'
import { readDocument, readTable } from '../docs/markdown.ts'
import { createOperator } from '../api/admin/operator.ts'
import { createTestEnv } from '../support/config.ts'
import { usualBackend } from '../support/environment.ts'
import { atEndOfSuite } from '../support/at-end.ts'
import type { AtEnd } from '../support/at-end.ts'
import { eventually } from '../support/eventually.ts'
import { delivery } from '../support/factory.ts'
import { startFakeProvider } from '../support/fake-provider.ts'
import { startFakeReceiver } from '../support/fake-receiver.ts'
import { startFakeWallet, useWallet } from '../support/fake-wallet.ts'
import { startProcess } from '../support/processes.ts'
import { startPrometheus } from '../support/prometheus.ts'
import type { Prometheus } from '../support/prometheus.ts'
import { needPrometheus } from '../support/promtool.ts'
import { describeInLongForm } from '../support/runs.ts'
import { startService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'
import { createWorkFactory, makeAllDue } from '../support/work.ts'
import { findChartTools } from '../support/chart-tools.ts'
import { fieldOf } from './manifests.ts'

interface Panel {
  title: string
  type: string
  fieldConfig?: { defaults: { thresholds: { steps: Step[] }; mappings?: ValueMapping[] } }
  targets?: { expr: string }[]
}

interface Step {
  value: number | null
  color: string
}

interface ValueMapping {
  options: Record<number, { text: string }>
}

const operations = ['/box/open', '/prize/order', '/prize/cashback']
const folder = 'deploy/grafana'
const rules = readdirSync('deploy/prometheus').map((name) => join(process.cwd(), 'deploy/prometheus', name))

const files = readdirSync(folder).map(
  (file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as { title: string; panels: Panel[] },
)

/** The queries that Grafana sends to Prometheus, panel by panel. */
const panels = files.flatMap(({ title, panels: shown }) =>
  shown.flatMap((panel) =>
    (panel.targets ?? []).map(({ expr }) => ({ place: `${title}, ${panel.title}`, expr })),
  ),
)

/** The limits and the texts of the numbers, by title. */
const numbers = new Map(
  files
    .flatMap((file) => file.panels)
    .filter(({ type }) => type === 'stat')
    .map(({ title, fieldConfig }) => [
      title,
      {
        steps: fieldConfig?.defaults.thresholds.steps ?? [],
        mappings: fieldConfig?.defaults.mappings ?? [],
      },
    ]),
)

describe('deploy/grafana', () => {
  it('has what tools/dashboards describes (npm run docs:dashboards)', () => {
    expect(readdirSync(folder)).to.have.members(dashboards.map(fileOf))
    for (const dashboard of dashboards)
      expect(readFileSync(join(folder, fileOf(dashboard)), 'utf8')).to.equal(renderDashboard(dashboard))
  })

  it('shows every metric of docs/operate/watch.md, and no other of the service', () => {
    const metrics = readTable(readDocument('docs/operate/watch.md'), '## Metrics').map(([name = '']) => name)
    const shown = panels.flatMap(({ expr }) => expr.match(/\b(?:rewards|nodejs_eventloop)_\w+/g) ?? [])
    const names = shown.map((name) =>
      name.replace(/(_duration_seconds|_size|_lag_seconds|_delivery_seconds)_(bucket|count|sum)$/, '$1'),
    )
    expect(new Set(names)).to.deep.equal(new Set(metrics))
  })

  it('queries only one installation where several share a Prometheus', () => {
    expect(panels.length).to.be.greaterThan(50)
    for (const { place, expr } of panels)
      for (const [metric] of expr.matchAll(/\b(?:(?:rewards|process|nodejs)_\w+|ALERTS)/g))
        expect(expr, place).to.contain(`${metric}{namespace=~"$namespace"`)
  })

  it('draws the limits of the alerts', () => {
    const alerts = rules.flatMap((file) => {
      const { groups } = parse(readFileSync(file, 'utf8')) as { groups: { rules: { expr: string }[] }[] }
      return groups.flatMap((group) => group.rules.map(({ expr }) => expr))
    })
    const limited = dashboards
      .flatMap(({ rows }) => rows)
      .flatMap((row) => row.panels)
      .filter(({ limit }) => limit !== undefined)
    expect(limited.length).to.be.greaterThan(10)
    for (const { title, queries, limit } of limited) {
      const [metric = ''] = /(?:rewards|nodejs)_\w+/.exec(Object.values(queries).join()) ?? []
      const matching = alerts.filter((expr) => expr.includes(metric) && expr.endsWith(` > ${limit}`))
      expect(matching, title).to.have.length(1)
    }
  })
})

describe('the numbers of the dashboards', () => {
  /** The color of a value, and its text if it has one of its own. */
  const shown = (title: string, value: number) => {
    const { steps, mappings } = numbers.get(title) ?? expect.fail(`there is no number ${title}`)
    const color = steps.filter((step) => step.value === null || step.value <= value).at(-1)?.color
    return [color, ...mappings.map(({ options }) => options[value]?.text)]
  }

  it('are red if what they report is bad', () => {
    for (const title of ['Database', 'Queue backend']) {
      expect(shown(title, 1)).to.deep.equal(['green', 'up'])
      expect(shown(title, 0)).to.deep.equal(['red', 'down'])
    }
    for (const title of ['Firing alerts', 'Audit entries refused within a day', 'Cashbacks for operators']) {
      expect(shown(title, 0)).to.deep.equal(['green'])
      expect(shown(title, 1)).to.deep.equal(['red'])
    }
    expect(shown('Failed', 0.0009)).to.deep.equal(['green'])
    expect(shown('Failed', 0.001)).to.deep.equal(['red'])
    expect(shown('Oldest work', 59)).to.deep.equal(['green'])
    expect(shown('Oldest work', 60)).to.deep.equal(['red'])
  })

  it('are never green without a limit', () => {
    const unlimited = [...numbers].filter(([, { steps }]) => steps.length === 1)
    expect(unlimited.map(([title]) => title)).to.have.members([
      'Requests',
      'Slowest 1 %',
      'Orders for operators',
    ])
    for (const [title] of unlimited) expect(shown(title, 0), title).to.deep.equal(['blue'])
  })
})

describeInLongForm('the dashboards, asked of a Prometheus that scrapes an API and a worker', function () {
  this.timeout(180_000)
  const atEnd = atEndOfSuite()
  let prometheus: Prometheus

  before(async function () {
    needPrometheus(this)
    const env = await createTestEnv(usualBackend)
    // Not a replica, so that it is not used; but its gauges have values.
    const service = await startService({ env: { ...env, DATABASE_REPLICA_URL: env['DATABASE_URL'] ?? '' } })
    atEnd(() => service.stop())
    const worker = await startProcess('worker', { ...service.env, WORKER_PORT: '0' })
    atEnd(() => worker.kill())
    const labels = { namespace: 'casino-rewards' }
    prometheus = await startPrometheus(
      [service.url, worker.url].map((url) => ({ url, labels })),
      rules,
    )
    atEnd(() => prometheus.stop())
    // A rate needs two scrapes with the counter, and the counter of a status exists only after its first answer.
    await eventually('both are scraped', async () => (await prometheus.ask('up == 1')).length === 2)
    await useEverything(service, atEnd)
    const answered = `rewards_http_requests_total{route=~"${operations.join('|')}",status="200"}`
    await eventually(
      'it is scraped',
      async () => (await prometheus.ask(answered)).length === operations.length,
    )
    await useEverything(service, atEnd)
    await service.drain()
    await keepUnderLoad(service, atEnd)
  })

  for (const { title } of dashboards) {
    it(`have values in every panel: ${title}`, async () => {
      const asked = panels.filter(({ place }) => place.startsWith(`${title}, `))
      expect(asked).not.to.be.empty
      for (const { place, expr } of asked) {
        const expression = expr.replaceAll('$__rate_interval', '5m').replaceAll('$namespace', '.*')
        await eventually(`${place}: ${expr}`, async () => (await prometheus.ask(expression)).length > 0)
      }
    })
  }

  it('have been asked under load', async () => {
    const busy = `sum by (route) (rate(rewards_http_requests_total{route=~"${operations.join('|')}",status="200"}[10s])) > 1`
    await eventually(busy, async () => (await prometheus.ask(busy)).length === operations.length)
    const jobs = 'sum(rate(rewards_job_duration_seconds_count{outcome="done"}[10s])) > 1'
    await eventually(jobs, async () => (await prometheus.ask(jobs)).length === 1)
  })

  it('count the work by which KEDA scales the workers', async function () {
    const tools = await findChartTools()
    if (tools === undefined) return this.skip()
    const manifests = await tools.render('--values', 'test/deploy/values/keda-prometheus.yaml')
    const scaled = manifests.find(({ kind }) => kind === 'ScaledObject')
    const query = String(fieldOf(scaled?.spec, 'triggers', '0', 'metadata', 'query'))
    // As with the panels, there is no value after a slow scrape until the next one.
    await eventually(query, async () => (await prometheus.ask(query)).length === 1)
  })
})

/** Several callers that repeat the three operations until the end. */
async function keepUnderLoad({ factory, client }: TestService, atEnd: AtEnd): Promise<void> {
  const casino = await factory.casino()
  const itemId = await factory.item(casino.id)
  const boxId = await factory.box(casino.id, {
    entries: [{ itemId, weight: 1 }],
    limit: { count: 1_000_000, period: 'lifetime' },
  })
  let isOver = false
  const call = async (_: unknown, caller: number) => {
    while (!isOver) {
      const taken = await factory.prize(casino.id)
      const ordered = await factory.prize(casino.id)
      const bodies = {
        '/box/open': { player_id: `caller-${caller}`, box_id: boxId },
        '/prize/cashback': { player_id: taken.playerId, prize_id: taken.prizeId },
        '/prize/order': { player_id: ordered.playerId, prize_id: ordered.prizeId, ...delivery },
      }
      for (const [path, body] of Object.entries(bodies))
        expect((await client.post(path, casino.apiKey, body)).status, path).to.equal(200)
    }
  }
  const callers = Promise.all(Array.from({ length: 4 }, call))
  atEnd(async () => {
    isOver = true
    await callers
  })
}

/** Requests for each operation, and calls to each kind of partner, so that everything is measured at least once. */
async function useEverything(service: TestService, atEnd: AtEnd): Promise<void> {
  const { factory, client, database, deps } = service
  const wallet = await startFakeWallet()
  atEnd(() => wallet.stop())
  const secret = newSigningSecret()
  const provider = await startFakeProvider(secret)
  atEnd(() => provider.stop())
  const receiver = await startFakeReceiver()
  atEnd(() => receiver.stop())

  const casino = await factory.casino()
  const operator = createOperator(client, casino.apiKey)
  await useWallet(database, deps.config, casino.id, wallet)
  const fulfilment = { kind: 'http', url: provider.url, secret, timeout_ms: 5_000, poll_minutes: 60 }
  expect((await operator.put(`/${casino.id}/settings/fulfilment`, fulfilment)).status).to.equal(200)
  const endpoint = { url: `${receiver.url}/webhooks` }
  expect((await operator.put(`/${casino.id}/webhook-endpoints/all`, endpoint)).status).to.equal(201)

  const itemId = await factory.item(casino.id)
  const boxId = await factory.box(casino.id, {
    entries: [{ itemId, weight: 1 }],
    limit: { count: 1, period: 'lifetime' },
  })
  const play = async (path: string, body: object) => {
    expect((await client.post(path, casino.apiKey, body)).status, path).to.equal(200)
  }
  await play('/box/open', { player_id: 'player', box_id: boxId })
  const taken = await factory.prize(casino.id)
  await play('/prize/cashback', { player_id: taken.playerId, prize_id: taken.prizeId })
  const ordered = await factory.prize(casino.id)
  await play('/prize/order', { player_id: ordered.playerId, prize_id: ordered.prizeId, ...delivery })
  const order = await database.prizeOrder.findFirstOrThrow({ where: { prizeId: ordered.prizeId } })
  expect((await operator.post(`/${casino.id}/orders/${order.id}/confirm`)).status).to.equal(200)
  // The relay finds work that no process has enqueued.
  await createWorkFactory(database, deps.config).cashbacks(1)
  await makeAllDue(database)
}
