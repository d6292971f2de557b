import { useLocation, useRoute } from 'preact-iso'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { Page } from '../ui/page.tsx'
import { Filters, List } from '../ui/table.tsx'
import type { Column } from '../ui/table.tsx'
import { Given, Time } from '../ui/values.tsx'

type Entry = Schemas['AuditEntry']

const columns: Column<Entry>[] = [
  { name: 'When', render: (entry) => <Time at={entry.at} /> },
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
    <Page title="Audit trail">
      <Filters filters={filters} />
      <List
        caption="Audit entries"
        columns={columns}
        keyOf={({ id }) => id}
        listKey={`audit ${casinoId} ${requestId}`}
        load={(cursor, signal) =>
          answered(
            api.GET('/admin/casinos/{casino_id}/audit', {
              params: {
                path: { casino_id: casinoId },
                query: queryOf(requestId, cursor),
              },
              signal,
            }),
          )
        }
        empty={requestId === '' ? 'There are no entries.' : 'The request has no entries.'}
      />
    </Page>
  )
}

/** The audit entries without a casino, such as sign-ins, newest first. */
export function ServiceAudit() {
  const requestId = useLocation().query['request_id'] ?? ''
  return (
    <Page title="Audit trail of the service">
      <Filters filters={filters} />
      <List
        caption="Audit entries"
        columns={columns}
        keyOf={({ id }) => id}
        listKey={`audit of the service ${requestId}`}
        load={(cursor, signal) =>
          answered(
            api.GET('/admin/audit', {
              params: { query: queryOf(requestId, cursor) },
              signal,
            }),
          )
        }
        empty={requestId === '' ? 'There are no entries.' : 'The request has no entries.'}
      />
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
