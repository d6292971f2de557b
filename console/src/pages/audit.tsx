import { useLocation, useRoute } from 'preact-iso'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { Page } from '../ui/page.tsx'
import { rangeFilters, rangeIn } from '../ui/range.ts'
import type { TimeRange } from '../ui/range.ts'
import { Empty } from '../ui/states.tsx'
import { Filters, List } from '../ui/table.tsx'
import type { Column } from '../ui/table.tsx'
import type { ListPage } from '../ui/list-changes.ts'
import { Given, Time } from '../ui/values.tsx'

type Entry = Schemas['AuditEntry']

const columnsOf = (path: string): Column<Entry>[] => [
  {
    name: 'When',
    render: (entry) => (
      <a href={`${path}/${encodeURIComponent(entry.id)}`}>
        <Time at={entry.at} />
      </a>
    ),
  },
  { name: 'Who', render: ({ actor }) => <Given text={actor} /> },
  { name: 'What', render: ({ action }) => <code>{action}</code> },
  { name: 'Of', render: ({ params }) => <Given text={Object.values(params).join(', ')} /> },
  { name: 'Why', render: ({ reason }) => (reason === null ? '' : <Given text={reason} />) },
  { name: 'Outcome', render: ({ outcome }) => outcome },
  { name: 'Request', render: ({ request_id: id }) => <Given text={id} /> },
]

const filters = [{ name: 'request_id', label: 'Request' }]

/** The audit entries of a casino, newest first. */
export function CasinoAudit() {
  const { params } = useRoute()
  const requestId = useLocation().query['request_id'] ?? ''
  const casinoId = params['casinoId'] ?? ''
  return (
    <Trail
      title="Audit trail"
      listKey={`audit ${casinoId}`}
      load={(query, signal) =>
        answered(
          api.GET('/admin/casinos/{casino_id}/audit', {
            params: { path: { casino_id: casinoId }, query },
            signal,
          }),
        )
      }
    />
  )
}

/** The audit entries without a casino, such as sign-ins, newest first. */
export function ServiceAudit() {
  const requestId = useLocation().query['request_id'] ?? ''
  return (
    <Trail
      title="Audit trail of the service"
      listKey="audit of the service"
      load={(query, signal) => answered(api.GET('/admin/audit', { params: { query }, signal }))}
    />
  )
}

function Trail({
  title,
  listKey,
  load,
}: {
  title: string
  listKey: string
  load: (
    query: TimeRange & { order: 'desc'; cursor?: string },
    signal: AbortSignal,
  ) => Promise<ListPage<Entry>>
}) {
  const { path, query } = useLocation()
  const { range, problems } = rangeIn(query)
  return (
    <Page title={title}>
      <Filters filters={rangeFilters(problems)} />
      {Object.keys(problems).length > 0 ? (
        <Empty>Correct the times to see the entries.</Empty>
      ) : (
        <List
          caption="Audit entries"
          columns={columnsOf(path)}
          keyOf={({ id }) => id}
          listKey={`${listKey} ${JSON.stringify(range)}`}
          load={(cursor, signal) =>
            load({ order: 'desc', ...range, ...(cursor === undefined ? {} : { cursor }) }, signal)
          }
          empty="There are no entries of this time."
        />
      )}
    </Page>
  )
}

function queryOf(requestId: string, cursor: string | undefined) {
  return {
    order: 'desc' as const,
    ...(cursor === undefined ? {} : { cursor }),
    ...(requestId === '' ? {} : { request_id: requestId }),
  }
}
