import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { parse } from 'yaml'
import { readDocument } from '../docs/markdown.ts'
import { atEndOfTest } from '../support/at-end.ts'
import { chart, needChartTools } from '../support/chart-tools.ts'
import type { ChartTools } from '../support/chart-tools.ts'
import { fieldOf } from './manifests.ts'

describe('the files that the chart has of others', () => {
  it('are copies (npm run docs:dashboards), not links, which Flux leaves out', () => {
    const entries = readdirSync(chart, { recursive: true, withFileTypes: true })
    expect(entries.length).to.be.greaterThan(10)
    for (const entry of entries) expect(entry.isSymbolicLink(), entry.name).to.equal(false)
    for (const [copy, source] of Object.entries({ rules: 'prometheus', dashboards: 'grafana' })) {
      expect(readdirSync(join(chart, copy))).to.have.members(readdirSync(`deploy/${source}`))
      for (const name of readdirSync(join(chart, copy)))
        expect(readDocument(`deploy/helm/casino-rewards/${copy}/${name}`), name).to.equal(
          readDocument(`deploy/${source}/${name}`),
        )
    }
  })
})

describe('the monitoring that the chart installs', function () {
  this.timeout(300_000)
  let tools: ChartTools
  const atEnd = atEndOfTest()

  before(async function () {
    tools = await needChartTools(this)
  })

  const render = async (kind: string, set: string) => {
    const manifests = await tools.render('--values', `test/deploy/values/${set}.yaml`)
    return manifests.filter((manifest) => manifest.kind === kind)
  }

  it('has the alert rules of deploy/prometheus, with the address of the runbook', async () => {
    const groups = readdirSync('deploy/prometheus').flatMap((name) => {
      const file = parse(readDocument(`deploy/prometheus/${name}`)) as { groups: object[] }
      return file.groups
    })
    expect(groups.length).to.be.greaterThan(3)
    expect((await render('PrometheusRule', 'strict')).map(({ spec }) => spec)).to.deep.equal([{ groups }])
    const [rule] = await render('PrometheusRule', 'keda-prometheus')
    expect(rule?.metadata.labels).to.include({ release: 'prometheus' })
    const base = 'https://git.example/casino-rewards/'
    const addressed = JSON.stringify(groups).replaceAll('"docs/operate/', `"${base}docs/operate/`)
    expect(addressed).to.contain(base)
    expect(rule?.spec).to.deep.equal({ groups: JSON.parse(addressed) as object[] })
  })

  it('has the dashboards of deploy/grafana, under the label of the sidecar', async () => {
    const files = readdirSync('deploy/grafana')
    expect(files).to.have.length(3)
    const maps = await render('ConfigMap', 'keda-prometheus')
    const data = maps.flatMap((map) => Object.entries(fieldOf(map, 'data') as Record<string, string>))
    expect(Object.fromEntries(data)).to.deep.equal(
      Object.fromEntries(files.map((file) => [file, readDocument(`deploy/grafana/${file}`)])),
    )
    for (const { metadata } of maps) {
      expect(metadata.labels).to.include({ grafana_dashboard: '1', team: 'rewards' })
      expect(metadata).to.have.deep.property('annotations', { grafana_folder: 'Rewards' })
    }
  })

  it('is refused by a copy of the chart that lacks its files', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rewards-chart-'))
    atEnd(() => {
      rmSync(folder, { recursive: true })
    })
    cpSync(chart, folder, { recursive: true })
    const parts = { prometheusRule: 'rules', dashboards: 'dashboards' }
    for (const part of Object.values(parts)) rmSync(join(folder, part), { recursive: true })
    expect(await tools.helm('template', 'casino-rewards', folder)).to.contain('kind: Deployment')
    for (const [value, part] of Object.entries(parts)) {
      const said = await tools
        .helm('template', 'casino-rewards', folder, '--set', `${value}.enabled=true`)
        .then(
          () => 'rendered',
          (error: unknown) => String(error),
        )
      expect(said).to.contain(`${value}.enabled: this copy of the chart has no files in ${part}/`)
    }
  })
})
