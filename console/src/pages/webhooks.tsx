import { useRoute } from 'preact-iso'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { casinoPath } from '../place.ts'
import { Page } from '../ui/page.tsx'
import { List } from '../ui/table.tsx'
import type { Column } from '../ui/table.tsx'
import { Ago, Given, GivenName, State } from '../ui/values.tsx'

type Endpoint = Schemas['WebhookEndpoint']

/** The webhook endpoints of a casino. */
export function Webhooks() {
  const { params } = useRoute()
  const casinoId = params['casinoId'] ?? ''
  const columns: Column<Endpoint>[] = [
    {
      name: 'Endpoint',
      render: ({ endpoint_id: id }) => (
        <a href={casinoPath(casinoId, `/webhooks/${encodeURIComponent(id)}`)}>
          <GivenName text={id} />
        </a>
      ),
    },
    { name: 'URL', render: ({ url }) => <Given text={url} /> },
    { name: 'State', render: (endpoint) => <EndpointState endpoint={endpoint} /> },
    { name: 'Failing since', render: (endpoint) => <Ago at={endpoint.failing_since} /> },
    {
      name: 'Events',
      render: ({ event_types: types }) => (types.length === 0 ? 'all' : <Given text={types.join(', ')} />),
    },
  ]
  return (
    <Page title="Webhooks">
      <List
        caption="Webhook endpoints"
        columns={columns}
        keyOf={(endpoint) => endpoint.endpoint_id}
        listKey={`endpoints ${casinoId}`}
        load={(cursor, signal) =>
          answered(
            api.GET('/admin/casinos/{casino_id}/webhook-endpoints', {
              params: {
                path: { casino_id: casinoId },
                query: cursor === undefined ? {} : { cursor },
              },
              signal,
            }),
          )
        }
        empty="The casino has no webhook endpoints."
      />
    </Page>
  )
}

/** Whether events get through. */
export function EndpointState({
  endpoint: { state, failing_since: failingSince },
}: {
  endpoint: Pick<Endpoint, 'state' | 'failing_since'>
}) {
  return (
    <>
      <State state={state} /> {failingSince !== null && <State state="failed" />}
    </>
  )
}
