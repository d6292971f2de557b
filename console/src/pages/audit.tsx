import { useRoute } from 'preact-iso'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { Page } from '../ui/page.tsx'
import { List } from '../ui/table.tsx'
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

/** The audit entries of a casino, newest first. */
export function CasinoAudit() {
  const { params } = useRoute()
  const casinoId = params['casinoId'] ?? ''
  return (
    <Page title="Audit trail">
      <List
        caption="Audit entries"
        columns={columns}
        keyOf={({ id }) => id}
        listKey={`audit ${casinoId}`}
        load={(cursor, signal) =>
          answered(
            api.GET('/admin/casinos/{casino_id}/audit', {
              params: {
                path: { casino_id: casinoId },
                query: { order: 'desc', ...(cursor === undefined ? {} : { cursor }) },
              },
              signal,
            }),
          )
        }
        empty="There are no entries."
      />
    </Page>
  )
}

/** The audit entries without a casino, such as sign-ins, newest first. */
export function ServiceAudit() {
  return (
    <Page title="Audit trail of the service">
      <List
        caption="Audit entries"
        columns={columns}
        keyOf={({ id }) => id}
        listKey="audit of the service"
        load={(cursor, signal) =>
          answered(
            api.GET('/admin/audit', {
              params: { query: { order: 'desc', ...(cursor === undefined ? {} : { cursor }) } },
              signal,
            }),
          )
        }
        empty="There are no entries."
      />
    </Page>
  )
}
