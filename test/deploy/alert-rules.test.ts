import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { parse } from 'yaml'
import { readDocument, readSection } from '../docs/markdown.ts'
import { atEndOfSuite } from '../support/at-end.ts'
import { needPrometheus, runPromtool } from '../support/promtool.ts'
import { alertCases, inNamespace } from './alert-cases.ts'
import type { AlertCase, Course } from './alert-cases.ts'
import { itInLongForm } from '../support/runs.ts'

interface Rule {
  alert: string
  expr: string
  for?: string
  labels: Record<string, string>
  annotations: { summary: string; runbook_url: string }
}
interface RecordingRule {
  record: string
  expr: string
}

const folder = 'deploy/prometheus'
const files = readdirSync(folder).map((name) => join(folder, name))
const rules = files.flatMap((file) => {
  const { groups } = parse(readFileSync(file, 'utf8')) as { groups: { rules: (Rule | RecordingRule)[] }[] }
  return groups.flatMap((group) => group.rules)
})
const alerts = rules.flatMap((rule) => ('alert' in rule ? [rule] : []))
const records = rules.flatMap((rule) => ('record' in rule ? [rule] : []))
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
const stepOf = (alert: Rule) => (secondsOf(alert.for) >= 3_600 ? 60 : 15)
/** After this many steps a rate has two samples, and a counter has counted. */
const stepsAtFirst = 2

/** Files of promtool tests: whether the alert fires at the first moment at which it can, and the courses of its case. */
function testOf(alert: Rule, { fires, quiet, labels = {}, courses = [] }: AlertCase) {
  const step = stepOf(alert)
  const firesAt = stepsAtFirst * step + secondsOf(alert.for)
  const count = Math.ceil(firesAt / step) + 1
  const toCourse = (series: AlertCase['fires'], ...moments: Course['moments']): Course => ({
    stepSeconds: step,
    series: Object.fromEntries(
      Object.entries(series).map(([name, values]) => [
        name,
        typeof values === 'number' ? `${values}+0x${count}` : `${values}${count}`,
      ]),
    ),
    moments,
  })
  // The condition holds from the first sample of a gauge, and from the second of a counter at the earliest.
  const pending = secondsOf(alert.for) - step
  const constant = [
    toCourse(fires, { atSeconds: firesAt, firing: [labels] }),
    toCourse(quiet, { atSeconds: firesAt, firing: [] }),
    // Beside another installation that is well, which also shows that the alert names its own.
    toCourse(
      { ...allInNamespace('ill', fires), ...allInNamespace('well', quiet) },
      { atSeconds: firesAt, firing: [{ namespace: 'ill', ...labels }] },
    ),
    ...(pending >= 0 ? [toCourse(fires, { atSeconds: pending, firing: [] })] : []),
  ]
  return [
    { stepSeconds: step, courses: constant },
    ...courses.map((course) => ({ stepSeconds: course.stepSeconds, courses: [course] })),
  ].map(({ stepSeconds, courses: tested }) => ({
    rule_files: [`${alert.alert}.rules.json`],
    evaluation_interval: `${stepSeconds}s`,
    tests: tested.map((course) => toTest(alert, course)),
  }))
}

function allInNamespace(namespace: string, series: AlertCase['fires']): AlertCase['fires'] {
  return Object.fromEntries(
    Object.entries(series).map(([name, values]) => [inNamespace(namespace, name), values]),
  )
}

function toTest(alert: Rule, { stepSeconds, series, moments }: Course) {
  return {
    interval: `${stepSeconds}s`,
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    alert_rule_test: moments.map(({ atSeconds, firing }) => ({
      eval_time: `${atSeconds}s`,
      alertname: alert.alert,
      exp_alerts: firing.map((labels) => ({
        exp_labels: { ...labels, ...alert.labels },
        exp_annotations: alert.annotations,
      })),
    })),
  }
}

/** Promtool's outputs for each alert, from a single process, because it starts slowly. */
async function testAlerts(work: string): Promise<Map<string, string[]>> {
  const paths = alerts.flatMap((alert) => {
    const alertCase = alertCases[alert.alert]
    if (alertCase === undefined) throw new Error(`no case for ${alert.alert}`)
    // With the rules that it needs, since each moment of a test evaluates the whole file.
    const needed = records.filter(({ record }) => alert.expr.includes(record))
    const alone = { groups: [{ name: 'tested', rules: [...needed, alert] }] }
    writeFileSync(join(work, `${alert.alert}.rules.json`), JSON.stringify(alone))
    return testOf(alert, alertCase).map((test, index) => {
      const path = join(work, `${alert.alert}.${index}.json`)
      writeFileSync(path, JSON.stringify(test))
      return path
    })
  })
  const { said } = await runPromtool(['test', 'rules', ...paths])
  return new Map(
    alerts.map(({ alert }) => [
      alert,
      said.split('Unit Testing:').filter((text) => text.includes(`/${alert}.`)),
    ]),
  )
}

describe('deploy/prometheus', function () {
  this.timeout(120_000)
  const work = mkdtempSync(join(tmpdir(), 'rewards-rules-'))
  atEndOfSuite()(() => {
    rmSync(work, { recursive: true })
  })
  let tested: Promise<Map<string, string[]>> | undefined

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

  it('records shares over the windows that the names say', () => {
    expect(records.length).to.be.greaterThan(5)
    for (const { record, expr } of records) {
      const windows = [...expr.matchAll(/\[(\w+)\]/g)].map(
        ([, window]) => `rewards:operation_errors:ratio_rate${window}`,
      )
      expect(windows, record).to.deep.equal([record, record])
    }
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
      const outputs = (await tested).get(alert.alert) ?? []
      expect(outputs).to.have.length(1 + (alertCases[alert.alert]?.courses?.length ?? 0))
      for (const said of outputs) expect(said.trim().endsWith('SUCCESS'), said).to.equal(true)
    })
  }
})
