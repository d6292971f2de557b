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

/** The audit entries of a casino, newest first. */
export function CasinoAudit() {
  const { params } = useRoute()
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
    query: TimeRange & { order: 'desc'; cursor?: string; request_id?: string },
    signal: AbortSignal,
  ) => Promise<ListPage<Entry>>
}) {
  const { path, query } = useLocation()
  const { range, problems } = rangeIn(query)
  const requestId = query['request_id'] ?? ''
  const wanted = { ...range, ...(requestId === '' ? {} : { request_id: requestId }) }
  return (
    <Page title={title}>
      <Filters filters={[{ name: 'request_id', label: 'Request' }, ...rangeFilters(problems)]} />
      {Object.keys(problems).length > 0 ? (
        <Empty>Correct the times to see the entries.</Empty>
      ) : (
        <List
          caption="Audit entries"
          columns={columnsOf(path)}
          keyOf={({ id }) => id}
          listKey={`${listKey} ${JSON.stringify(wanted)}`}
          load={(cursor, signal) =>
            load({ order: 'desc', ...wanted, ...(cursor === undefined ? {} : { cursor }) }, signal)
          }
          empty={
            requestId === ''
              ? 'There are no entries in this period.'
              : 'The request has no entries in this period.'
          }
        />
      )}
    </Page>
  )
}
