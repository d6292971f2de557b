import {
  DashboardBuilder,
  DashboardCursorSync,
  DatasourceVariableBuilder,
  MappingType,
  QueryVariableBuilder,
  RowBuilder,
  ThresholdsConfigBuilder,
  ThresholdsMode,
  VariableRefresh,
} from '@grafana/grafana-foundation-sdk/dashboard'
import type { Threshold } from '@grafana/grafana-foundation-sdk/dashboard'
import {
  GraphThresholdsStyleConfigBuilder,
  GraphThresholdsStyleMode,
  ReduceDataOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common'
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus'
import { PanelBuilder as StatBuilder } from '@grafana/grafana-foundation-sdk/stat'
import { PanelBuilder as GraphBuilder } from '@grafana/grafana-foundation-sdk/timeseries'
import { internals } from './internals.ts'
import { moneyAndPartners } from './money-and-partners.ts'
import type { DashboardSource, PanelSource } from './panel.ts'
import { service } from './service.ts'

/** The dashboards of the service. */
export const dashboards: readonly DashboardSource[] = [service, moneyAndPartners, internals]

/** The name of a dashboard's file in deploy/grafana. */
export function fileOf({ uid }: DashboardSource): string {
  return `${uid}.json`
}

/** A dashboard as Grafana reads it from a file. */
export function renderDashboard({ uid, title, description, rows }: DashboardSource): string {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the newer schema cannot be read by Grafana 11 and before
  const builder = new DashboardBuilder(title)
    .uid(uid)
    .description(description)
    .tags(['rewards'])
    .readonly()
    .tooltip(DashboardCursorSync.Crosshair)
    .time({ from: 'now-3h', to: 'now' })
    .refresh('30s')
    .timezone('browser')
    .withVariable(new DatasourceVariableBuilder('datasource').label('Data source').type('prometheus'))
    .withVariable(
      new QueryVariableBuilder('namespace')
        .label('Namespace')
        .datasource(datasource)
        .query('label_values(rewards_build_info, namespace)')
        .refresh(VariableRefresh.OnTimeRangeChanged)
        .multi(true)
        .includeAll(true)
        // Also series without a namespace, outside of Kubernetes.
        .allValue('.*')
        .current({ text: 'All', value: '$__all' }),
    )
  let id = 0
  for (const row of rows) {
    builder.withRow(new RowBuilder(row.title).id(++id))
    for (const panel of row.panels) builder.withPanel(buildPanel(panel, widthIn(row.panels, panel)).id(++id))
  }
  return `${JSON.stringify(builder.build(), null, 2)}\n`
}

const datasource = { type: 'prometheus', uid: '${datasource}' }

/** Of 24 columns. Numbers share a line; graphs stand three in a line. */
function widthIn(row: readonly PanelSource[], { kind }: PanelSource): number {
  const numbers = row.filter((panel) => panel.kind === 'number').length
  return kind === 'graph' ? 8 : Math.max(3, Math.floor(24 / numbers))
}

function buildPanel(panel: PanelSource, width: number) {
  const { title, description, unit, queries } = panel
  const builder = panel.kind === 'graph' ? buildGraph(panel) : buildNumber(panel)
  builder.title(title).span(width).unit(unit).datasource(datasource).thresholds(thresholdsOf(panel))
  if (description !== undefined) builder.description(description)
  for (const [index, [legend, query]] of Object.entries(queries).entries())
    builder.withTarget(
      new DataqueryBuilder()
        .refId(String.fromCharCode(65 + index))
        .datasource(datasource)
        .expr(inNamespace(query))
        .legendFormat(legend),
    )
  return builder
}

function buildGraph({ limit }: PanelSource): GraphBuilder {
  const builder = new GraphBuilder().height(8).min(0).fillOpacity(8).lineWidth(1)
  if (limit === undefined) return builder
  const style = new GraphThresholdsStyleConfigBuilder().mode(GraphThresholdsStyleMode.Dashed)
  return builder.thresholdsStyle(style)
}

function buildNumber({ isUp }: PanelSource): StatBuilder {
  const builder = new StatBuilder()
    .height(4)
    .reduceOptions(new ReduceDataOptionsBuilder().calcs(['lastNotNull']))
  if (isUp !== true) return builder
  const options = { 0: { text: 'down', color: 'red' }, 1: { text: 'up', color: 'green' } }
  return builder.mappings([{ type: MappingType.ValueToText, options }])
}

/** Green is good, so a value that cannot be bad is blue. */
function thresholdsOf(panel: PanelSource): ThresholdsConfigBuilder {
  return new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps(stepsOf(panel))
}

function stepsOf({ limit, redFrom, isUp }: PanelSource): Threshold[] {
  if (isUp === true) {
    return [
      { value: null, color: 'red' },
      { value: 1, color: 'green' },
    ]
  }
  // Red begins at its value, but an alert above its limit. With the limit 0, red begins at 1.
  const value = redFrom ?? (limit === 0 ? 1 : limit)
  if (value === undefined) return [{ value: null, color: 'blue' }]
  return [
    { value: null, color: 'green' },
    { value, color: 'red' },
  ]
}

/** One Prometheus often has several installations. */
function inNamespace(query: string): string {
  return query.replace(
    /\b((?:rewards|process|nodejs)_\w+|ALERTS)(?:\{([^}]*)\})?/g,
    (_, name: string, matchers?: string) =>
      `${name}{namespace=~"$namespace"${matchers === undefined ? '' : `,${matchers}`}}`,
  )
}
