import { useLocation, useRoute } from 'preact-iso'
import { useState } from 'preact/hooks'
import { answered, api } from '../api.ts'
import type { Schemas } from '../api.ts'
import { casinoPath } from '../place.ts'
import { useSession } from '../session.tsx'
import { Attempts } from '../ui/attempts.tsx'
import { ObjectPage } from '../ui/object-page.tsx'
import { Facts, Section } from '../ui/page.tsx'
import { ReasonDialog } from '../ui/reason-dialog.tsx'
import { rangeFilters, rangeIn } from '../ui/range.ts'
import { Empty } from '../ui/states.tsx'
import { Filters, List } from '../ui/table.tsx'
import type { Column } from '../ui/table.tsx'
import { Code, Given, State, Time, wordsOf } from '../ui/values.tsx'
import { useQuery } from '../use-query.ts'
import { EndpointActions } from './webhook-actions.tsx'
import type { EndpointPath } from './webhook-actions.tsx'
import { EndpointState } from './webhooks.tsx'

type Endpoint = Schemas['WebhookEndpointDetails']
type Delivery = Schemas['WebhookDelivery']

const pollMs = 10_000

/** A webhook endpoint: whether events get through, its deliveries, and sending again. */
export function WebhookPage() {
  const { params } = useRoute()
  const casinoId = params['casinoId'] ?? ''
  const endpointId = params['endpointId'] ?? ''
  const path = { casino_id: casinoId, endpoint_id: endpointId }
  const query = useQuery(
    `endpoint ${casinoId} ${endpointId}`,
    async (signal) =>
      (
        await answered(
          api.GET('/admin/casinos/{casino_id}/webhook-endpoints/{endpoint_id}', {
            params: { path },
            signal,
          }),
        )
      ).data,
    { pollMs },
  )
  const [round, setRound] = useState(0)
  return (
    <ObjectPage
      query={query}
      what="the endpoint"
      untitled={endpointId}
      titleOf={() => endpointId}
      asideOf={(endpoint) => <EndpointState endpoint={endpoint} />}
      trail={[{ href: casinoPath(casinoId, '/webhooks'), label: 'Webhooks' }]}
    >
      {(endpoint) => (
        <>
          <Section title="About it">
            <AboutEndpoint endpoint={endpoint} />
            <EndpointActions
              path={path}
              endpoint={endpoint}
              onDone={() => {
                query.reload()
                setRound(round + 1)
              }}
            />
          </Section>
          <Section title="Deliveries">
            <Deliveries
              path={path}
              round={round}
              onReplayed={() => {
                setRound(round + 1)
              }}
            />
          </Section>
        </>
      )}
    </ObjectPage>
  )
}

function AboutEndpoint({ endpoint }: { endpoint: Endpoint }) {
  const facts = [
    ['URL', <Given key="url" text={endpoint.url} />],
    ['For', endpoint.description === null ? null : <Given key="for" text={endpoint.description} />],
    ['Events', endpoint.event_types.length === 0 ? 'all' : endpoint.event_types.join(', ')],
    ['Pending deliveries', String(endpoint.pending_deliveries)],
    ['Disabled because', endpoint.disabled_reason === null ? null : wordsOf(endpoint.disabled_reason)],
    ['Failing since', endpoint.failing_since === null ? null : <Time key="f" at={endpoint.failing_since} />],
    ['Resting until', endpoint.resting_until === null ? null : <Time key="r" at={endpoint.resting_until} />],
  ] as const
  return <Facts facts={facts.filter(([, value]) => value !== null)} />
}

const states = ['pending', 'delivered', 'failed'] as const satisfies readonly Delivery['state'][]

function Deliveries({
  path,
  round,
  onReplayed,
}: {
  path: EndpointPath
  round: number
  onReplayed: () => void
}) {
  const { may } = useSession()
  const { query } = useLocation()
  const [chosen, setChosen] = useState<Delivery>()
  const state = states.find((candidate) => candidate === query['state'])
  const { range, problems } = rangeIn(query)
  const columns: Column<Delivery>[] = [
    {
      name: 'Event',
      render: ({ event_type: type, event_id: id }) => (
        <div>
          <Code text={type} />
          <div class="soft">
            <Given text={id} />
          </div>
        </div>
      ),
    },
    { name: 'About', render: ({ object }) => <Given text={object.id} /> },
    {
      name: 'State',
      render: (delivery) => (
        <>
          <State state={delivery.state} /> {delivery.replay_number > 0 && `again ${delivery.replay_number}`}
        </>
      ),
    },
    { name: 'Attempts', render: (delivery) => <Attempts delivery={delivery} /> },
    { name: 'Next try', render: (delivery) => <Time at={delivery.next_attempt_at} /> },
    { name: 'Made', render: (delivery) => <Time at={delivery.created_at} /> },
    {
      name: 'Again',
      render: (delivery) =>
        delivery.state !== 'pending' && may('support') ? (
          <button
            type="button"
            aria-label={`Send ${delivery.event_id} again`}
            onClick={() => {
              setChosen(delivery)
            }}
          >
            Send
          </button>
        ) : (
          ''
        ),
    },
  ]
  return (
    <>
      <Filters filters={[{ name: 'state', label: 'State', choices: states }, ...rangeFilters(problems)]} />
      {Object.keys(problems).length > 0 ? (
        <Empty>Correct the times to see the deliveries.</Empty>
      ) : (
        <List
          caption="Deliveries"
          columns={columns}
          keyOf={(delivery) => delivery.delivery_id}
          listKey={`deliveries ${path.casino_id} ${path.endpoint_id} ${state ?? ''} ${JSON.stringify(range)} ${round}`}
          load={(cursor, signal) =>
            answered(
              api.GET('/admin/casinos/{casino_id}/webhook-endpoints/{endpoint_id}/deliveries', {
                params: {
                  path,
                  query: {
                    ...range,
                    ...(cursor === undefined ? {} : { cursor }),
                    ...(state === undefined ? {} : { state }),
                  },
                },
                signal,
              }),
            )
          }
          empty="No deliveries fit."
        />
      )}
      {chosen !== undefined && (
        <ReasonDialog
          title={`Send ${chosen.event_type} again`}
          button="Send again"
          text="The event is sent again to this endpoint under its id."
          onClose={() => {
            setChosen(undefined)
          }}
          onSubmit={async (header) => {
            await answered(
              api.POST('/admin/casinos/{casino_id}/events/{event_id}/replay', {
                params: { path: { casino_id: path.casino_id, event_id: chosen.event_id }, header },
                body: { endpoint_id: path.endpoint_id },
              }),
            )
            onReplayed()
          }}
        />
      )}
    </>
  )
}
