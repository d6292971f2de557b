/** One dashboard, as the files beside this one write it. `render.ts` turns it into Grafana's form. */
export interface DashboardSource {
  /** The name of its file, and its address in Grafana. */
  uid: string
  title: string
  description: string
  rows: readonly { title: string; panels: readonly PanelSource[] }[]
}

export interface PanelSource {
  kind: 'graph' | 'number'
  title: string
  description?: string
  /** A unit of Grafana. */
  unit: Unit
  /** In PromQL, by legend. Grafana fills in `$__rate_interval`; `render.ts` adds the namespace. */
  queries: Readonly<Record<string, string>>
  /** Where the alert for this value begins. */
  limit?: number
  /** Where red begins, if no alert has this value as its limit. */
  redFrom?: number
  /** 1 is up, and less is down. */
  isUp?: boolean
}

type Unit = 'short' | 'reqps' | 'ops' | 'cps' | 's' | 'percentunit' | 'bytes' | 'none'

type Options = Pick<PanelSource, 'description' | 'limit' | 'redFrom'>

export function graph(
  title: string,
  unit: Unit,
  queries: PanelSource['queries'],
  options: Options = {},
): PanelSource {
  return { kind: 'graph', title, unit, queries, ...options }
}

/** The value of now, in large type. */
export function number(title: string, unit: Unit, query: string, options: Options = {}): PanelSource {
  return { kind: 'number', title, unit, queries: { [title]: query }, ...options }
}

/** Whether something answers, in large type. */
export function up(title: string, query: string): PanelSource {
  return { ...number(title, 'none', query), isUp: true }
}

/** How often something happens a second, over all processes. */
export function rate(counter: string, ...by: readonly string[]): string {
  return `sum by (${by.join(', ')}) (rate(${counter}[$__rate_interval]))`
}

/** Half of the values of a histogram, nearly all, and all but the slowest, are below these. */
export function quantiles(histogram: string): PanelSource['queries'] {
  const quantile = (share: number) =>
    `histogram_quantile(${share}, sum by (le) (rate(${histogram}_bucket[$__rate_interval])))`
  return { median: quantile(0.5), '95 %': quantile(0.95), '99 %': quantile(0.99) }
}

/** A histogram's quantile for each value of a label. */
export function quantileBy(share: number, histogram: string, label: string): string {
  return `histogram_quantile(${share}, sum by (le, ${label}) (rate(${histogram}_bucket[$__rate_interval])))`
}
