import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { Empty, Failure, Loading } from '../ui/states.tsx'
import { Table } from '../ui/table.tsx'
import type { Column } from '../ui/table.tsx'
import { Given } from '../ui/values.tsx'
import { useQuery } from '../use-query.ts'

type Statistics = Schemas['BoxStatistics']
type Entry = Statistics['entries'][number]

/** The published odds of a version beside its draws, its stocks, and the cost of an opening. */
export function BoxStatistics({
  path,
  version,
}: {
  path: { casino_id: string; box_id: string }
  version: number
}) {
  const { value, error, reload } = useQuery(
    `statistics ${path.casino_id} ${path.box_id} ${String(version)}`,
    async (signal) => {
      const params = { path, query: { version } }
      const root = '/admin/casinos/{casino_id}/boxes/{box_id}/statistics' as const
      return (await answered(api.GET(root, { params, signal }))).data
    },
  )
  if (value === undefined)
    return error === undefined ? <Loading what="what was drawn" /> : <Failure error={error} retry={reload} />
  return (
    <>
      <p>
        {value.openings === 0 ? 'No opening of this version is counted yet.' : summaryOf(value)}
        {value.is_partial && ' Only the newest 20,000 openings of the casino are looked at.'}
      </p>
      <Table
        caption="Entries with odds and draws"
        columns={columns}
        rows={value.entries}
        keyOf={({ entry }) => String(entry)}
      />
      <Costs statistics={value} />
    </>
  )
}

function summaryOf({ openings, substituted, p_value: pValue }: Statistics): string {
  const counted = openings === 1 ? '1 opening is counted' : `${String(openings)} openings are counted`
  const times = substituted === 1 ? 'once' : `${String(substituted)} times`
  const fallback = substituted === 0 ? '' : `; the fallback was given ${times}`
  if (pValue === null) return `${counted}${fallback}. That is too few for a test of the odds.`
  const verdict =
    pValue < 0.001
      ? 'Fair draws differ as much from the odds less than once in 1,000 times: look into it.'
      : 'They agree with the odds as fair draws do.'
  return `${counted}${fallback}. ${verdict} (p = ${String(Number(pValue.toPrecision(3)))})`
}

const percent = (share: number) =>
  `${(share * 100).toLocaleString(undefined, { maximumSignificantDigits: 3 })} %`

const columns: Column<Entry>[] = [
  { name: 'Item', render: ({ item_id: id, name }) => <Given text={name ?? id} /> },
  { name: 'Odds', render: ({ odds }) => percent(odds.percentage / 100) },
  { name: 'Drawn', render: ({ observed }) => observed },
  { name: 'Share', render: ({ share }) => (share === null ? '–' : percent(share)) },
  {
    name: '95 % interval',
    render: ({ interval, odds }) =>
      interval === null ? (
        '–'
      ) : (
        <>
          {percent(interval.low)} to {percent(interval.high)}{' '}
          <IntervalPicture low={interval.low} high={interval.high} odds={odds.percentage / 100} />
        </>
      ),
  },
  {
    name: 'Stock left',
    render: ({ stock, remaining }) =>
      stock === null ? <span class="soft">unlimited</span> : `${String(remaining ?? 0)} of ${String(stock)}`,
  },
]

const width = 96

/** The interval as a line, and the odds as a mark: it repeats the numbers beside it. */
function IntervalPicture({ low, high, odds }: { low: number; high: number; odds: number }) {
  const scale = Math.max(high, odds) * 1.1
  const x = (share: number) => (share / scale) * width
  const isInside = odds >= low && odds <= high
  return (
    <svg
      class={isInside ? 'interval' : 'interval outside'}
      viewBox={`0 0 ${String(width)} 12`}
      width={width}
      height="12"
      aria-hidden="true"
    >
      <line x1="0" y1="6" x2={width} y2="6" class="axis" />
      <line x1={x(low)} y1="6" x2={x(high)} y2="6" class="range" />
      <line x1={x(odds)} y1="1" x2={x(odds)} y2="11" class="mark" />
    </svg>
  )
}

function Costs({ statistics }: { statistics: Statistics }) {
  const { expected_cost_per_opening: expected, observed_cost_per_opening: observed } = statistics
  if (expected.length + observed.length === 0) return <Empty>No item of it has a cashback.</Empty>
  const textOf = (costs: Statistics['expected_cost_per_opening']) =>
    costs.length === 0
      ? 'none yet'
      : costs.map(({ amount_minor: minor, currency }) => formatCost(minor, currency)).join(', ')
  return (
    <p>
      Cashback of an opening: <strong>{textOf(expected)}</strong> expected from now on,{' '}
      <strong>{textOf(observed)}</strong> of what was won.
    </p>
  )
}

/** A fraction of the smallest unit, such as 50.3333 cents, in the currency's main unit. */
export function formatCost(minor: string, currency: string): string {
  const format = new Intl.NumberFormat(undefined, { style: 'currency', currency, maximumFractionDigits: 4 })
  const digits = new Intl.NumberFormat(undefined, { style: 'currency', currency }).resolvedOptions()
  return format.format(Number(minor) / 10 ** (digits.maximumFractionDigits ?? 2))
}
