import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect } from 'chai'
import { parse } from 'yaml'
import { readDocument, readSection } from '../docs/markdown.ts'
import { atEndOfSuite } from '../support/at-end.ts'
import { needPrometheus, runPromtool } from '../support/promtool.ts'
import { alertCases } from './alert-cases.ts'
import type { AlertCase } from './alert-cases.ts'
import { itInLongForm } from '../support/runs.ts'

interface Rule {
  alert: string
  expr: string
  for?: string
  labels: Record<string, string>
  annotations: { summary: string; runbook_url: string }
}
type Alert = Rule & { file: string }

const folder = 'deploy/prometheus'
const files = readdirSync(folder).map((name) => join(folder, name))
const alerts = files.flatMap((file) => {
  const { groups } = parse(readFileSync(file, 'utf8')) as {
    groups: { rules: (Rule | { record: string })[] }[]
  }
  return groups
    .flatMap((group) => group.rules)
    .flatMap((rule) => ('alert' in rule ? [{ ...rule, file: resolve(file) }] : []))
})
const runbook = readDocument('docs/operate/alerts.md')
const headings = runbook.split('\n').filter((line) => line.startsWith('## Alert'))

/** The anchor of a heading, as pages of Markdown have it. */
function anchorOf(heading: string): string {
  return heading
    .replace(/^#+ /, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-')
}

const unitSeconds = { s: 1, m: 60, h: 3_600, d: 86_400 }

function secondsOf(duration = '0s'): number {
  const [, amount, unit] = /^(\d+)([smhd])$/.exec(duration) ?? []
  return Number(amount) * unitSeconds[unit as keyof typeof unitSeconds]
}

/** The time between samples and between evaluations: longer for an alert that waits long. */
const stepOf = (alert: Alert) => (secondsOf(alert.for) >= 3_600 ? 60 : 15)
/** After this many steps a rate has two samples, and a counter has counted. */
const stepsAtFirst = 2

/** A promtool test: the series, and whether the alert fires at the first moment at which it can. */
function testOf(alert: Alert, { fires, quiet, labels = {} }: AlertCase) {
  const step = stepOf(alert)
  const firesAt = stepsAtFirst * step + secondsOf(alert.for)
  const count = Math.ceil(firesAt / step) + 1
  const toTest = (series: AlertCase['fires'], expected: { at: number; isFiring: boolean }[]) => ({
    interval: `${step}s`,
    input_series: Object.entries(series).map(([name, values]) => ({
      series: name,
      values: typeof values === 'number' ? `${values}+0x${count}` : `${values}${count}`,
    })),
    alert_rule_test: expected.map(({ at, isFiring }) => ({
      eval_time: `${at}s`,
      alertname: alert.alert,
      exp_alerts: isFiring
        ? [{ exp_labels: { ...labels, ...alert.labels }, exp_annotations: alert.annotations }]
        : [],
    })),
  })
  const tests = [
    toTest(fires, [{ at: firesAt, isFiring: true }]),
    toTest(quiet, [{ at: firesAt, isFiring: false }]),
  ]
  // The condition holds from the first sample of a gauge, and from the second of a counter at the earliest.
  const pending = secondsOf(alert.for) - step
  if (pending >= 0) tests.push(toTest(fires, [{ at: pending, isFiring: false }]))
  return { rule_files: [alert.file], evaluation_interval: `${step}s`, tests }
}

/** Promtool's output for each alert, from a single process, because it starts slowly. */
async function testAlerts(work: string): Promise<Map<string, string>> {
  const paths = alerts.map((alert) => {
    const alertCase = alertCases[alert.alert]
    if (alertCase === undefined) throw new Error(`no case for ${alert.alert}`)
    const path = join(work, `${alert.alert}.json`)
    writeFileSync(path, JSON.stringify(testOf(alert, alertCase)))
    return path
  })
  const { said } = await runPromtool(['test', 'rules', ...paths])
  const texts = said.split('Unit Testing:').slice(1)
  return new Map(texts.map((text) => [/(\w+)\.json/.exec(text)?.[1] ?? '', text]))
}

describe('deploy/prometheus', function () {
  this.timeout(120_000)
  const work = mkdtempSync(join(tmpdir(), 'rewards-rules-'))
  atEndOfSuite()(() => {
    rmSync(work, { recursive: true })
  })
  let tested: Promise<Map<string, string>> | undefined

  it('has an alert for each section of the runbook that a metric can report, and a section for each alert', () => {
    const anchors = new Set(alerts.map(({ annotations }) => annotations.runbook_url))
    const isOfLog = (heading: string) => readSection(runbook, heading).trimStart().startsWith('The log line')
    const expected = headings.filter((heading) => !isOfLog(heading))
    expect(expected.length).to.be.greaterThan(headings.length - 3)
    expect([...anchors]).to.have.members(
      expected.map((heading) => `docs/operate/alerts.md#${anchorOf(heading)}`),
    )
  })

  it('has the expressions that the sections have', () => {
    for (const { alert, expr, annotations } of alerts) {
      const heading = headings.find((line) => annotations.runbook_url.endsWith(`#${anchorOf(line)}`)) ?? ''
      expect(readSection(runbook, heading), alert).to.contain(`\`${expr}\``)
    }
  })

  it('has a case for each alert, and an alert for each case', () => {
    expect(Object.keys(alertCases)).to.have.members(alerts.map(({ alert }) => alert))
    for (const { alert, labels } of alerts) expect(labels['severity'], alert).to.be.oneOf(['page', 'ticket'])
  })

  it('is valid for Prometheus', async function () {
    needPrometheus(this)
    const { isAccepted, said } = await runPromtool(['check', 'rules', '--lint-fatal', ...files])
    expect(isAccepted, said).to.equal(true)
  })

  for (const alert of alerts) {
    itInLongForm(`fires when it must, and not just before: ${alert.alert}`, async function () {
      needPrometheus(this)
      tested ??= testAlerts(work)
      const said = (await tested).get(alert.alert) ?? 'promtool says nothing of it'
      expect(said.trim().endsWith('SUCCESS'), said).to.equal(true)
    })
  }
})
