import { readdirSync } from 'node:fs'
import { expect } from 'chai'
import { parse } from 'yaml'
import { readDocument } from '../docs/markdown.ts'
import { needChartTools } from '../support/chart-tools.ts'
import type { ChartTools } from '../support/chart-tools.ts'
import { fieldOf } from './manifests.ts'

describe('the monitoring that the chart installs', function () {
  this.timeout(300_000)
  let tools: ChartTools

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
})
