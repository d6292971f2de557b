import { Counter, Histogram } from 'prom-client'
import type { Registry } from 'prom-client'

/** Each label with all its possible values. */
type Labels = Readonly<Record<string, readonly string[]>>
type ValuesOf<Known extends Labels> = { readonly [Name in keyof Known & string]: Known[Name][number] }

interface Described<Known extends Labels> {
  name: string
  help: string
  labels: Known
}

/**
 * A counter whose series all begin at 0. A series that begins with its first event has no value before it, so
 * `increase(…) > 0` does not see that event: an alert on something that should never happen would be silent the first
 * time. The returned function finds a series, and creates it if its labels were unknown before.
 */
export function addCounter<const Known extends Labels>(
  registry: Registry,
  { name, help, labels }: Described<Known>,
): (of: ValuesOf<Known>) => Counter.Internal {
  const counter = new Counter<string>({ name, help, labelNames: Object.keys(labels), registers: [registry] })
  return beginAll(labels, (of) => {
    counter.inc(of, 0)
    return counter.labels(of)
  })
}

/** The same for a histogram. */
export function addHistogram<const Known extends Labels>(
  registry: Registry,
  { name, help, labels, buckets }: Described<Known> & { buckets: number[] },
): (of: ValuesOf<Known>) => Histogram.Internal<string> {
  const labelNames = Object.keys(labels)
  const histogram = new Histogram<string>({ name, help, labelNames, buckets, registers: [registry] })
  return beginAll(labels, (of) => {
    histogram.zero(of)
    return histogram.labels(of)
  })
}

/** Caches the series it has created, since finding one by its labels takes longer than counting in it. */
function beginAll<Known extends Labels, Series>(
  labels: Known,
  begin: (of: ValuesOf<Known>) => Series,
): (of: ValuesOf<Known>) => Series {
  const names = Object.keys(labels)
  const begun = new Map<string, Series>()
  const seriesOf = (of: ValuesOf<Known>) => {
    const key = names.map((name) => of[name]).join('\n')
    let series = begun.get(key)
    if (series === undefined) {
      series = begin(of)
      begun.set(key, series)
    }
    return series
  }
  for (const of of combine(labels)) seriesOf(of)
  return seriesOf
}

function combine<Known extends Labels>(labels: Known): ValuesOf<Known>[] {
  const combined = Object.entries(labels).reduce<Record<string, string>[]>(
    (before, [name, values]) => before.flatMap((of) => values.map((value) => ({ ...of, [name]: value }))),
    [{}],
  )
  return combined as ValuesOf<Known>[] // by construction: each label of `labels`, with one of its values
}
